#include "tests/engine/long_labs.h"

#include <gtest/gtest.h>

#include <cstring>

namespace lab::test {

Tensor scaled_down(const Tensor& tensor, float by) {
    std::vector<float> values = tensor.values();
    for (float& value : values) value *= by;
    return Tensor(tensor.shape(), values);
}

Lab of_length(int n, int n_heads, MaskKind mask) {
    Dice dice(3);
    Lab lab;
    lab.settings.n_heads = n_heads;
    lab.settings.mask = mask;
    lab.tensors["inputs"] = dice.tensor(Shape::matrix(n, 24));
    for (const char* name : {"W_query", "W_key", "W_value"})
        lab.tensors[name] = scaled_down(dice.tensor(Shape::matrix(24, kWidth * n_heads)), 0.125f);
    return lab;
}

Lab with_one_group(Lab lab) {
    const Lab of_one_head = of_length(kLength, 1, MaskKind::none);
    lab.settings.n_kv_heads = 1;
    for (const char* name : {"W_key", "W_value"}) lab.tensors[name] = of_one_head.tensors.at(name);
    return lab;
}

Lab given_of_length(int n) {
    Dice dice(31);
    Lab lab;
    lab.settings.projections = false;
    for (const char* name : {"queries", "keys", "values"})
        lab.tensors[name] = scaled_down(dice.tensor(Shape::matrix(n, kWidth)), 0.25f);
    return lab;
}

Trace run_storing(const Lab& lab, const MostStored& most, ThreadPool* threads) {
    Trace trace(threads, most);
    trace.update(program_of(lab), lab.tensors);
    return trace;
}

void tidy_up(Trace& trace) {
    for (int n = 0; n < 100 && trace.refresh_some(); ++n) {
    }
    EXPECT_TRUE(trace.is_complete());
    EXPECT_FALSE(trace.has_drifted());
}

void expect_equal_bits(const Trace& trace, const Trace& expected, const std::string& what) {
    ASSERT_EQ(trace.program().nodes.size(), expected.program().nodes.size());
    for (int i = 0; i < static_cast<int>(trace.program().nodes.size()); ++i) {
        const std::vector<float> cells = read_all(*trace.source(i)), of_stored = read_all(*expected.source(i));
        EXPECT_EQ(std::memcmp(cells.data(), of_stored.data(), cells.size() * sizeof(float)), 0)
            << what << ": " << trace.program().node(i).name;
    }
}

} // namespace lab::test
