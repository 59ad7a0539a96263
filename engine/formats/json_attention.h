#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/attention.h"
#include "engine/formats/json_fields.h"

namespace lab {

// Reads one key of `attention`. False where nobody knows the key, or, with an error in `reading`, its value.
bool read_attention_key(Reading& reading, const std::string& key, const Json& value, AttentionSettings& settings);

// The keys and values of `attention` as JSON text, in the contract's order: the four that every session
// states, then those that are not at their default.
std::vector<std::pair<std::string, std::string>> attention_fields(const AttentionSettings& settings);

} // namespace lab
