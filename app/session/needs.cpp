#include "app/session/needs.h"

#include <algorithm>

#include "app/session/drawing.h"
#include "app/session/resizing.h"
#include "engine/initialisers.h"

namespace lab {

namespace {

const MadeBy kRand{"rand", 123, 0, {}, {}};
const MadeBy kRandn{"randn", 123, 0, {}, {}};
const MadeBy kLinear{"linear", 123, 0, {}, {}};
const MadeBy kZeros{"zeros", 0, 0, {}, {}};
const MadeBy kOnes{"constant", 0, 0, 1.0f, {}};

int usual_hidden_width(int d_in) { return std::min(4 * d_in, kMostWidth); }

// Lists what a document needs, in the order in which a notebook draws it.
class Needs {
  public:
    explicit Needs(const Document& document)
        : document_(document), settings_(document.attention), d_in_(input_width(document)) {}

    std::vector<Need> list() {
        for (const std::string& prefix : block_prefixes(settings_)) {
            prefix_ = prefix;
            list_projections();
            list_attention();
            if (settings_.blocks.n > 0) list_block();
        }
        prefix_.clear();
        list_model();
        return std::move(needs_);
    }

    bool needs_outputs() {
        const std::vector<std::string> prefixes = block_prefixes(settings_);
        return std::any_of(prefixes.begin(), prefixes.end(), [&](const std::string& prefix) {
            prefix_ = prefix;
            d_v_ = head_width(value_width);
            return needs_output_projection();
        });
    }

  private:
    bool has(const std::string& name) const { return has_tensor(document_, prefix_ + name); }
    const Shape& given(const std::string& name) const { return document_.tensors.at(prefix_ + name).shape(); }

    void need(const std::string& name, const Shape& shape, MadeBy how) {
        if (find_initialiser(how.init)->needs_seed) {
            how.skip = skip_;
            skip_ += static_cast<std::int64_t>(draws(how, shape));
        }
        needs_.push_back({prefix_ + name, shape, how});
    }

    void fit_if_given(const std::string& name, const Shape& shape) {
        if (has(name)) needs_.push_back({prefix_ + name, shape, kZeros});
    }

    // As the first block's is filled, where it is filled by a name.
    MadeBy how_projections_are_drawn() const {
        const auto first = document_.made_by.find(block_prefixes(settings_).front() + "W_query");
        const bool is_linear = first != document_.made_by.end() && first->second.init == "linear";
        return is_linear ? kLinear : kRand;
    }

    int head_width(std::optional<int> (*width)(const Document&, const std::string&)) const {
        const std::optional<int> own = width(document_, prefix_);
        const std::optional<int> first = own ? own : width(document_, block_prefixes(settings_).front());
        return first.value_or(usual_projection_width(d_in_));
    }

    void list_projection(const std::string& branch, int n_heads, int width) {
        const std::string name = "W_" + branch;
        Shape shape = has(name) ? given(name) : Shape::matrix(d_in_, n_heads * width);
        shape.rows = d_in_;
        need(name, shape, how_projections_are_drawn());
        fit_if_given("b_" + branch, Shape::vector(shape.planes * shape.cols));
    }

    void list_projections() {
        d_v_ = head_width(value_width);
        if (!settings_.projections || is_given_directly(document_)) return;
        const int d_k = head_width(key_width);
        list_projection("query", settings_.n_heads, d_k);
        list_projection("key", n_groups(settings_), d_k);
        list_projection("value", n_groups(settings_), d_v_);
    }

    // Whether the rows that leave the attention must be as wide as the inputs, or one row per token at least.
    bool needs_output_projection() const {
        const bool is_read = settings_.blocks.final_norm || settings_.blocks.unembedding != Unembedding::none;
        if (is_one_stream(settings_)) return joined() != d_in_ || (prefix_.empty() && settings_.n_heads > 1);
        return is_read && settings_.n_heads > 1;
    }

    int joined() const { return settings_.n_heads * d_v_; }

    void list_attention() {
        const std::string first = block_prefixes(settings_).front();
        if (n_past(document_) > 0) {
            need("past_keys", past_shape(document_, false, head_width(key_width)), kRand);
            need("past_values", past_shape(document_, true, d_v_), kRand);
        }
        if (settings_.position == Position::relative_bias) {
            constexpr int kReach = 3;
            const int n_distances = has("relative_bias") ? given("relative_bias").cols : 2 * kReach + 1;
            need("relative_bias", Shape::matrix(settings_.n_heads, n_distances), kRandn);
        }
        if (settings_.sink) need("sink", Shape::vector(settings_.n_heads), kZeros);
        const bool must_match = is_one_stream(settings_);
        d_out_ = joined();
        if (has("W_output") || has_tensor(document_, first + "W_output") || needs_output_projection()) {
            d_out_ = has("W_output") && !must_match ? given("W_output").cols : d_in_ > 0 ? d_in_ : joined();
            need("W_output", Shape::matrix(joined(), d_out_), kLinear);
            fit_if_given("b_output", Shape::vector(d_out_));
        }
    }

    void list_norm(const std::string& name) {
        need(name + "_gain", Shape::vector(d_in_), kOnes);
        fit_if_given(name + "_bias", Shape::vector(d_in_));
    }

    void list_block() {
        const Blocks& blocks = settings_.blocks;
        if (blocks.norm != Norm::none) list_norm("attention_norm");
        if (blocks.mlp == Mlp::none) return;
        if (blocks.norm != Norm::none) list_norm("mlp_norm");
        const std::string first = prefix_of_block(0) + "W_up";
        const int d_ff = has("W_up")                    ? given("W_up").cols
                         : has_tensor(document_, first) ? document_.tensors.at(first).shape().cols
                                                        : usual_hidden_width(d_in_);
        list_linear("up", d_in_, d_ff);
        if (blocks.mlp == Mlp::silu_gated) list_linear("gate", d_in_, d_ff);
        list_linear("down", d_ff, d_in_);
    }

    void list_linear(const std::string& name, int n_rows, int n_cols) {
        need("W_" + name, Shape::matrix(n_rows, n_cols), kLinear);
        fit_if_given("b_" + name, Shape::vector(n_cols));
    }

    void list_model() {
        const Blocks& blocks = settings_.blocks;
        const int d_model = blocks.n > 0 ? d_in_ : d_out_;
        if (settings_.position == Position::learned && !is_given_directly(document_)) {
            const int n_places = n_past(document_) + n_queries(document_);
            const int n_rows = has("W_position") ? std::max(n_places, given("W_position").rows) : n_places;
            needs_.push_back({"W_position", Shape::matrix(n_rows, d_in_), how_positions_are_drawn()});
        }
        if (blocks.final_norm && blocks.norm != Norm::none) {
            need("final_norm_gain", Shape::vector(d_model), kOnes);
            fit_if_given("final_norm_bias", Shape::vector(d_model));
        }
        if (blocks.unembedding == Unembedding::own) {
            const int n_words = has("W_unembedding") ? given("W_unembedding").cols
                                : has("W_embedding") ? given("W_embedding").rows
                                                     : static_cast<int>(document_.vocabulary.size());
            need("W_unembedding", Shape::matrix(d_model, n_words), kLinear);
            fit_if_given("b_unembedding", Shape::vector(n_words));
        }
    }

    // After the table of the tokens, as a notebook draws both; their first rows would be alike else.
    MadeBy how_positions_are_drawn() const {
        MadeBy how = kRandn;
        for (const char* name : {"inputs", "W_embedding"}) {
            const auto table = document_.made_by.find(name);
            if (table == document_.made_by.end() || table->second.init != "embedding") continue;
            how.seed = table->second.seed;
            how.skip = table->second.skip + static_cast<std::int64_t>(draws(table->second, {1, 1, d_in_, 2}));
        }
        return how;
    }

    const Document& document_;
    const AttentionSettings& settings_;
    int d_in_;
    int d_v_ = 1;
    int d_out_ = 1; // of what leaves the bare attention
    std::int64_t skip_ = 0;
    std::string prefix_;
    std::vector<Need> needs_;
};

} // namespace

int usual_projection_width(int d_in) { return d_in >= 2 && d_in <= 4 ? d_in - 1 : d_in; }

std::vector<Need> needs_of(const Document& document) { return Needs(document).list(); }

bool needs_output_projection(const Document& document) { return Needs(document).needs_outputs(); }

} // namespace lab
