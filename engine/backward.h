#pragma once

#include <memory>
#include <vector>

#include "engine/shape.h"

namespace lab {

class Step;
using StepPtr = std::shared_ptr<const Step>;

// What a step is given to write down its part of the gradient: steps that are appended to the program, so that a gradient has
// a name, a trace and derivations like any other tensor. Nodes are known by their index in the program.
//
// With T the target, y the step's result and x an operand: given gradient() = ∂T/∂y, the step adds for each operand that is
// wanted a node of x's shape that is Σ ∂T/∂y · ∂y/∂x. What it adds for one operand is summed up. An operand for which it adds
// nothing gets zeros. Gradients of gradients are not modelled.
class Backward {
  public:
    virtual ~Backward() = default;

    virtual int operand(int i) const = 0;
    virtual int result() const = 0;
    virtual int gradient() const = 0; // ∂T/∂y, of the result's shape
    virtual Shape shape(int node) const = 0;
    virtual int n_operands() const = 0;

    // A step on nodes, on the way to a gradient.
    virtual int step(StepPtr step, std::vector<int> operands) = 0;

    // The node is a part of the gradient of operand i: one that `step` gave, or gradient() itself.
    virtual void add(int i, int node) = 0;

    void add_step(int i, StepPtr written, std::vector<int> operands) {
        add(i, step(std::move(written), std::move(operands)));
    }
};

} // namespace lab
