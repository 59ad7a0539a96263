#include "app/session/history.h"

#include <iterator>
#include <utility>

namespace lab {

namespace {

// What a document holds that `other` does not. Tiles and lists of words are shared.
std::size_t bytes_not_shared(const Document& document, const Document& other) {
    std::size_t bytes = sizeof document + document.title.size() + document.unknown_keys.size() +
                        document.tokens.bytes_not_shared_with(other.tokens) +
                        document.context_tokens.bytes_not_shared_with(other.context_tokens) +
                        document.vocabulary.bytes_not_shared_with(other.vocabulary);
    for (const auto& [name, tensor] : document.tensors) {
        const auto twin = other.tensors.find(name);
        bytes += tensor.bytes_not_shared_with(twin == other.tensors.end() ? Tensor() : twin->second);
    }
    return bytes;
}

bool is_same(const HistoryState& a, const HistoryState& b) {
    return a.preset == b.preset && bit_equal(a.document, b.document);
}

} // namespace

History::History(HistoryState first, std::size_t most_bytes) : most_bytes_(most_bytes) {
    steps_.push_back({std::move(first), {}, 0, 0});
}

void History::commit(HistoryState state, std::string label, std::uint64_t gesture) {
    if (is_same(state, present())) return;
    const bool continues = gesture != 0 && present_ > 0 && !can_redo() && steps_.back().gesture == gesture;
    if (continues) {
        steps_.pop_back();
        --present_;
        if (is_same(state, present())) return return_undone();
    } else {
        set_undone_aside();
    }
    if (gesture == 0) undone_before_gesture_.clear();
    steps_.back().bytes = bytes_not_shared(present().document, state.document);
    steps_.push_back({std::move(state), std::move(label), gesture, 0});
    ++present_;
    forget_the_oldest();
}

void History::set_undone_aside() {
    const auto undone = steps_.begin() + static_cast<std::ptrdiff_t>(present_) + 1;
    undone_before_gesture_.assign(std::make_move_iterator(undone), std::make_move_iterator(steps_.end()));
    steps_.erase(undone, steps_.end());
}

void History::return_undone() {
    std::deque<Step> undone = std::exchange(undone_before_gesture_, {});
    steps_.back().bytes = undone.empty() ? 0 : bytes_not_shared(present().document, undone.front().state.document);
    for (Step& step : undone) steps_.push_back(std::move(step));
}

void History::forget_the_oldest() {
    if (bytes_held() > most_bytes_) undone_before_gesture_.clear();
    while (present_ > 1 && bytes_held() > most_bytes_) {
        steps_.pop_front();
        --present_;
    }
}

bool History::undo() {
    if (!can_undo()) return false;
    --present_;
    return true;
}

bool History::redo() {
    if (!can_redo()) return false;
    ++present_;
    return true;
}

std::string History::undo_label() const { return can_undo() ? steps_[present_].label : std::string(); }

std::string History::redo_label() const { return can_redo() ? steps_[present_ + 1].label : std::string(); }

std::size_t History::bytes_held() const {
    std::size_t bytes = 0;
    for (const Step& step : steps_) bytes += step.bytes;
    for (const Step& step : undone_before_gesture_) bytes += step.bytes;
    return bytes;
}

} // namespace lab
