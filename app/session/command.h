#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "engine/document.h"
#include "engine/result.h"
#include "engine/shape.h"

namespace lab {

// Every edit of a document is one of these. A view returns them; nothing else changes a document.

// One cell of a tensor that the document gives. Its made_by is dropped: the numbers rule.
struct SetCell {
    std::string tensor;
    Cell cell;
    float value = 0;
};

// A pasted block of rows, whose first number lands in `at`. An error where it sticks out or is ragged.
struct SetCells {
    std::string tensor;
    Cell at;
    std::vector<std::vector<float>> rows;
};

// All settings at once. What they need and the document lacks is made, and what they change follows (completing.h). What
// they do not need (W_* without projections) stays in the document, unused.
//
// n_heads, n_kv_heads   each head keeps its width and its numbers, and the last go first. New heads of a drawn matrix are
//                       fresh numbers of its own kind, of another those of the kind that it looks like (resizing.h).
//                       n_kv_heads that does not divide n_heads becomes the greatest below it that does
// n_blocks              from 0 the tensors of the attention become those of block 0, back to 0 the other way round; new blocks
//                       are drawn after what is there
struct SetAttention {
    AttentionSettings attention;
};

// A tensor that the document has, filled anew; remembered in made_by. "embedding" picks the rows of the tokens' ids.
struct FillTensor {
    std::string tensor;
    MadeBy made_by;
};

// W_query, W_key and W_value one after the other from one seed, as a notebook does: made_by.skip is the first one's,
// the others follow from what was drawn. "linear" draws each one's bias after it, where there is one.
struct FillProjections {
    MadeBy made_by;
};

// A tensor that is absent unless given, made with zeros, or drawn where zeros would say nothing: biases, W_output, mask,
// past_keys with past_values, context_inputs (a second sentence of three words), token_ids with W_embedding in place of
// inputs. Without a block's prefix: in every block. An error: it is there, nothing needs it, or a setting brings it along.
struct AddTensor {
    std::string name;
};

// Takes it away again, with what goes with it. An error where it is needed.
struct RemoveTensor {
    std::string name;
};

// Cells of the document's mask: allowed or forbidden. Where there is no mask it is made of zeros, and where no mask is used
// it is from now on; beside "causal" and the like it adds to them. A mask that heads share has one plane.
struct PaintMask {
    std::vector<Cell> cells;
    bool allowed = false;
};

// One more token, computed with what is kept of those before it: their keys and values become past_keys and past_values, and
// the new token alone remains in the inputs, with the numbers that AddToken finds; where it finds none they are drawn, for one
// word always the same. An error: a given table has no row for the word or its place. context_tokens name the past.
struct DecodeStep {
    std::string word;
    std::map<std::string, Tensor> past; // past_keys and past_values (in blocks: of each) as Lab::decode reads them
};

enum class Width { d_in, d_k, d_v, d_model, d_ff };
const char* width_name(Width width); // "d_in"
constexpr int kMostWidth = 4096;
constexpr int kMostTokens = 16384;
constexpr int kMostHeads = 256;
constexpr int kMostBlocks = 64;

// Every tensor that has this width follows (d_k and d_v are one head's): it keeps what fits. What its made_by draws gains
// fresh numbers of its own kind, another zeros. Its made_by stays where it still is the truth. n in [1, kMostWidth].
struct ResizeWidth {
    Width which = Width::d_in;
    int n = 1;
};

// A new row at 0 ≤ at ≤ number of tokens. Its numbers: those of the same word, where the sentence has it already; else
// of the embedding's table or the next row that made_by draws; else zeros. A mask of the document gains zeros.
// A vocabulary gains the word; made_by of the inputs stays where it still is the truth. The same for the other edits
// of tokens. Rows without words are shown as 1, 2, …; once one gets a word, the others keep these as theirs.
struct AddToken {
    int at = 0;
    std::string word;
};

// An error for the last token: attention needs one.
struct RemoveToken {
    int index = 0;
};

// The word alone; the numbers stay.
struct RenameToken {
    int index = 0;
    std::string word;
};

// Afterwards the token stands at place `to`.
struct MoveToken {
    int from = 0;
    int to = 0;
};

// Where the token of a place stands after the command; after it was removed, the one that took its place.
int place_after(const AddToken& added, int place);
int place_after(const RemoveToken& removed, int place);
int place_after(const MoveToken& moved, int place);

// Words of the text become the tokens, their sorted unique words the vocabulary, and inputs their rows of
// torch.nn.Embedding(50000, width) after manual_seed(seed). Matrices follow the width as ResizeWidth has it. Given queries,
// keys and values make way for projections. The title names the sentence, unless a person gave one (title.h). An error: as
// sentence_error has it, or more numbers than memory holds.
struct SetSentence {
    std::string text;
    std::uint64_t seed = 123;
    int width = 3;
    bool starts_anew = false; // in a session of its own, which takes the place of the open one
};

// Why the words of a sentence can't be tokens of inputs of this width: none, or too many; empty where they can.
std::string sentence_error(const std::vector<std::string>& words, int width);

struct SetTitle {
    std::string title;
};

// What gradients are taken of, as read_gradient_target takes it: "context_vectors[1,0]", "sum(outputs)"; empty: of nothing. A
// distance without a fitting `target` gets one of zeros. An error: a target that is none.
struct SetGradient {
    std::string target;
};

// The whole document makes way for another: what open and a preset do, so that undo brings the old one back.
struct OpenDocument {
    Document document;
};

using Command = std::variant<SetCell, SetCells, SetAttention, FillTensor, FillProjections, ResizeWidth, AddToken,
                             RemoveToken, RenameToken, MoveToken, SetSentence, SetTitle, OpenDocument, AddTensor,
                             RemoveTensor, PaintMask, DecodeStep, SetGradient>;

// The document after the edit of one that can be computed, or of an empty one. A gradient's target that goes with the edit (its
// row, its tensor) is dropped. It can always be computed; otherwise an error
// says what does not fit.
Result<Document> apply(const Document& document, const Command& command);

// What undo would take back, as words after "Undo": "change inputs[journey, d₁]". `before`: the document it applies to, `after`: what comes
// of it.
std::string describe(const Command& command, const Document& before, const Document& after);

} // namespace lab
