#include <algorithm>
#include <limits>

#include "app/session/drawing.h"
#include "app/session/edits.h"
#include "app/session/sizes.h"
#include "app/session/vocabulary.h"
#include "engine/bits.h"
#include "engine/document_tensors.h"
#include "engine/initialisers.h"
#include "engine/nearest_names.h"
#include "engine/tokenizer.h"

namespace lab {

namespace {

std::string place_text(const Shape& shape, Cell cell) {
    const std::string place = std::to_string(cell.row + 1) + ", " + std::to_string(cell.col + 1);
    return shape.rank == 3 ? std::to_string(cell.plane + 1) + ", " + place : place;
}

// Why a tensor cannot be typed into, or nothing.
std::string tensor_error(const Document& document, const std::string& name) {
    if (has_tensor(document, name)) return {};
    const Result<Program> program = build_program(document);
    if (program && program->find(name) >= 0) {
        return name + " is computed; change what it is made from instead";
    }
    std::vector<std::string> given;
    for (const auto& [present, tensor] : document.tensors) given.push_back(present);
    return "the document has no tensor \"" + name + "\" but " + nearest_names_text(name, given);
}

std::string cell_error(const Document& document, const std::string& name, Cell cell) {
    if (std::string error = tensor_error(document, name); !error.empty()) return error;
    const Shape& shape = document.tensors.at(name).shape();
    if (Block::all(shape).contains(cell)) return {};
    return name + " is " + shape.to_text() + " but the cell is at " + place_text(shape, cell);
}

void set_cell(Document& document, const std::string& name, Cell cell, float value) {
    Tensor& tensor = document.tensors.at(name);
    if (bits_of(tensor.at(cell)) == bits_of(value)) return;
    tensor = tensor.with(cell, value);
    document.made_by.erase(name);
}

// Writes all of it at once: cell by cell every number would copy a tile.
void set_block(Tensor& tensor, const SetCells& block) {
    const Shape shape = tensor.shape();
    std::vector<float> values = tensor.values();
    int flat_row = block.at.plane * shape.rows + block.at.row;
    for (const std::vector<float>& row : block.rows) {
        const std::ptrdiff_t begin = static_cast<std::ptrdiff_t>(flat_row++) * shape.cols + block.at.col;
        std::copy(row.begin(), row.end(), values.begin() + begin);
    }
    tensor = Tensor(shape, values);
}

// Fills a tensor that is there, as `how` says.
Result<Done> fill(Document& document, const std::string& name, const MadeBy& how) {
    // An embedding looks tokens up by their ids, so they need a place in the vocabulary.
    if (how.init == "embedding" && name == "inputs") add_to_vocabulary(document, document.tokens);
    const Result<Tensor> made = drawn(document, name, how, document.tensors.at(name).shape());
    if (!made) return Error{name + ": " + made.error()};
    document.tensors[name] = *made;
    document.made_by[name] = how;
    return Done{};
}

// Fills the tensor and moves the generator on.
Result<Done> fill_next(Document& document, const std::string& name, MadeBy& how) {
    Result<Done> done = fill(document, name, how);
    if (done) how.skip += static_cast<std::int64_t>(draws(how, document.tensors.at(name).shape()));
    return done;
}

} // namespace

Result<Document> edited(Document document, const SetCell& command) {
    std::string error = cell_error(document, command.tensor, command.cell);
    if (!error.empty()) return Error{std::move(error)};
    set_cell(document, command.tensor, command.cell, command.value);
    return document;
}

Result<Document> edited(Document document, const SetCells& command) {
    if (command.rows.empty() || command.rows[0].empty())
        return Error{"0 numbers are to be put in but a block has at least 1"};
    const std::size_t n_cols = command.rows[0].size();
    for (std::size_t row = 0; row < command.rows.size(); ++row) {
        const std::size_t n = command.rows[row].size();
        if (n == n_cols) continue;
        return Error{"row 1 has " + std::to_string(n_cols) + " numbers but row " + std::to_string(row + 1) + " has " +
                     std::to_string(n)};
    }
    const Cell first = command.at;
    const Cell last{first.plane, first.row + static_cast<int>(command.rows.size()) - 1,
                    first.col + static_cast<int>(n_cols) - 1};
    for (const Cell& corner : {first, last}) {
        std::string error = cell_error(document, command.tensor, corner);
        if (!error.empty()) return Error{std::move(error)};
    }
    const Tensor before = document.tensors.at(command.tensor);
    set_block(document.tensors.at(command.tensor), command);
    if (!bit_equal(document.tensors.at(command.tensor), before)) document.made_by.erase(command.tensor);
    return document;
}

Result<Document> edited(Document document, const FillTensor& command) {
    std::string error = tensor_error(document, command.tensor);
    if (!error.empty()) return Error{std::move(error)};
    const Result<Done> done = fill(document, command.tensor, command.made_by);
    if (!done) return Error{done.error()};
    return document;
}

Result<Document> edited(Document document, const FillProjections& command) {
    MadeBy how = command.made_by;
    for (const std::string& prefix : block_prefixes(document.attention)) {
        for (const DocumentTensor& known : kDocumentTensors) {
            const DocumentTensor* matrix = find_document_tensor(known.matrix);
            const std::string name = prefix + known.name;
            const bool is_bias_too = matrix != nullptr && matrix->is_input_projection() && how.init == "linear" &&
                                     has_tensor(document, name);
            if (!known.is_input_projection() && !is_bias_too) continue;
            std::string error = tensor_error(document, name);
            if (!error.empty()) return Error{std::move(error)};
            if (Result<Done> done = fill_next(document, name, how); !done) return Error{done.error()};
        }
    }
    return document;
}

Result<Document> edited(Document document, const PaintMask& command) {
    if (const Result<Done> done = use_own_mask(document); !done) return Error{done.error()};
    Tensor& mask = document.tensors.at("mask");
    const Tensor before = mask;
    const Shape& shape = before.shape();
    for (Cell cell : command.cells) {
        if (shape.planes == 1) cell.plane = 0;
        if (!Block::all(shape).contains(cell)) {
            return Error{"mask is " + shape.to_text() + " but the cell is at " + place_text(shape, cell)};
        }
        const bool is_forbidden = mask.at(cell) == -std::numeric_limits<float>::infinity();
        if (command.allowed == is_forbidden)
            mask = mask.with(cell, command.allowed ? 0.0f : -std::numeric_limits<float>::infinity());
    }
    if (!bit_equal(mask, before)) document.made_by.erase("mask");
    return document;
}

Result<Document> edited(Document document, const SetTitle& command) {
    document.title = command.title;
    return document;
}

// By value like the other edits, which change it. NOLINTNEXTLINE(performance-unnecessary-value-param)
Result<Document> edited(Document, const OpenDocument& command) { return command.document; }

} // namespace lab
