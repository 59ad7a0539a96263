#pragma once

#include <string>
#include <string_view>

#include "engine/attention.h"
#include "engine/result.h"

namespace lab {

// Sets one key of `attention` as the session file names it, as the command line's --set does: the value is
// read as JSON where it is JSON, else as a word. An error: an unknown key, or a value that the key does not
// take.
Result<Done> set_attention_key(AttentionSettings& settings, const std::string& key, std::string_view value);

} // namespace lab
