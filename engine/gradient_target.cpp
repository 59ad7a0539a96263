#include <algorithm>

#include "engine/gradient.h"
#include "engine/read_text.h"

namespace lab {

namespace {

constexpr const char* kForms = "NAME[i,j], NAME[h,i,j], NAME[i,:], sum(NAME), distance(NAME) or logprob(i,token)";

// What stands between the brackets of "f(…)" or "f[…]"; absent where the text is no such thing.
std::optional<std::string_view> between(std::string_view text, std::string_view before, char closing) {
    if (!text.starts_with(before) || text.empty() || text.back() != closing) return std::nullopt;
    return trimmed(text.substr(before.size(), text.size() - before.size() - 1));
}

std::optional<std::vector<int>> read_index(std::string_view text) {
    std::vector<int> index;
    while (true) {
        const std::size_t comma = text.find(',');
        const bool is_last = comma == std::string_view::npos;
        const std::string_view part = trimmed(text.substr(0, comma));
        const std::optional<int> number = is_last && part == ":" ? GradientTarget::kWholeRow : whole_number(part);
        if (!number) return std::nullopt;
        index.push_back(*number);
        if (is_last) return index;
        text.remove_prefix(comma + 1);
    }
}

Result<GradientTarget> log_probability(std::string_view arguments, const std::vector<std::string>& vocabulary,
                                       const Error& unreadable) {
    const std::size_t comma = arguments.find(',');
    if (comma == std::string_view::npos) return unreadable;
    const std::optional<int> row = whole_number(arguments.substr(0, comma));
    if (!row) return unreadable;
    const std::string token(trimmed(arguments.substr(comma + 1)));
    const auto word = std::find(vocabulary.begin(), vocabulary.end(), token);
    std::optional<int> id = whole_number(token);
    if (word != vocabulary.end()) id = static_cast<int>(word - vocabulary.begin());
    if (!id) {
        return Error{"the target is the log-probability of " + token + " but the vocabulary has " +
                     std::to_string(vocabulary.size()) + " words, and not this one"};
    }
    return GradientTarget{GradientTarget::Kind::cells, "log_probabilities", {*row, *id}};
}

} // namespace

Result<GradientTarget> read_gradient_target(std::string_view text, const std::vector<std::string>& vocabulary) {
    const std::string_view whole = trimmed(text);
    const Error unreadable{"the gradient's target is \"" + std::string(text) + "\" but must be " + kForms};
    const auto of = [](std::string_view name) { return std::string(name); };
    if (const auto name = between(whole, "sum(", ')'); name && !name->empty())
        return GradientTarget{GradientTarget::Kind::cells, of(*name), {}};
    if (const auto name = between(whole, "distance(", ')'); name && !name->empty())
        return GradientTarget{GradientTarget::Kind::distance, of(*name), {}};
    if (const auto arguments = between(whole, "logprob(", ')'))
        return log_probability(*arguments, vocabulary, unreadable);
    const std::size_t bracket = whole.find('[');
    if (bracket == std::string_view::npos || bracket == 0 || whole.back() != ']') return unreadable;
    const auto index = read_index(whole.substr(bracket + 1, whole.size() - bracket - 2));
    if (!index) return unreadable;
    return GradientTarget{GradientTarget::Kind::cells, of(trimmed(whole.substr(0, bracket))), *index};
}

} // namespace lab
