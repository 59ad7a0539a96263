#include "engine/formats/json_text.h"

#include "engine/formats/json_list.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <vector>

#include "engine/formats/number_text.h"

namespace lab {

namespace {

constexpr std::size_t kMostNested = 64;

std::string shortened(const std::string& text) {
    constexpr std::size_t kLongest = 40;
    if (text.size() <= kLongest) return text;
    std::size_t end = kLongest;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end; // not within a character
    return text.substr(0, end) + "…";
}

// "line 3, column 14" of the byte before `position`.
std::string line_and_column(std::string_view text, std::size_t position) {
    const std::string_view before = text.substr(0, std::min(position == 0 ? 0 : position - 1, text.size()));
    const auto n_lines = std::count(before.begin(), before.end(), '\n');
    const std::size_t line_begin = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
    const auto column = std::count_if(before.begin() + static_cast<std::ptrdiff_t>(line_begin), before.end(),
                                      [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
    return "line " + std::to_string(n_lines + 1) + ", column " + std::to_string(column + 1);
}

// Is the character that begins at the byte before `position` well-formed? Overlong forms are left to the parser.
bool is_utf8_around(std::string_view text, std::size_t position) {
    if (position == 0 || position > text.size()) return true;
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
    const unsigned first = byte(position - 1);
    if (first < 0x80) return true;
    const std::size_t length = first >= 0xF5 ? 0 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 0;
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(position - 1 + i) & 0xC0) != 0x80) return false;
    }
    return length > 0;
}

// "NaN" or "-Infinity", as other programs write such numbers, if the byte before `position` is of such a word; else empty.
std::string not_finite_at(std::string_view text, std::size_t position) {
    const auto is_of_word = [&](std::size_t i) {
        return i < text.size() &&
               (std::isalpha(static_cast<unsigned char>(text[i])) || text[i] == '-' || text[i] == '+');
    };
    if (position == 0 || !is_of_word(position - 1)) return {};
    std::size_t begin = position - 1, end = position;
    while (begin > 0 && is_of_word(begin - 1)) --begin;
    while (is_of_word(end)) ++end;
    const std::string_view word = text.substr(begin, end - begin);
    std::string letters(word.substr(word[0] == '-' || word[0] == '+' ? 1 : 0));
    for (char& letter : letters) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return letters == "nan" || letters == "inf" || letters == "infinity" ? std::string(word) : std::string();
}

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

// Builds the value from the parser's events and keeps the first thing that is wrong.
class Builder {
  public:
    using number_integer_t = Json::number_integer_t;
    using number_unsigned_t = Json::number_unsigned_t;
    using number_float_t = Json::number_float_t;
    using string_t = Json::string_t;
    using binary_t = Json::binary_t;

    explicit Builder(std::string_view text) : text_(text) {}

    bool null() { return add(nullptr); }
    bool boolean(bool value) { return add(value); }
    // The parser reports an integer with a sign here, so that 0 can only have been −0.
    bool number_integer(number_integer_t value) { return value == 0 ? add(-0.0) : add(value); }
    bool number_unsigned(number_unsigned_t value) { return add(value); }
    bool number_float(number_float_t value, const string_t&) { return add(value); }
    bool string(string_t& value) { return add(std::move(value)); }
    bool binary(binary_t&) { return false; }
    bool start_object(std::size_t) { return open(Json::object()); }
    bool end_object() { return close(); }
    bool start_array(std::size_t) { return open(Json::array()); }
    bool end_array() { return close(); }

    bool key(string_t& value) {
        keys_.back() = value;
        if (!open_.back()->contains(value)) return true;
        return fail("the key " + path_here() + " stands twice");
    }

    bool parse_error(std::size_t position, const std::string& token, const nlohmann::detail::exception& problem) {
        const std::string reason = problem.what();
        constexpr int kNumberOverflow = 406;
        if (problem.id == kNumberOverflow) {
            return fail(path_here() + " is " + shortened(token) + " but " + kFloat32Ends);
        }
        const std::string place = line_and_column(text_, position) + ": ";
        const bool is_at_end = position > text_.size() || contains(reason, "unexpected end of input");
        if (is_at_end || contains(reason, "missing closing quote")) {
            return fail(place + "the text ends in the middle of " + (open_.empty() ? "a value" : path_here()));
        }
        if (contains(reason, "UTF-8") || !is_utf8_around(text_, position)) return fail(place + "the text is not UTF-8");
        if (const std::string word = not_finite_at(text_, position); !word.empty()) {
            const bool is_of_tensor = path_here().starts_with("tensors.");
            return fail(place + path_here() + " is " + word +
                        (is_of_tensor ? ", which a session writes as a string: \"nan\", \"inf\" or \"-inf\""
                                      : ", which is no number in JSON"));
        }
        return fail(place + "this is not JSON" + because(reason));
    }

    Result<Json> finish() && {
        if (error_) return *std::move(error_);
        return std::move(root_);
    }

  private:
    bool fail(std::string message) {
        if (!error_) error_ = Error{std::move(message)};
        return false;
    }

    // Of the parser's long message only what it met and what it expected.
    static std::string because(const std::string& reason) {
        const std::size_t begin = reason.find(" - ");
        if (begin == std::string::npos) return {};
        const std::size_t last_read = reason.find("; last read");
        const std::size_t expected = last_read == std::string::npos ? last_read : reason.find("; expected", last_read);
        const std::string met =
            reason.substr(begin + 3, last_read == std::string::npos ? last_read : last_read - begin - 3);
        return " (" + met + (expected == std::string::npos ? "" : reason.substr(expected)) + ")";
    }

    std::string path_here() const {
        std::string path;
        for (std::size_t i = 0; i < open_.size(); ++i) {
            const bool is_innermost = i + 1 == open_.size(); // the others hold the one that is open already
            const std::size_t n_items = open_[i]->size();
            if (open_[i]->is_array())
                path += "[" + std::to_string(is_innermost ? n_items : n_items - 1) + "]";
            else if (!keys_[i].empty())
                path = path_of(path, keys_[i]);
        }
        return path.empty() ? "the session" : path;
    }

    Json* place(Json value) {
        if (open_.empty()) return &(root_ = std::move(value));
        Json& parent = *open_.back();
        if (parent.is_object()) return &(parent[keys_.back()] = std::move(value));
        parent.push_back(std::move(value));
        return &parent.back();
    }

    bool add(Json value) {
        place(std::move(value));
        return true;
    }

    bool open(Json container) {
        if (open_.size() == kMostNested) {
            return fail(shortened(path_here()) + " is nested deeper than " + std::to_string(kMostNested) + " brackets");
        }
        open_.push_back(place(std::move(container)));
        keys_.emplace_back();
        return true;
    }

    bool close() {
        open_.pop_back();
        keys_.pop_back();
        return true;
    }

    std::string_view text_;
    Json root_;
    std::vector<Json*> open_;       // the containers around the next value, from the outside in
    std::vector<std::string> keys_; // per container: the key in hand, of an object
    std::optional<Error> error_;
};

bool is_plain_word(const std::string& key) {
    return !key.empty() && key.size() <= 64 && std::all_of(key.begin(), key.end(), [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
    });
}

} // namespace

Result<Json> parse_json(std::string_view text) {
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
        return Error{"the text is empty but must be a JSON object"};
    }
    Builder builder(text);
    Json::sax_parse(text.begin(), text.end(), &builder);
    return std::move(builder).finish();
}

std::string path_of(const std::string& parent, const std::string& key) {
    return (parent.empty() ? "" : parent + ".") + (is_plain_word(key) ? key : json_string(shortened(key)));
}

std::string describe(const Json& value) {
    if (value.is_array()) return "a list";
    if (value.is_object()) return "an object";
    if (value.is_string()) return json_string(shortened(*value.get_ptr<const Json::string_t*>()));
    return value.dump();
}

std::string json_string(const std::string& text) {
    return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string json_list(const std::vector<std::string>& texts) {
    std::string list = "[";
    for (const std::string& text : texts) list += (list.size() == 1 ? "" : ", ") + json_string(text);
    return list + "]";
}

} // namespace lab
