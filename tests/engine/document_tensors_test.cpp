#include "engine/document_tensors.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "tests/engine/labs.h"

namespace lab::test {

namespace {

// What edits resize and reorder by is what the program is built by.
TEST(DocumentTensors, AreWhatTheLeavesOfProgramsSay) {
    std::set<std::string> seen;
    for (const Lab& lab : many_labs()) {
        for (const Node& node : program_of(lab).nodes) {
            if (!node.is_leaf()) continue;
            const auto is_it = [&](const DocumentTensor& known) { return known.name == node.name; };
            const auto known = std::find_if(std::begin(kDocumentTensors), std::end(kDocumentTensors), is_it);
            ASSERT_NE(known, std::end(kDocumentTensors)) << node.name;
            EXPECT_EQ(known->role, node.presentation.role) << node.name;
            EXPECT_EQ(known->rows, node.presentation.rows) << node.name;
            EXPECT_EQ(known->cols, node.presentation.cols) << node.name;
            seen.insert(node.name);
        }
    }
    for (const char* name : {"inputs", "W_query", "b_value", "values", "mask"}) EXPECT_EQ(seen.count(name), 1u) << name;
}

TEST(DocumentTensors, ABiasStandsAfterItsMatrix) {
    for (const DocumentTensor& known : kDocumentTensors) {
        EXPECT_EQ(find_document_tensor(known.name), &known);
        const DocumentTensor* matrix = find_document_tensor(known.matrix);
        ASSERT_EQ(matrix != nullptr, *known.matrix != '\0') << known.name;
        if (matrix == nullptr) continue;
        EXPECT_EQ(known.role, Role::bias) << known.name;
        EXPECT_EQ(matrix + 1, &known);
        EXPECT_EQ(matrix->cols, known.cols) << known.name;
    }
    EXPECT_EQ(find_document_tensor("b_nonsense"), nullptr);
}

TEST(DocumentTensors, ABlocksTensorsCarryItsPrefix) {
    EXPECT_EQ(find_document_tensor("blocks.12.W_query"), find_document_tensor("W_query"));
    EXPECT_EQ(name_in_block("blocks.12.W_query"), "W_query");
    EXPECT_EQ(block_prefix("blocks.12.W_query"), "blocks.12.");
    EXPECT_EQ(block_prefix("W_query"), "");
    for (const char* none : {"blocks.0.inputs", "blocks.01.W_query", "blocks..W_query", "blocks.0W_query", "blocks.1."})
        EXPECT_EQ(find_document_tensor(none), nullptr) << none;
}

TEST(DocumentTensors, WordsNameTheRowsOfTheTensorThatIsThere) {
    Document document;
    EXPECT_EQ(find_named_by(document, RowWords::tokens), nullptr);
    EXPECT_EQ(n_rows_named_by(document, RowWords::tokens), 0);
    document.tensors["queries"] = Tensor(Shape::matrix(2, 3));
    document.tensors["keys"] = Tensor(Shape::matrix(4, 3));
    document.tensors["values"] = Tensor(Shape::matrix(4, 5));
    EXPECT_EQ(n_rows_named_by(document, RowWords::tokens), 2);
    EXPECT_EQ(n_rows_named_by(document, RowWords::context_tokens), 4);
    document.tensors["token_ids"] = Tensor(Shape::vector(7));
    EXPECT_EQ(n_rows_named_by(document, RowWords::tokens), 7) << "a vector has a word for each number";
}

} // namespace

} // namespace lab::test
