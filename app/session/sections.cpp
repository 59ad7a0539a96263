#include "app/session/sections.h"

#include <algorithm>

namespace lab {

int n_sections(const Program& program) { return std::max(1, static_cast<int>(program.sections.size())); }

std::string section_title(const Program& program, int section) {
    const auto& sections = program.sections;
    return section < static_cast<int>(sections.size()) ? sections[static_cast<std::size_t>(section)].title : "";
}

const std::vector<int>& nodes_of_section(const Program& program, int section) {
    static const std::vector<int> kNone;
    const bool is_there = section >= 0 && section < static_cast<int>(program.nodes_of_sections.size());
    return is_there ? program.nodes_of_sections[static_cast<std::size_t>(section)] : kNone;
}

bool is_in_section(const Program& program, int section, int node) {
    if (n_sections(program) == 1 || program.node(node).section == section) return true;
    const std::vector<int>& all = nodes_of_section(program, section);
    return std::find(all.begin(), all.end(), node) != all.end();
}

bool is_guest(const Program& program, int section, int node) {
    return n_sections(program) > 1 && program.node(node).section != section && is_in_section(program, section, node);
}

int section_of_stage(const Program& program, int stage) {
    const bool is_there = stage >= 0 && stage < static_cast<int>(program.stages.size());
    return is_there ? program.stages[static_cast<std::size_t>(stage)].section : 0;
}

std::vector<int> stages_of_section(const Program& program, int section) {
    std::vector<int> found;
    for (int stage = 0; stage < static_cast<int>(program.stages.size()); ++stage) {
        if (n_sections(program) == 1 || section_of_stage(program, stage) == section) found.push_back(stage);
    }
    return found;
}

int step_number(const Program& program, int stage) {
    const std::vector<int> stages = stages_of_section(program, section_of_stage(program, stage));
    return 1 + static_cast<int>(std::find(stages.begin(), stages.end(), stage) - stages.begin());
}

std::string step_text(const Program& program, int stage) {
    const std::string text = "step " + std::to_string(step_number(program, stage));
    return n_sections(program) == 1 ? text : text + " of " + section_title(program, section_of_stage(program, stage));
}

} // namespace lab
