#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/document.h"
#include "engine/result.h"

namespace lab {

// What a session file holds: a document, and what a person should be told about it.
struct SessionFile {
    Document document;
    std::vector<std::string> notes; // one sentence each: keys that this version does not know and keeps, …
};

// The document of a session file's text, checked: its types, its shapes, its settings fit together.
//
// text    UTF-8 JSON as the contract describes it; may be anything at all, nothing crashes
// error   one sentence that says where (line and column of a syntax error, or a path as `tensors.inputs`) and what, or which other
//         format a file is of, by its first bytes
//
// Not an error, a note: unknown keys at the top, in `attention`, in `made_by` and in an entry of it, and
// unknown names in `tensors`. They go to Document::unknown_keys, an object shaped like the file with only
// those keys in it.
Result<SessionFile> read_session(std::string_view text);

// read_session without its last step check_document, for a document that is about to be completed.
Result<SessionFile> parse_session(std::string_view text);

// Do the document's parts fit together: its program can be built, tokens are as many as rows, the vocabulary
// is sorted and unique. What an error says is what read_session would say.
Result<Done> check_document(const Document& document);

// The same for what an edit has made of a document that has passed: its program is not built where it is that one's.
Result<Done> check_edited(const Document& document, const Document& before);

// The text of a session file: UTF-8 JSON, keys in the contract's order, a line for each row of a matrix, a
// newline at the end. read_session(write_session(d)) gives d back to the bit; text that is not UTF-8 gets
// replacement characters.
std::string write_session(const Document& document);

} // namespace lab
