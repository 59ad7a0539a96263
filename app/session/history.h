#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>

#include "engine/document.h"

namespace lab {

// A document and where it came from.
struct HistoryState {
    Document document;
    std::string preset; // the worked example that it was opened from, however edited since; or empty
    int opening = 0;    // the number of the opened document that it descends from
};

// What undo and redo walk over: whole states, which share all tiles that an edit left alone.
//
// Bounded by what it holds beyond the last document: when that is more than `most_bytes`, the oldest make way.
// At least one step back is always kept.
class History {
  public:
    static constexpr std::size_t kMostBytes = (sizeof(void*) == 4 ? 64u : 256u) << 20; // less where memory is small

    explicit History(HistoryState first, std::size_t most_bytes = kMostBytes);

    const HistoryState& present() const { return steps_[present_].state; }
    const HistoryState& oldest() const { return steps_.front().state; }

    // Makes `state` the present one; what had been undone is gone. Nothing happens where no bit is different.
    // gesture  commits with one nonzero gesture, with nothing between them, become one step (a drag); a drag that
    //          ends where it began leaves none, and what had been undone before it can be done again
    void commit(HistoryState state, std::string label, std::uint64_t gesture = 0);

    bool undo(); // false if there is nothing to undo
    bool redo();
    bool can_undo() const { return present_ > 0; }
    bool can_redo() const { return present_ + 1 < steps_.size(); }
    std::string undo_label() const; // what undo takes back: "change inputs[journey, d₁]"; or empty
    std::string redo_label() const;

    std::size_t bytes_held() const; // bytes of tiles and words that each state does not share with the one after it

  private:
    struct Step {
        HistoryState state;
        std::string label; // of the edit that led here
        std::uint64_t gesture = 0;
        std::size_t bytes = 0; // not shared with the step after; 0 for the last
    };

    void set_undone_aside();
    void return_undone();
    void forget_the_oldest();

    std::deque<Step> steps_;
    std::deque<Step> undone_before_gesture_; // of the last step: it may still end where it began
    std::size_t present_ = 0;
    std::size_t most_bytes_;
};

} // namespace lab
