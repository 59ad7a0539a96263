#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace lab::test {

// A session, and the tensors that float64 expects of it: tests/reference/make_attention_reference.py.
struct AttentionCase {
    std::string theme;       // "past": of the file attention_past.json
    std::string name;        // "past, one head, causal"
    nlohmann::json session;  // as in a session file
    nlohmann::json expected; // tensor → nested lists; "inf", "-inf" and "nan" where JSON has no number
};

// All that are compiled in, read once.
const std::vector<AttentionCase>& attention_cases();

} // namespace lab::test
