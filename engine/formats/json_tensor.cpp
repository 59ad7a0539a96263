#include "engine/formats/json_tensor.h"

#include <algorithm>
#include <limits>

#include "engine/formats/number_text.h"

namespace lab {

namespace {

class TensorReader {
  public:
    TensorReader(Reading& reading, std::string path, bool booleans_mask)
        : reading_(reading), path_(std::move(path)), booleans_mask_(booleans_mask) {}

    bool read(const Json& value) {
        for (const Json* level = &value; level->is_array(); level = &level->front()) {
            if (level->empty()) return reading_.fail(path_ + " is empty but a tensor has at least one number");
            dims_.push_back(level->size());
            if (dims_.size() > 3) return reading_.fail(path_ + " has more than 3 axes but a tensor has at most 3");
        }
        if (dims_.empty()) return reading_.fail(path_ + " is " + describe(value) + " but must be a list of rows");
        const Json* first = &value;
        while (first->is_array()) first = &first->front();
        of_booleans_ = booleans_mask_ && first->is_boolean();
        return read_level(value);
    }

    Tensor tensor() const {
        const auto extent = [this](std::size_t axis) { return static_cast<int>(dims_[axis]); };
        if (dims_.size() == 1) return Tensor(Shape::vector(extent(0)), cells_);
        if (dims_.size() == 2) return Tensor(Shape::matrix(extent(0), extent(1)), cells_);
        return Tensor(Shape::stack(extent(0), extent(1), extent(2)), cells_);
    }

  private:
    bool read_level(const Json& value) {
        const std::size_t level = indices_.size();
        if (level == dims_.size()) return read_cell(value);
        if (!value.is_array()) {
            return reading_.fail(path_here() + " is " + describe(value) + " but " + first_like_this() + " is a list");
        }
        if (value.size() != dims_[level]) {
            const std::string items = level + 1 == dims_.size() ? " number" : " row";
            return reading_.fail(path_here() + " has " + std::to_string(value.size()) + items +
                                 (value.size() == 1 ? "" : "s") + " but " + first_like_this() + " has " +
                                 std::to_string(dims_[level]));
        }
        for (std::size_t i = 0; i < value.size(); ++i) {
            indices_.push_back(i);
            if (!read_level(value[i])) return false;
            indices_.pop_back();
        }
        return true;
    }

    bool read_cell(const Json& value) {
        float cell = 0.0f;
        if (of_booleans_ && value.is_boolean()) {
            cell = value.get<bool>() ? 0.0f : -std::numeric_limits<float>::infinity();
        } else if (of_booleans_ || !value.is_number()) {
            const char* wanted = of_booleans_ ? "true or false" : "a number";
            const bool is_word = !of_booleans_ && value.is_string();
            if (!is_word) return reading_.fail(path_here() + " is " + describe(value) + " but must be " + wanted);
            if (!read_float(reading_, value, path_here(), cell)) return false;
        } else if (!read_float(reading_, value, number_path(value), cell)) {
            return false;
        }
        cells_.push_back(cell);
        return true;
    }

    // The path is text that only an error needs: not made for each of a million good numbers.
    std::string number_path(const Json& value) const {
        const double wide = value.get<double>();
        constexpr double kSurelyFine = 1e38;
        return wide < kSurelyFine && wide > -kSurelyFine ? std::string() : path_here();
    }

    std::string path_here() const {
        std::string path = path_;
        for (std::size_t index : indices_) path += "[" + std::to_string(index) + "]";
        return path;
    }

    std::string first_like_this() const {
        std::string path = path_;
        for (std::size_t i = 0; i < indices_.size(); ++i) path += "[0]";
        return path;
    }

    Reading& reading_;
    std::string path_;
    bool booleans_mask_;
    bool of_booleans_ = false;
    std::vector<std::size_t> dims_;
    std::vector<std::size_t> indices_; // where the value in hand stands
    std::vector<float> cells_;
};

void append_row(std::string& text, std::span<const float> row) {
    text += "[";
    for (std::size_t i = 0; i < row.size(); ++i) (i == 0 ? text : text += ", ") += json_number(row[i]);
    text += "]";
}

void append_plane(std::string& text, const Tensor& tensor, int plane, const std::string& indent) {
    const int n_rows = tensor.shape().rows;
    text += "[";
    for (int row = 0; row < n_rows; ++row) {
        text += (row == 0 ? "\n" : ",\n") + indent + "  ";
        append_row(text, tensor.row(plane * n_rows + row));
    }
    text += "\n" + indent + "]";
}

} // namespace

bool read_tensor(Reading& reading, const Json& value, const std::string& path, bool booleans_mask, Tensor& out) {
    TensorReader reader(reading, path, booleans_mask);
    if (!reader.read(value)) return false;
    out = reader.tensor();
    return true;
}

std::size_t json_size(const std::map<std::string, Tensor>& tensors) {
    constexpr std::size_t kBesideRow = 16; // an indent, and what other rows are longer
    std::size_t size = 0;
    for (const auto& [name, tensor] : tensors) {
        std::string row;
        append_row(row, tensor.row(0));
        size += (row.size() + row.size() / 16 + kBesideRow) * n_flat_rows(tensor.shape());
    }
    return size;
}

void append_json(std::string& text, const Tensor& tensor, const std::string& indent) {
    const Shape& shape = tensor.shape();
    if (shape.rank == 1) return append_row(text, tensor.row(0));
    if (shape.rank == 2) return append_plane(text, tensor, 0, indent);
    text += "[";
    for (int plane = 0; plane < shape.planes; ++plane) {
        text += (plane == 0 ? "\n" : ",\n") + indent + "  ";
        append_plane(text, tensor, plane, indent + "  ");
    }
    text += "\n" + indent + "]";
}

} // namespace lab
