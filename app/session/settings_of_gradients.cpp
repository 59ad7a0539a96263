#include <algorithm>

#include "app/session/setting_parts.h"
#include "app/session/sizes.h"
#include "engine/gradient.h"
#include "engine/program_layout.h"

namespace lab {

namespace {

enum class TargetKind { off, number, row, sum, distance, word }; // in the order of the choices
constexpr const char* kLogProbabilities = "log_probabilities";
constexpr std::size_t kMostWords = 64; // of a list

// The target as it stands, or as it would be of another kind or tensor: text that read_gradient_target takes.
class Target {
  public:
    Target(const Document& document, const Program& program) : document_(document), program_(program) {
        const Result<GradientTarget> target = read_gradient_target(document.gradient, document.vocabulary);
        tensor_ = last_tensor();
        if (document.gradient.empty() || !target || program.find(target->tensor) < 0) return;
        tensor_ = target->tensor;
        kind_ = kind_of(*target);
        index_ = target->index;
    }

    TargetKind kind() const { return kind_; }
    const std::string& tensor() const { return tensor_; }
    Shape shape() const { return program_.node(program_.find(tensor_)).shape; }

    // One of the index numbers, within the tensor: 0 where the target has none. 0 is the head's place, 1 the row's, 2 the column's.
    int at(int axis) const {
        const int place = axis - (3 - shape().rank);
        if (place < 0 || place >= static_cast<int>(index_.size())) return 0;
        return std::clamp(index_[static_cast<std::size_t>(place)], 0, extent(axis) - 1);
    }
    int extent(int axis) const {
        const Shape now = shape();
        return axis == 0 ? now.planes : axis == 1 ? now.rows : now.cols;
    }

    Target of_kind(TargetKind kind) const {
        return with([&](Target& to) { to.kind_ = kind; });
    }
    Target of_tensor(const std::string& tensor) const {
        return with([&](Target& to) { to.tensor_ = tensor; });
    }
    Target moved(int axis, int place) const {
        return with([&](Target& to) {
            const int cells[] = {at(0), at(1), at(2)};
            to.index_.assign(cells + (3 - shape().rank), cells + 3);
            to.index_[static_cast<std::size_t>(axis - (3 - shape().rank))] = place;
        });
    }

    std::string text() const {
        if (kind_ == TargetKind::off) return {};
        if (kind_ == TargetKind::sum) return "sum(" + tensor_ + ")";
        if (kind_ == TargetKind::distance) return "distance(" + tensor_ + ")";
        if (kind_ == TargetKind::word) return of_word(at_row(), 0);
        std::string places;
        for (int axis = 3 - shape().rank; axis < 3; ++axis) {
            const bool is_whole = kind_ == TargetKind::row && axis == 2;
            places += (places.empty() ? "" : ",") + (is_whole ? ":" : std::to_string(at(axis)));
        }
        return tensor_ + "[" + places + "]";
    }

    // The log-probability of a word after a row.
    std::string of_word(int row, int word) const {
        const auto& words = document_.vocabulary;
        const auto place = static_cast<std::size_t>(word);
        return "logprob(" + std::to_string(row) + "," + (place < words.size() ? words[place] : std::to_string(word)) +
               ")";
    }
    int at_row() const { return tensor_ == kLogProbabilities ? at(1) : 0; }
    int word() const { return tensor_ == kLogProbabilities ? at(2) : 0; }

  private:
    template <class Change> Target with(Change change) const {
        Target to = *this;
        change(to);
        return to;
    }

    TargetKind kind_of(const GradientTarget& target) const {
        if (target.kind == GradientTarget::Kind::distance) return TargetKind::distance;
        if (target.index.empty()) return TargetKind::sum;
        if (target.index.back() == GradientTarget::kWholeRow) return TargetKind::row;
        return document_.gradient.find("logprob") != std::string::npos ? TargetKind::word : TargetKind::number;
    }

    std::string last_tensor() const {
        std::string name = program_.nodes.front().name;
        for (const Node& node : program_.nodes) {
            // Rows of weights and probabilities sum to 1, whatever is changed.
            const bool has_slopes = node.presentation.role != Role::weighted_values && !node.presentation.non_negative;
            if (!node.is_leaf() && has_slopes) name = node.name;
        }
        return name;
    }

    const Document& document_;
    const Program& program_;
    TargetKind kind_ = TargetKind::off;
    std::string tensor_;
    std::vector<int> index_;
};

SettingChoice choice_of(const Document& document, std::pair<std::string, std::string> words,
                        const std::string& target) {
    return {std::move(words.first), std::move(words.second), document.attention, {SetGradient{target}}};
}

Setting kinds(const Document& document, const Program& program, const Target& target) {
    constexpr std::pair<const char*, const char*> kWords[] = {
        {"off", "No gradient is taken."},
        {"a number", "How every number pulls on one number of a tensor."},
        {"a row", "How every number pulls on the sum of a row."},
        {"the sum", "How every number pulls on all of a tensor at once."},
        {"the distance to a target",
         "How every number moves a tensor away from the tensor target, which you can edit."},
        {"a word's log-probability", "How every number makes a word more or less probable as the next one."}};
    Setting setting;
    setting.title = "Gradient of";
    const bool has_words = program.find(kLogProbabilities) >= 0;
    for (const TargetKind kind : {TargetKind::off, TargetKind::number, TargetKind::row, TargetKind::sum,
                                  TargetKind::distance, TargetKind::word}) {
        if (kind == TargetKind::word && !has_words) continue;
        const bool is_chosen = kind == target.kind();
        setting.choices.push_back(choice_of(document, kWords[static_cast<std::size_t>(kind)],
                                            is_chosen ? document.gradient : target.of_kind(kind).text()));
    }
    setting.chosen = static_cast<int>(target.kind());
    return setting;
}

SettingNumber place_of(const Target& target, int axis, const char* title) {
    SettingNumber number{
        title, static_cast<double>(target.at(axis)), 0, static_cast<double>(target.extent(axis) - 1), true, true, false,
        {}};
    const auto texts = [&] {
        std::vector<std::string> all;
        for (int place = 0; place < target.extent(axis); ++place) all.push_back(target.moved(axis, place).text());
        return all;
    }();
    number.edit = [texts](double place) -> Command { return SetGradient{texts[static_cast<std::size_t>(place)]}; };
    return number;
}

void add_number(Setting& setting, SettingNumber number) {
    if (setting.number)
        setting.more_numbers.push_back(std::move(number));
    else
        setting.number = std::move(number);
}

// Which tensor, and which of its cells.
Setting tensors(const Document& document, const Program& program, const Target& target) {
    Setting setting;
    setting.title = "Tensor";
    for (int i = 0; i < static_cast<int>(program.nodes.size()); ++i) {
        const Node& node = program.node(i);
        if (node.name == target.tensor())
            setting.chosen = static_cast<int>(setting.choices.size());
        else if (node.is_leaf() || node.presentation.role == Role::weighted_values)
            continue;
        setting.choices.push_back(
            choice_of(document, {node.name, program.formula(i)}, target.of_tensor(node.name).text()));
    }
    const bool is_row = target.kind() == TargetKind::row;
    if (target.kind() != TargetKind::number && !is_row) return setting;
    constexpr const char* kTitles[] = {"head, from 0", "row, from 0", "column, from 0"};
    for (int axis = 3 - target.shape().rank; axis < (is_row ? 2 : 3); ++axis)
        add_number(setting, place_of(target, axis, kTitles[axis]));
    return setting;
}

Setting words(const Document& document, const Program& program, const Target& target) {
    Setting setting;
    setting.title = "Word";
    const auto n_words = static_cast<std::size_t>(program.node(program.find(kLogProbabilities)).shape.cols);
    for (std::size_t word = 0; word < std::min(n_words, kMostWords); ++word) {
        const std::string title = word < document.vocabulary.size() ? document.vocabulary[word] : std::to_string(word);
        setting.choices.push_back(choice_of(document, {title, "As the word that comes next."},
                                            target.of_word(target.at_row(), static_cast<int>(word))));
    }
    setting.chosen = std::min(target.word(), static_cast<int>(setting.choices.size()) - 1);
    SettingNumber row{"after row, from 0",
                      static_cast<double>(target.at_row()),
                      0,
                      static_cast<double>(target.extent(1) - 1),
                      true,
                      true,
                      false,
                      {}};
    std::vector<std::string> texts;
    for (int i = 0; i < target.extent(1); ++i) texts.push_back(target.of_word(i, target.word()));
    row.edit = [texts](double place) -> Command { return SetGradient{texts[static_cast<std::size_t>(place)]}; };
    setting.number = std::move(row);
    return setting;
}

} // namespace

SettingGroup settings_of_gradients(const Document& document) {
    SettingGroup group{"Gradients", "off", {}};
    const Result<Program> program = build_program(document.attention, document.shapes());
    if (!program || program->nodes.empty()) return group;
    const Target target(document, *program);
    group.settings.push_back(kinds(document, *program, target));
    if (target.kind() == TargetKind::off) return group;
    group.state = target.kind() == TargetKind::word ? "gradient of a word" : "gradient of " + target.tensor();
    group.settings.push_back(target.kind() == TargetKind::word ? words(document, *program, target)
                                                               : tensors(document, *program, target));
    return group;
}

} // namespace lab
