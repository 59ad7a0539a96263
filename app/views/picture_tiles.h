#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/views/point_estimates.h"
#include "app/views/texel_source.h"
#include "app/widgets/value_texture.h"
#include "engine/overview.h"

namespace lab {

// A part of a picture: texels of a level. It keeps what it shows until the
// numbers that take its place are there.
class PictureTile {
  public:
    static constexpr int kSide = 256;                // texels; those at the edges are smaller
    static constexpr int kMostCellsAtOnce = 1 << 16; // that are read together, before the clock is looked at

    PictureTile(int n_rows, int n_cols, RetiredTextures& retired);

    // Texels whose numbers are others now.
    void mark(Range rows, Range cols);
    bool is_fresh() const { return stale_.empty(); }
    bool is_whole() const { return is_whole_; }    // all of it can be shown, be it as it was before
    double n_cells_left(PictureLevel level) const; // to be read until it is fresh

    // The texels that are read next.
    Range next_rows(PictureLevel level) const { return next_part(level).rows; }

    struct Part {
        Range rows, cols;
    };
    // Reads some of what is not fresh; `read` writes the texels of rows and columns. Returns what was read.
    template <class Read> Part refresh(PictureLevel level, Read read) {
        const Part part = take_part(level);
        const std::unique_ptr<float[]> values = room_for(part);
        read(part.rows, part.cols, values.get());
        const std::vector<RowSpan> spans = texture.write(box_of(part), values.get());
        if (part.cols == whole().cols)
            measure_whole(part.rows, values.get(), spans);
        else
            measure(part.rows);
        return part;
    }

    // While rows are computed for seconds, what their points will say is estimated (PointEstimates), a strip at a time; `sample` writes
    // samples of rows and columns. To be noted of every part that is read.
    template <class Sample> void note_samples(const Part& part, PointEstimates::By by, Sample sample) {
        const std::unique_ptr<float[]> samples = room_for(part);
        sample(part.rows, part.cols, samples.get());
        keep_samples(part, by, samples.get());
    }
    void forget_samples() { estimates_.clear(); }
    bool may_estimate() const {
        return is_whole_ && !is_fresh() && n_strips_estimated_ < n_strips() && !estimates_.empty();
    }
    template <class Sample> void estimate(PointEstimates::By by, Sample sample) {
        const Part strip = take_strip();
        if (strip.rows.empty()) return;
        const std::unique_ptr<float[]> samples = room_for(strip);
        sample(strip.rows, strip.cols, samples.get());
        follow_samples(strip, by, samples.get());
    }
    // Of what takes long to read and shows nothing yet: samples, a strip at a time from above, until that is read. Colours do not run
    // over them: they are farther apart.
    bool may_begin_with_samples() const { return !is_whole_ && n_strips_begun_ < n_strips(); }
    template <class Sample> void begin_with_samples(Sample sample) {
        const Part strip{rows_of_strip(n_strips_begun_++), whole().cols};
        const std::unique_ptr<float[]> samples = room_for(strip);
        sample(strip.rows, strip.cols, samples.get());
        change_stale(strip, samples.get(), [](std::size_t, float of_sample, float) { return of_sample; });
        is_whole_ = n_strips_begun_ == n_strips();
    }
    bool shows_estimates() const { return shows_estimates_ && !is_fresh(); }

    const std::vector<ExtentSum>& row_extents() const { return extents_; } // of what was read

    ValueTexture texture;
    int used_in_frame = 0;
    int waits_since = 0;    // the frame in which it was last fresh or read
    int n_th_estimated = 0; // when some of it was last estimated, as the store counts

    std::size_t n_bytes() const { return texture.n_bytes() + estimates_.n_bytes(); }

  private:
    static constexpr int kStrip = 4; // rows of texels that are estimated together
    int n_strips() const { return (texture.n_rows() + kStrip - 1) / kStrip; }
    Range rows_of_strip(int index) const { return {index * kStrip, std::min((index + 1) * kStrip, texture.n_rows())}; }
    Part take_strip();
    using Change = std::function<float(std::size_t point, float sample, float shown)>;
    void change_stale(const Part& strip, const float* samples, const Change& change);
    void keep_samples(const Part& part, PointEstimates::By by, const float* samples);
    void follow_samples(const Part& strip, PointEstimates::By by, const float* samples);
    bool is_stale(int row) const;

    // Its values are yet to be written.
    static std::unique_ptr<float[]> room_for(const Part& part) {
        return std::unique_ptr<float[]>(
            new float[static_cast<std::size_t>(part.rows.size()) * static_cast<std::size_t>(part.cols.size())]);
    }
    static ValueTexture::Box box_of(const Part& part) {
        return {part.rows.begin, part.cols.begin, part.rows.size(), part.cols.size()};
    }
    void mark_all();
    void measure(Range rows);
    void measure_whole(Range rows, const float* values, const std::vector<RowSpan>& spans); // rows that were read whole
    Part next_part(PictureLevel level) const;
    Part take_part(PictureLevel level);
    Part whole() const { return {{0, texture.n_rows()}, {0, texture.n_cols()}}; }

    std::vector<Part> stale_;
    std::vector<ExtentSum> extents_; // of its rows
    bool is_whole_ = false;

    PointEstimates estimates_;
    int next_strip_ = 0;         // in the order of take_strip
    int n_strips_estimated_ = 0; // since numbers became others
    int n_strips_begun_ = 0;     // with samples, since it is there
    bool shows_estimates_ = false;
};

// One matrix as tiles.
class TiledPicture {
  public:
    // What it shows. Where only the query is another, it shows what was there until the new numbers are. Of another reduction
    // only texels that stand for single cells stay: what is seen is what is named. Of all else the tiles are new.
    struct Content {
        int opening = 0; // of the document, as Lab counts them
        std::optional<int> query;
        std::vector<int> heads; // that are taken together
        bool is_maximum = false;
        int n_rows = 0, n_cols = 0;
        Reduction reduction = Reduction::maximum;
        bool operator==(const Content&) const = default;
    };
    struct Place {
        PictureLevel level;
        int row = 0, col = 0; // of tiles
        auto operator<=>(const Place&) const = default;
    };

    void show(const Content& content);
    void change(Range rows, Range cols); // cells whose numbers are others now
    void change_all() { change({0, content_.n_rows}, {0, content_.n_cols}); }

    const Content& content() const { return content_; }
    PictureTile* find(Place place);
    // Whether a tile that shows the same from farther away is as it should be.
    bool is_shown_from_afar(Place place) const;
    PictureTile& make(Place place, RetiredTextures& retired);
    using Tiles = std::map<Place, std::unique_ptr<PictureTile>>;
    Tiles& tiles() { return tiles_; }
    const Tiles& tiles() const { return tiles_; }

    // Of all rows of texels with a number in tiles of the level that were drawn now or hold numbers as they are.
    std::vector<Extent> row_extents(PictureLevel level) const;

    int seen_update = 0; // of Lab's, as it counts them
    int drawn_in_frame = -1;
    PictureLevel level;            // when it was drawn last
    std::string span;              // whose colours it has, by name
    bool spans_points = false;     // whether these run over what its points show, rather than over all cells
    bool has_other_numbers = true; // than at the end of the frame before

  private:
    Content content_;
    Tiles tiles_;
};

} // namespace lab
