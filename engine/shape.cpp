#include "engine/shape.h"

namespace lab {

std::vector<int> Shape::dims() const {
    if (rank == 1) return {cols};
    if (rank == 2) return {rows, cols};
    return {planes, rows, cols};
}

std::string Shape::to_text() const {
    std::string text;
    for (int extent : dims()) text += (text.empty() ? "" : " × ") + std::to_string(extent);
    return text;
}

static Range hull(Range a, Range b) { return {std::min(a.begin, b.begin), std::max(a.end, b.end)}; }

Block bounding_block(const Block& a, const Block& b) {
    return {hull(a.planes, b.planes), hull(a.rows, b.rows), hull(a.cols, b.cols)};
}

void Region::add(const Block& block) {
    if (block.empty()) return;
    for (const Block& present : blocks_) {
        if (present.contains(block)) return;
    }
    blocks_.erase(
        std::remove_if(blocks_.begin(), blocks_.end(), [&](const Block& present) { return block.contains(present); }),
        blocks_.end());
    blocks_.push_back(block);
    if (blocks_.size() <= kMaxBlocks) return;
    Block box = blocks_.front();
    for (const Block& present : blocks_) box = bounding_block(box, present);
    blocks_.assign(1, box);
}

void Region::add(const Region& other) {
    for (const Block& block : other.blocks_) add(block);
}

bool Region::contains(Cell cell) const {
    return std::any_of(blocks_.begin(), blocks_.end(), [&](const Block& block) { return block.contains(cell); });
}

} // namespace lab
