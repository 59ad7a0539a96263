#include "app/session/completing.h"

#include <algorithm>
#include <numeric>

#include "app/session/drawing.h"
#include "app/session/resizing.h"
#include "app/session/vocabulary.h"
#include "engine/initialisers.h"

namespace lab {

namespace {

const MadeBy kRand{"rand", 123, 0, {}, {}};
const MadeBy kRandn{"randn", 123, 0, {}, {}};
const MadeBy kLinear{"linear", 123, 0, {}, {}};
const MadeBy kZeros{"zeros", 0, 0, {}, {}};
const MadeBy kOnes{"constant", 0, 0, 1.0f, {}};

// A tensor that has to be there, of this shape; how it is drawn where it, or a part of it, is new.
struct Need {
    std::string name;
    Shape shape;
    MadeBy how;
};

// As the worked examples have it: 3 → 2, 4 → 3; wide inputs keep their width.
int usual_projection_width(int d_in) { return d_in >= 2 && d_in <= 4 ? d_in - 1 : d_in; }

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

void fit_lengths(std::vector<int>& lengths, int n_keys) {
    if (lengths.empty()) return;
    int missing = n_keys - std::accumulate(lengths.begin(), lengths.end(), 0);
    if (missing > 0) lengths.back() += missing;
    while (missing < 0) {
        const int taken = std::min(-missing, lengths.back());
        lengths.back() -= taken;
        missing += taken;
        if (lengths.back() == 0) lengths.pop_back();
    }
}

void fit_lengths_to_keys(Document& document) {
    AttentionSettings& settings = document.attention;
    fit_lengths(settings.document_lengths, n_keys(document));
    if (settings.nonpad_keys) settings.nonpad_keys = std::min(*settings.nonpad_keys, n_keys(document));
}

// As many rotated dimensions as there is room for.
void fit_rope(Document& document) {
    AttentionSettings& settings = document.attention;
    if (settings.position != Position::rope) return;
    const int d_k =
        key_width(document, block_prefixes(settings).front()).value_or(usual_projection_width(input_width(document)));
    const bool is_odd = !settings.rope.dims && d_k % 2 == 1;
    const bool sticks_out = settings.rope.dims && *settings.rope.dims > d_k;
    if ((is_odd || sticks_out) && d_k > 1) settings.rope.dims = d_k / 2 * 2;
}

// The mask's shape with as many rows and columns as there are queries and keys; nothing where there is none.
std::optional<Places> mask_places(const Document& document) {
    const auto mask = document.tensors.find("mask");
    const bool is_there = mask != document.tensors.end();
    if (!is_there && document.attention.mask != MaskKind::tensor) return {};
    const Shape before = is_there ? mask->second.shape() : Shape::matrix(0, 0);
    return Places{counted(before.planes), counted_up_to(n_queries(document), before.rows),
                  counted_up_to(n_keys(document), before.cols), before.rank};
}

void fit_mask(Document& document, const Places& places) {
    const bool is_there = has_tensor(document, "mask");
    if (is_there && places.shape() == document.tensors.at("mask").shape()) return;
    document.tensors["mask"] = is_there ? rearranged(document.tensors.at("mask"), places) : Tensor(places.shape());
    forget_untrue_made_by(document, "mask");
}

// How it is drawn, after the numbers that other parameters were drawn from with the same seed.
MadeBy beside_other_streams(const Document& document, const Need& need) {
    MadeBy how = need.how;
    if (!find_initialiser(how.init)->needs_seed) return how;
    const auto n = static_cast<std::int64_t>(draws(how, need.shape));
    for (bool has_moved = true; has_moved;) {
        has_moved = false;
        for (const auto& [name, other] : document.made_by) {
            const DocumentTensor* known = find_document_tensor(name);
            const auto tensor = document.tensors.find(name);
            const bool is_parameter = known != nullptr && known->is_parameter() && known->rows != Axis::vocabulary;
            if (!is_parameter || tensor == document.tensors.end() || other.seed != how.seed) continue;
            const std::int64_t end = other.skip + static_cast<std::int64_t>(draws(other, tensor->second.shape()));
            if (end <= how.skip || other.skip >= how.skip + n) continue;
            how.skip = end;
            has_moved = true;
        }
    }
    return how;
}

Result<Done> make(Document& document, const Need& need) {
    const auto found = document.tensors.find(need.name);
    if (found != document.tensors.end() && found->second.shape() == need.shape) return Done{};
    if (found == document.tensors.end()) {
        const MadeBy how = beside_other_streams(document, need);
        const Result<Tensor> made = drawn(document, need.name, how, need.shape);
        if (!made) return Error{need.name + ": " + made.error()};
        document.tensors[need.name] = *made;
        document.made_by[need.name] = how;
        return Done{};
    }
    // Positions go on in the stream that they alone have; others would run into the next tensor's.
    const bool has_own_stream = find_document_tensor(need.name)->rows == Axis::positions;
    const Result<Tensor> made = has_own_stream ? drawn(document, need.name, need.how, need.shape)
                                               : fresh_numbers(document, need.name, need.how, need.shape);
    if (!made) return Error{need.name + ": " + made.error()};
    const Shape before = found->second.shape();
    const Places places{counted_up_to(need.shape.planes, before.planes), counted_up_to(need.shape.rows, before.rows),
                        counted_up_to(need.shape.cols, before.cols), need.shape.rank};
    found->second = rearranged(found->second, places, &*made);
    forget_untrue_made_by(document, need.name);
    return Done{};
}

void prepare_vocabulary(Document& document) {
    const bool has_ids = has_tensor(document, "token_ids");
    const bool is_looked_at = document.attention.blocks.unembedding != Unembedding::none;
    if (!is_looked_at || has_ids || has_tensor(document, "W_unembedding") || n_tokens(document) == 0) return;
    if (document.tokens.empty()) number_tokens(document);
    if (document.vocabulary.empty()) add_to_vocabulary(document, document.tokens);
}

} // namespace

bool needs_output_projection(const Document& document) { return Needs(document).needs_outputs(); }

Result<Done> complete(Document& document) {
    if (document.tensors.empty()) return Done{};
    const bool is_tied = document.attention.blocks.unembedding == Unembedding::tied;
    if (is_tied && has_tensor(document, "inputs")) look_inputs_up(document);
    prepare_vocabulary(document);
    fit_lengths_to_keys(document);
    fit_rope(document);
    const std::vector<Need> needs = Needs(document).list();
    const std::optional<Places> mask = mask_places(document);
    TensorShapes shapes = document.shapes();
    for (const Need& need : needs) shapes[need.name] = need.shape;
    if (mask) shapes["mask"] = mask->shape();
    if (Result<Done> fits = check_shapes(document.attention, shapes); !fits) return fits;
    for (const Need& need : needs) {
        if (Result<Done> made = make(document, need); !made) return made;
    }
    if (mask) fit_mask(document, *mask);
    return Done{};
}

} // namespace lab
