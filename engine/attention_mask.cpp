#include "engine/attention_mask.h"

#include "engine/projections.h"
#include "engine/steps/steps.h"

namespace lab {

namespace {

class AttentionMask {
  public:
    AttentionMask(ProgramBuilder& builder, const AttentionSettings& settings, const MaskReads& reads)
        : builder_(builder), settings_(settings), reads_(reads) {}

    int build() {
        if (!has_mask()) return -1;
        begin_mask_stage();
        std::vector<int> added;
        if (settings_.mask == MaskKind::tensor || (builder_.has("mask") && settings_.mask != MaskKind::none)) {
            added.push_back(builder_.leaf("mask", "mask is \"tensor\"",
                                          of_scores(Role::mask, "added to the score of {row} for {col}", false)));
        }
        if (has_position_bias()) added.push_back(position_bias());
        return builder_.step("combined_mask", combined_mask(mask_rule()), added,
                             of_scores(Role::mask, "whether {row} may attend to {col}"));
    }

  private:
    Presentation of_scores(Role role, std::string meaning, bool folded = true) const {
        return between_queries_and_keys(role, std::move(meaning), reads_.column, folded);
    }

    bool has_position_bias() const {
        return settings_.position == Position::alibi || settings_.position == Position::relative_bias;
    }

    int position_bias() {
        const Shape& scores = reads_.scores;
        const std::string meaning = "what the distance from {row} to {col} adds to the score";
        if (settings_.position == Position::alibi) {
            return builder_.step("position_bias", alibi(settings_.n_heads, scores.rows, scores.cols, n_past(builder_)),
                                 {}, of_scores(Role::mask, meaning));
        }
        Presentation shown = presentation(Role::weight_matrix, Axis::heads, Axis::distances,
                                          "what {row} adds to the score of a key that is {col} away");
        shown.column = reads_.column;
        const int table = builder_.leaf("relative_bias", "position is \"relative_bias\"", shown);
        if (!builder_.failed() && builder_.shape(table).rows != settings_.n_heads) {
            builder_.fail(count_of(builder_.node(table).name, builder_.shape(table).rows, "row") + " but n_heads is " +
                          std::to_string(settings_.n_heads));
        }
        return builder_.step("position_bias", relative_bias(scores.rows, scores.cols, n_past(builder_)), {table},
                             of_scores(Role::mask, meaning));
    }

    bool has_mask() const {
        return settings_.mask != MaskKind::none || !settings_.document_lengths.empty() || settings_.nonpad_keys ||
               has_position_bias();
    }

    MaskRule mask_rule() const {
        const Shape& scores = reads_.scores;
        MaskRule rule;
        const bool is_window = settings_.mask == MaskKind::sliding_window;
        const bool is_causal = settings_.mask == MaskKind::causal || settings_.mask == MaskKind::prefix;
        if (is_window) rule.n_seen = settings_.window;
        if (is_causal) rule.n_seen = kAllBefore;
        if (settings_.mask == MaskKind::prefix) rule.prefix = settings_.prefix.value_or(0);
        rule.n_queries = scores.rows;
        rule.n_keys = scores.cols;
        rule.n_past = n_past(builder_);
        rule.document_lengths = settings_.document_lengths;
        rule.nonpad_keys = settings_.nonpad_keys;
        rule.n_heads = settings_.n_heads;
        return rule;
    }

    void begin_mask_stage() {
        const bool looks_back = settings_.mask == MaskKind::causal || settings_.mask == MaskKind::sliding_window ||
                                settings_.mask == MaskKind::prefix;
        builder_.stage(settings_.mask == MaskKind::none && has_position_bias() ? "Add what distance says" : "Mask",
                       looks_back                           ? "A token may not look at tokens that come after it."
                       : settings_.mask == MaskKind::tensor ? "The document's own mask is added to the scores."
                       : settings_.document_lengths.empty() && !settings_.nonpad_keys
                           ? "How far apart query and key stand is added to their score."
                           : "A token may look only at keys of its own document, and not at padding.");
    }

    ProgramBuilder& builder_;
    const AttentionSettings& settings_;
    const MaskReads& reads_;
};

} // namespace

Presentation between_queries_and_keys(Role role, std::string meaning, int column, bool folded) {
    Presentation shown = between_tokens(role, std::move(meaning));
    shown.planes = Axis::heads;
    shown.column = column;
    shown.folded = folded;
    return shown;
}

int build_mask(ProgramBuilder& builder, const AttentionSettings& settings, const MaskReads& reads) {
    return AttentionMask(builder, settings, reads).build();
}

} // namespace lab
