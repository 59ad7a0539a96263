#include "app/session/narration.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>
#include <string_view>

#include "app/session/heads.h"
#include "app/session/lab.h"
#include "app/session/labels.h"
#include "app/session/narration_text.h"
#include "app/session/query_rows.h"
#include "app/session/sections.h"
#include "app/session/trace_text.h"
#include "engine/count_text.h"
#include "engine/tensor_name.h"

namespace lab {

namespace {

constexpr double kLeastShare = 0.0005;           // a smaller one is not worth naming, unless all are small
constexpr std::size_t kMostReadWhole = 1u << 14; // of a head that is read as a whole: each frame of a drag would

// There −∞ forbids a key, and is no overflow.
bool is_added_to_scores(const Node& leaf) {
    const std::string_view name = name_in_block(leaf.name);
    return name == "mask" || name == "relative_bias" || name == "sink";
}

// may_forbid  −∞ counts as any other number
std::optional<Cell> first_not_finite(const Tensor& tensor, bool may_forbid) {
    const Shape& shape = tensor.shape();
    const auto is_fine = [&](float x) { return std::isfinite(x) || (may_forbid && std::isinf(x) && x < 0); };
    for (int row = 0; row < shape.planes * shape.rows; ++row) {
        const std::span<const float> numbers = tensor.row(row);
        const auto found = std::find_if_not(numbers.begin(), numbers.end(), is_fine);
        if (found == numbers.end()) continue;
        return Cell{row / shape.rows, row % shape.rows, static_cast<int>(found - numbers.begin())};
    }
    return {};
}

// Tells about the nodes of one stage. Nodes are told apart by their role and what they are made from.
class Narrator {
  public:
    Narrator(const Document& document, const Trace& trace, Viewpoint chosen)
        : document_(document), trace_(trace), program_(trace.program()), chosen_(chosen) {}

    // Of what is there: numbers that are still to be computed read as 0.
    std::vector<std::string> tell(int stage) {
        count_parameters(stage);
        for (int i = 0; i < static_cast<int>(program_.nodes.size()); ++i) {
            const bool is_of_stage = node(i).stage == stage && has_place(node(i));
            if (is_of_stage && chosen_.tells_of(program_, i) && trace_.can_derive(i)) tell_node(i);
        }
        return std::move(lines_);
    }

  private:
    const Node& node(int i) const { return program_.node(i); }
    Role role(int i) const { return node(i).presentation.role; }
    std::string query_name() const { return told_label(document_, Axis::queries, chosen_.query); }
    std::string key_name(int j) const { return told_label(document_, Axis::keys, j); }
    void say(std::string line) { lines_.push_back(std::move(line)); }
    int plane(int i) const { return block_of_head(program_, i, chosen_.head).planes.begin; }
    std::vector<float> shown_row(int i, int index) const { return row_of(trace_, i, plane(i), index); }

    int operand_of_role(int i, Role wanted) const {
        for (int operand : node(i).operands) {
            if (role(operand) == wanted) return operand;
        }
        return -1;
    }

    bool is_itself(int key) const { return key_of_query(document_, chosen_.query) == key; }

    void tell_node(int i) {
        switch (role(i)) {
        case Role::embedding: return tell_embedding(i);
        case Role::projection:
        case Role::hidden: return tell_row(i);
        case Role::scores: return tell_scores(i);
        case Role::weights: return tell_weights(i);
        case Role::weighted_values: return tell_weighted_values(i);
        case Role::context: return tell_context(i);
        default: return;
        }
    }

    // "18 numbers are learned: 3 × 2 in W_query, …"
    void count_parameters(int stage) {
        std::string places;
        std::size_t n = 0;
        for (const Node& leaf : program_.nodes) {
            const Role kind = leaf.presentation.role;
            const bool is_parameter = leaf.is_leaf() && (kind == Role::weight_matrix || kind == Role::bias);
            if (leaf.stage != stage || !is_parameter) continue;
            places += (places.empty() ? "" : ", ") + leaf.shape.to_text() + " in " + short_name(leaf);
            n += leaf.shape.size();
        }
        if (n > 0) say(counted_text(static_cast<int>(n), "number is", "numbers are") + " learned: " + places + ".");
    }

    void tell_embedding(int i) {
        const Shape& shape = node(i).shape;
        say(counted_text(shape.rows, "token", "tokens") + ", each a row of " +
            counted_text(shape.cols, "number", "numbers") + ".");
        tell_row(i);
        if (!row_of_query(document_, node(i), chosen_.query)) return;
        const auto& words = document_.vocabulary;
        const auto place = std::find(words.begin(), words.end(), axis_label(document_, Axis::queries, chosen_.query));
        if (place != words.end()) {
            say(query_name() + " has id " + std::to_string(place - words.begin()) + " in the vocabulary of " +
                counted_text(static_cast<int>(words.size()), "word", "words") + ", counting from 0.");
        }
        if (program_.n_parameters() == 0)
            say("Nothing is learned here: the inputs themselves serve as queries, keys and values.");
    }

    // "queries[journey] = [0.4306, 1.4551]": the chosen token's own row, where keys are tokens too.
    void tell_row(int i) {
        const std::optional<int> row = row_of_query(document_, node(i), chosen_.query);
        if (!row) return;
        const std::string name = told_label(document_, node(i).presentation.rows, *row);
        const std::string head = node(i).shape.rank > 2 ? plane_label(document_, node(i), plane(i)) + ", " : "";
        say(short_name(node(i)) + "[" + head + name + "] = " + row_text(shown_row(i, *row)));
    }

    void tell_extremes(int i) {
        const std::vector<float> row = row_without_masked(trace_, i, plane(i), chosen_.query);
        const Extremes found = extremes(row);
        if (found.highest < 0 || !is_all_numbers(row)) return;
        const auto value = [&](int place) { return row[static_cast<std::size_t>(place)]; };
        const bool is_only = std::count_if(row.begin(), row.end(), [](float x) { return std::isfinite(x); }) == 1;
        if (is_only) return say("Only " + named(row, found.highest));
        if (is_told_alike(value(found.lowest), value(found.highest)))
            return say("All equal: " + printed(row, found.highest) + ".");
        say("Highest: " + named(row, found.highest));
        say("Lowest: " + named(row, found.lowest));
    }

    static std::string printed(const std::vector<float>& row, int place) {
        return number_text(static_cast<double>(row[static_cast<std::size_t>(place)]));
    }

    // But for rounding: of the figures that are written many are shared by numbers that are not the same.
    static bool is_told_alike(float a, float b) {
        constexpr float kMostApart = 1e-5f; // of the number
        return std::fabs(a - b) <= kMostApart * std::fabs(b) &&
               is_written_alike(static_cast<double>(a), static_cast<double>(b));
    }

    // All whose number reads so: "journey 0.2264, itself." "Your, journey, starts and 1 more, 0.2000 each."
    std::string named(const std::vector<float>& row, int place) const {
        const std::string number = printed(row, place);
        const float value = row[static_cast<std::size_t>(place)];
        std::vector<std::string> names;
        bool is_own = false;
        for (int j = 0; j < static_cast<int>(row.size()); ++j) {
            const float x = row[static_cast<std::size_t>(j)];
            if (!std::isfinite(x) || !is_told_alike(x, value)) continue;
            names.push_back(key_name(j));
            is_own = is_itself(j);
        }
        if (names.size() == 1) return names[0] + " " + number + (is_own ? ", itself." : ".");
        return tied_text(std::move(names)) + ", " + number + " each.";
    }

    void tell_scores(int i) {
        const int before = operand_of_role(i, Role::scores);
        if (operand_of_role(i, Role::mask) >= 0)
            tell_allowed_keys(i);
        else if (before >= 0)
            tell_scale(before, i);
        tell_extremes(i);
        tell_notices(i);
    }

    void tell_scale(int before, int after) {
        const int scored = node(before).operands[0]; // queries, unless it was not the scale that made these scores
        if (role(scored) != Role::scores && !document_.attention.scale) say(root_sentence(node(scored).shape.cols));
        const std::vector<float> raw = shown_row(before, chosen_.query);
        const Extremes found = extremes(raw);
        const std::vector<float> scaled = shown_row(after, chosen_.query);
        if (found.highest < 0 || raw == scaled) return;
        const std::size_t highest = static_cast<std::size_t>(found.highest);
        say("The score of " + query_name() + " for " + key_name(found.highest) + " goes from " +
            number_text(static_cast<double>(raw[highest])) + " to " +
            number_text(static_cast<double>(scaled[highest])) + ".");
    }

    void tell_allowed_keys(int i) {
        std::vector<std::string> names;
        int n_allowed = 0;
        int key = 0;
        for (float score : shown_row(i, chosen_.query)) {
            const bool is_allowed = !is_masked(score);
            if (is_allowed && n_allowed < kMostNames) names.push_back(key_name(key));
            if (is_allowed && n_allowed == kMostNames) names.push_back("others");
            n_allowed += is_allowed ? 1 : 0;
            ++key;
        }
        const std::string count = n_allowed == 0 ? "none" : grouped(n_allowed);
        say(query_name() + " may attend to " + count + " of " + counted_text(key, "key", "keys") +
            (names.empty() ? "." : ": " + listed(names) + "."));
    }

    void tell_weights(int i) {
        tell_extremes(i);
        const int before = operand_of_role(i, Role::weights);
        if (before >= 0)
            tell_what_became_of(before, i);
        else
            tell_sums(i);
        tell_notices(i);
    }

    bool is_read_whole(int i) const {
        return node(i).shape.size() <= kMostReadWhole * static_cast<std::size_t>(node(i).shape.planes);
    }

    // Weights that are not made from scores were rounded, where that is asked for, or else dropped.
    void tell_what_became_of(int before, int i) {
        const bool is_rounding = document_.attention.round_weights && operand_of_role(before, Role::scores) >= 0;
        if (is_rounding) return tell_rounding(before, i);
        const DroppedRow row = dropped_row(shown_row(before, chosen_.query), shown_row(i, chosen_.query));
        say(dropped_sentence(row, static_cast<double>(document_.attention.dropout), query_name()));
    }

    void tell_sums(int i) {
        if (!document_.attention.sink) {
            if (is_read_whole(i)) say(sums_sentence(sums(trace_, i, plane(i)), document_));
            return;
        }
        const std::vector<float> row = shown_row(i, chosen_.query);
        const double sum = std::accumulate(row.begin(), row.end(), 0.0);
        if (sum > 0) say(sink_sentence(sum, query_name()));
    }

    void tell_rounding(int unrounded, int i) {
        const int decimals = document_.attention.round_weights.value_or(0);
        const auto row = rounded_row(shown_row(unrounded, chosen_.query), shown_row(i, chosen_.query), decimals);
        say(rounded_sum_sentence(row, query_name()));
    }

    void tell_weighted_values(int i) {
        const int weights = operand_of_role(i, Role::weights);
        if (weights < 0) return;
        const std::vector<float> row = shown_row(weights, chosen_.query);
        const Extremes found = extremes(row);
        if (found.highest < 0 || row[static_cast<std::size_t>(found.highest)] <= 0 || !is_all_numbers(row)) return;
        const int values = node(i).operands.back();
        if (values == weights) return tell_slopes(i, row, found);
        say("Most comes from " + key_name(found.highest) + ": " +
            number_text(static_cast<double>(row[static_cast<std::size_t>(found.highest)])) + " · " +
            row_text(shown_row(values, found.highest)) + " = " +
            row_text(row_of(trace_, i, found.highest, chosen_.query)));
    }

    bool is_softmax() const {
        const Normalization how = document_.attention.normalization;
        return how != Normalization::sum && how != Normalization::sparsemax;
    }

    // Of the weights with the scores, by the numbers of the greatest weight.
    void tell_slopes(int i, const std::vector<float>& row, const Extremes& found) {
        const auto weight = [&](int j) { return number_text(static_cast<double>(row[static_cast<std::size_t>(j)])); };
        const std::vector<float> slopes = row_of(trace_, i, plane(i) + found.highest, chosen_.query);
        const auto slope = [&](int k) { return number_text(static_cast<double>(slopes[static_cast<std::size_t>(k)])); };
        const std::string name = key_name(found.highest), greatest = weight(found.highest);
        if (!is_softmax())
            return say("The weight of " + name + " grows by " + slope(found.highest) + " per unit of its own score.");
        say("How the weight of a key j grows with the score of a key k: w_j · (1[j = k] − w_k), 1[j = k] being 1 where "
            "they are the same key and else 0.");
        say("The weight of " + name + " with its own score: " + greatest + " · (1 − " + greatest +
            ") = " + slope(found.highest) + ".");
        if (found.lowest == found.highest) return;
        say("With the score of " + key_name(found.lowest) + ": " + greatest + " · (0 − " + weight(found.lowest) +
            ") = " + slope(found.lowest) + ".");
    }

    void tell_context(int i) {
        tell_row(i);
        const int weights = operand_of_role(i, Role::weights);
        const std::vector<float> row = weights < 0 ? std::vector<float>() : shown_row(weights, chosen_.query);
        if (!is_all_numbers(row)) return;
        const bool is_signed = std::any_of(row.begin(), row.end(), [](float weight) { return weight < 0; });
        std::vector<std::string> shares;
        double greatest = 0;
        for (int j : greatest_places(row, 3)) {
            const double weight = static_cast<double>(row[static_cast<std::size_t>(j)]);
            greatest = std::max(greatest, weight);
            if (weight <= 0 || weight < std::min(kLeastShare, greatest / 2)) continue;
            shares.push_back(key_name(j) + " (" + (is_signed ? number_text(weight) : percent_text(weight)) + ")");
        }
        if (shares.empty()) return;
        constexpr double kLeastMostly = 0.01; // of thousands of keys none is most of a row
        const bool are_mostly = !is_signed && greatest >= kLeastMostly;
        say((are_mostly ? "Made mostly of " : "The greatest weights: ") + listed(shares) + ".");
    }

    // "inputs[a, d₁], which is given, is ∞" of what a node is made from, so that nothing overflowed; empty where all is finite.
    std::string given_overflow(int of) const {
        std::vector<int> behind{of};
        std::vector<bool> is_known(program_.nodes.size());
        while (!behind.empty()) {
            const int i = behind.back();
            behind.pop_back();
            if (is_known[static_cast<std::size_t>(i)]) continue;
            is_known[static_cast<std::size_t>(i)] = true;
            behind.insert(behind.end(), node(i).operands.begin(), node(i).operands.end());
            const auto given = document_.tensors.find(node(i).name);
            if (!node(i).is_leaf() || given == document_.tensors.end()) continue;
            const std::optional<Cell> cell = first_not_finite(given->second, is_added_to_scores(node(i)));
            if (!cell) continue;
            const std::string number = number_text(static_cast<double>(given->second.at(*cell)));
            return cell_text(document_, node(i), *cell) + ", which is given, is " + number;
        }
        return {};
    }

    std::string notice_of(int i, Notice notice, const std::string& whose) const {
        const std::string given = notice == Notice::overflow ? given_overflow(i) : std::string();
        if (given.empty()) return notice_sentence(notice, whose);
        return "For " + whose + " the weights are not numbers: " + given + ".";
    }

    // The chosen row's notice, and in how many other rows there is the same.
    void tell_notices(int i) {
        std::optional<Notice> kind = trace_.notice(i, plane(i), chosen_.query);
        if (kind) say(notice_of(i, *kind, query_name()));
        if (!is_read_whole(i)) return;
        int n_others = 0;
        for (int row = 0; row < node(i).shape.rows; ++row) {
            const std::optional<Notice> there = trace_.notice(i, plane(i), row);
            if (row == chosen_.query || !there) continue;
            if (!kind)
                say("Elsewhere: " + notice_of(i, *there, told_label(document_, Axis::queries, row)));
            else if (*there == *kind)
                ++n_others;
            if (!kind) kind = there;
        }
        if (n_others > 0) say("So it is in " + counted_text(n_others, "other row.", "other rows."));
    }

    const Document& document_;
    const Trace& trace_;
    const Program& program_;
    Viewpoint chosen_;
    std::vector<std::string> lines_;
};

} // namespace

std::vector<std::string> answers(const Document& document, const Trace& trace, int stage, Viewpoint chosen) {
    const Program& program = trace.program();
    if (stage < 0 || stage >= static_cast<int>(program.stages.size())) return {};
    if (chosen.query < 0 || chosen.query >= n_queries(program)) return {};
    if (chosen.head < 0 || chosen.head >= n_heads(program)) return {};
    return Narrator(document, trace, chosen).tell(stage);
}

std::vector<std::string> answers(const Lab& lab, int stage, Viewpoint chosen) {
    return answers(lab.document(), lab.trace(), stage, chosen);
}

} // namespace lab
