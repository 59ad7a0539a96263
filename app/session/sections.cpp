#include "app/session/sections.h"

#include <algorithm>

namespace lab {

int n_sections(const Program& program) { return std::max(1, static_cast<int>(program.sections.size())); }

std::string section_title(const Program& program, int section) {
    const auto& sections = program.sections;
    return section < static_cast<int>(sections.size()) ? sections[static_cast<std::size_t>(section)].title : "";
}

bool has_place(const Node& node) { return !node.is_auxiliary && node.gradient_of < 0; }

std::vector<int> nodes_of_section(const Program& program, int section) {
    std::vector<bool> stands(program.nodes.size(), n_sections(program) == 1);
    for (std::size_t i = 0; i < stands.size(); ++i) {
        const Node& node = program.nodes[i];
        if (node.section != section || !has_place(node)) continue;
        stands[i] = true;
        for (int operand : node.operands) stands[static_cast<std::size_t>(operand)] = true;
    }
    std::vector<int> found;
    for (std::size_t i = 0; i < stands.size(); ++i) {
        if (stands[i] && has_place(program.nodes[i])) found.push_back(static_cast<int>(i));
    }
    return found;
}

bool is_in_section(const Program& program, int section, int node) {
    if (n_sections(program) == 1 || program.node(node).section == section) return true;
    const std::vector<int> all = nodes_of_section(program, section);
    return std::find(all.begin(), all.end(), node) != all.end();
}

bool is_guest(const Program& program, int section, int node) {
    return n_sections(program) > 1 && program.node(node).section != section && is_in_section(program, section, node);
}

// A stage without tensors stands where the next one does.
int section_of_stage(const Program& program, int stage) {
    int section = 0;
    for (const Node& node : program.nodes) {
        if (!has_place(node)) continue;
        section = node.section;
        if (node.stage >= stage) break;
    }
    return section;
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
