#include "engine/formats/json_lines.h"

#include <utility>

#include "engine/formats/json_text.h"

namespace lab {

JsonLines::JsonLines(std::string& text, std::string indent) : text_(text), indent_(std::move(indent)) { text_ += "{"; }

std::string& JsonLines::begin(const std::string& key) {
    text_ += (is_empty_ ? "\n" : ",\n") + indent_ + "  " + json_string(key) + ": ";
    is_empty_ = false;
    return text_;
}

void JsonLines::end() { text_ += is_empty_ ? "}" : "\n" + indent_ + "}"; }

} // namespace lab
