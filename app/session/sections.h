#pragma once

#include <string>
#include <vector>

#include "engine/program_layout.h"

// What stands on the canvas of a section: its own tensors, and as guests those of other sections that they read.
namespace lab {

// 1 for a bare attention, which has no more than one.
int n_sections(const Program& program);

std::string section_title(const Program& program, int section);

// In the program's order, guests among them.
const std::vector<int>& nodes_of_section(const Program& program, int section);
bool is_guest(const Program& program, int section, int node);
bool is_in_section(const Program& program, int section, int node); // as its own or as a guest

// Where a stage's tensors stand, and the stages of a section.
int section_of_stage(const Program& program, int stage);
std::vector<int> stages_of_section(const Program& program, int section);

// "step 3", counted within its section: "step 3 of Block 0: attention".
std::string step_text(const Program& program, int stage);
int step_number(const Program& program, int stage);

} // namespace lab
