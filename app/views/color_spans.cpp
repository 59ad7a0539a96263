#include "app/views/color_spans.h"

namespace lab {

ColorSpans::Span ColorSpans::of(const Trace& trace, int node) {
    const Shape& shape = trace.program().node(node).shape;
    const Span known{trace.extent(node), trace.typical_magnitude(node)};
    Kept& kept = kept_[trace.program().node(node).name];
    if (trace.is_complete()) kept = {shape, known};
    if (trace.is_complete() || kept.shape != shape) return known;
    ExtentSum all;
    all.add(kept.span.extent);
    if (trace.has_seen_finite(node)) all.add(known.extent);
    kept.span.extent = all.extent();
    return kept.span;
}

} // namespace lab
