#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "app/views/picture_tiles.h"

namespace lab {

// What the colours of pictures span where a texel is the mean of several cells, or the greatest of several that may be below 0 or are
// of many weights: means of many cells lie so close together, and the greatest of many so far above what a single one usually is, that
// on the scale of single cells all would be one colour. While numbers come in it only grows, and it stays as it is as long as one looks
// at the same numbers from as far away, wherever one looks. Seen from farther or nearer points show others: it begins with those that
// are there.
struct PictureSpan {
    PictureLevel level;
    Reduction reduction = Reduction::mean; // what points say
    ExtentSum extent;
    float typical = 0;       // as typical_magnitude has it, of rows of texels
    Extent usual;            // of a row of texels: the medians of the rows' least and greatest
    bool is_settled = false; // all was there at some time since numbers or level became others

    bool is_seen_as(const PictureSpan& drawn) const { return level == drawn.level && reduction == drawn.reduction; }
    bool holds_for(const PictureSpan& drawn) const { return is_settled && is_seen_as(drawn); }
    void follow(const PictureSpan& drawn); // what is drawn now; settled: nothing is missing
};

// A tile that was drawn and is not fresh, and how soon it is to be.
struct PictureJob {
    const TiledPicture* picture = nullptr;
    PictureTile* tile = nullptr;
    TiledPicture::Place place;
    TexelSource source;
    Reduction reduction = Reduction::maximum;
    bool is_at_hand = false;
    float distance = 0; // from where one looks
};

// The pictures of all matrices, by the name of what they show. Those that were drawn keep what they have; of the others
// what was used last, as long as all together take no more than kMostBytes.
class PictureStore {
  public:
    static constexpr std::size_t kMostBytes = 64u << 20; // of textures and their copies in memory
    static constexpr int kMostNewTiles = 24;             // in a frame
    static constexpr double kMostUnasked = 1 << 12;      // stored cells that are read between two looks at the clock

    TiledPicture& picture(const std::string& name, const TiledPicture::Content& content);
    TiledPicture* find(const std::string& name);
    bool may_make_tile() const { return n_new_tiles_ < kMostNewTiles; }
    PictureTile& make_tile(TiledPicture& picture, TiledPicture::Place place);
    void ask_for(const PictureJob& job) { jobs_.push_back(job); }

    // At the end of a frame: refreshes tiles, the most urgent first, for as long as `has_time`, which is asked where enough was read to
    // take time; at least a part of one.
    // True if something is left to be done.
    template <class HasTime> bool work(HasTime has_time) {
        put_in_order();
        if (note_what_is_left()) n_cells_asked_for_ = n_cells_left_;
        bool has_begun = true;
        for (PictureJob& job : jobs_) {
            while (has_begun && may_begin_with_samples(job)) {
                begin_with_samples(job);
                has_begun = has_time();
            }
        }
        bool is_done = true;
        double n_unasked = 0; // cells
        for (PictureJob& job : jobs_) {
            while (is_done && !job.tile->is_fresh() && is_computed(job)) {
                const double n_cells = refresh(job);
                n_unasked += is_quick_to_read(job) ? n_cells : kMostUnasked;
                if (n_unasked < kMostUnasked) continue;
                n_unasked = 0;
                is_done = has_time();
            }
        }
        // In each frame some, be there time or not.
        for (PictureJob* job = next_to_estimate(); job != nullptr; job = is_done ? next_to_estimate() : nullptr) {
            estimate(*job);
            is_done = has_time() && is_done;
        }
        is_done = is_done && has_begun && n_new_tiles_ < kMostNewTiles;
        note_what_is_left();
        measure_spans();
        end_frame();
        return !is_done;
    }

    // 0 to 1, by cells, of what there was to be read when that last became something else, as by an edit or by scrolling.
    double progress() const { return n_cells_left_ > 0 ? 1 - n_cells_left_ / n_cells_asked_for_ : 1; }

    // Of that name, as far as it is known; nullptr where no points of that kind were drawn.
    const PictureSpan* span(const std::string& name) const;
    bool has_other_spans() const { return has_other_spans_; } // than those that this frame was drawn with

    // Of the pictures drawn in this frame the levels at which a texel stands for several cells, finest first.
    std::vector<PictureLevel> levels_drawn() const;

    // Whether of what is drawn in this frame some is estimated, since rows that it stands for are still to be computed or read.
    bool shows_estimates() const;
    bool shows_estimates(const std::string& name) const; // of this one, in this frame or the one before

    // Gives up pictures of other documents.
    void keep_only(int opening);
    std::size_t n_bytes() const;
    bool empty() const { return pictures_.empty(); }

  private:
    void put_in_order();
    bool note_what_is_left(); // true where it is another than when it was noted last
    void measure_spans();
    static bool is_computed(const PictureJob& job);
    static bool is_quick_to_read(const PictureJob& job);
    static double refresh(const PictureJob& job); // returns how many cells it read
    static bool may_begin_with_samples(const PictureJob& job);
    static void begin_with_samples(const PictureJob& job);
    static bool may_estimate(const PictureJob& job);
    PictureJob* next_to_estimate(); // or none
    void estimate(const PictureJob& job);
    void end_frame();
    void give_up_least_used();

    RetiredTextures retired_;
    std::map<std::string, TiledPicture> pictures_;
    std::map<std::string, PictureSpan> spans_;
    bool has_other_spans_ = false;
    std::vector<PictureJob> jobs_;
    std::map<std::pair<const TiledPicture*, TiledPicture::Place>, double> cells_left_; // of tiles that are not fresh
    double n_cells_left_ = 0, n_cells_asked_for_ = 0;
    int n_new_tiles_ = 0;
    int n_estimates_ = 0;
};

} // namespace lab
