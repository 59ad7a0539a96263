#include "app/views/color_spans.h"

namespace lab {

ColorSpans::Span ColorSpans::of(const Trace& trace, int node, bool has_typical) {
    const Shape& shape = trace.program().node(node).shape;
    const Span known{trace.extent(node), has_typical ? trace.typical_magnitude(node) : 0};
    Kept& kept = kept_[trace.program().node(node).name];
    const bool is_all = trace.is_complete() || (trace.is_stored(node) && !trace.is_pending(node));
    if (is_all) kept = {shape, known};
    if (is_all || kept.shape != shape) return known;
    ExtentSum all;
    all.add(kept.span.extent);
    if (trace.has_seen_finite(node)) all.add(known.extent);
    kept.span.extent = all.extent();
    return kept.span;
}

} // namespace lab
