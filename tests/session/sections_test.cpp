#include "app/session/sections.h"

#include <gtest/gtest.h>

#include "app/session/lab.h"
#include "tests/session/model_program.h"

namespace lab::test {

namespace {

std::vector<std::string> names(const Program& program, int section) {
    std::vector<std::string> found;
    for (int node : nodes_of_section(program, section)) found.push_back(program.node(node).name);
    return found;
}

TEST(Sections, ABareAttentionIsOneWithEverything) {
    const Lab lab;
    EXPECT_EQ(n_sections(lab.program()), 1);
    EXPECT_EQ(nodes_of_section(lab.program(), 0).size(), lab.program().nodes.size());
    EXPECT_EQ(stages_of_section(lab.program(), 0).size(), lab.program().stages.size());
    EXPECT_EQ(step_text(lab.program(), 2), "step 3");
}

TEST(Sections, HoldTheirTensorsAndWhatTheseRead) {
    const ModelProgram model;
    EXPECT_EQ(n_sections(model.program), 3);
    EXPECT_EQ(names(model.program, 0), (std::vector<std::string>{"inputs"}));
    EXPECT_EQ(names(model.program, 1).front(), "inputs");
    EXPECT_EQ(names(model.program, 1).back(), "outputs");
    EXPECT_EQ(names(model.program, 2), (std::vector<std::string>{"outputs", "W_up", "mlp_up"})) << "but no gradient";
    EXPECT_TRUE(is_guest(model.program, 2, model.find("outputs")));
    EXPECT_FALSE(is_guest(model.program, 1, model.find("outputs")));
    EXPECT_FALSE(is_in_section(model.program, 2, model.find("inputs")));
}

TEST(Sections, CountTheirStepsFromOne) {
    const ModelProgram model;
    EXPECT_EQ(stages_of_section(model.program, 1), (std::vector<int>{1, 2}));
    EXPECT_EQ(step_number(model.program, 2), 2);
    EXPECT_EQ(step_text(model.program, 2), "step 2 of Block 0: attention");
}

} // namespace

} // namespace lab::test
