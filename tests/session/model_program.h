#pragma once

#include "engine/program.h"

namespace lab::test {

// The tensors of an attention of several heads and an MLP after it, by hand and without steps: enough for what asks for
// shapes and places only. Three tokens of width 4; 4 heads of which pairs share keys and values.
class ModelProgram {
  public:
    ModelProgram();

    Program program;
    int find(const char* name) const { return program.find(name); }

  private:
    int add(const char* name, Shape shape, Role role, std::vector<int> operands = {}, Branch branch = Branch::none);
    void attention(int x);
    void mlp();
};

} // namespace lab::test
