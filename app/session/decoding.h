#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "app/session/command.h"
#include "engine/document.h"
#include "engine/trace.h"

namespace lab {

// What DecodeStep keeps of the tokens so far: in every block the keys and values that have been computed, a past and new ones
// together, as past_keys and past_values. An error: there are none to keep.
Result<std::map<std::string, Tensor>> computed_past(const Document& document, const Trace& trace);

// DecodeStep of a word after what the trace has computed; an error as computed_past gives it.
Result<DecodeStep> decode_step(const Document& document, const Trace& trace, const std::string& word);

// What the past takes as float32: n_kv_heads · n · (d_k + d_v) · 4 bytes in every block, and what it would take if every head
// had keys and values of its own.
struct CacheSize {
    int n_tokens = 0;
    std::uint64_t bytes = 0;
    std::uint64_t bytes_ungrouped = 0;
};
CacheSize cache_size(const Document& document);

// "The cache holds 4 tokens: 2 key-value heads · 4 tokens · (2 + 2) numbers · 4 bytes = 128 bytes. With keys and values for each
// of 4 heads: 256 bytes."
std::string cache_text(const Document& document);

} // namespace lab
