#pragma once

#include "app/session/command.h"

namespace lab {

// The edits behind apply(): each takes the document and hands it back changed. apply() checks the result.

Result<Document> edited(Document document, const SetCell& command);
Result<Document> edited(Document document, const SetCells& command);
Result<Document> edited(Document document, const SetAttention& command);
Result<Document> edited(Document document, const FillTensor& command);
Result<Document> edited(Document document, const FillProjections& command);
Result<Document> edited(Document document, const ResizeWidth& command);
Result<Document> edited(Document document, const AddToken& command);
Result<Document> edited(Document document, const RemoveToken& command);
Result<Document> edited(Document document, const RenameToken& command);
Result<Document> edited(Document document, const MoveToken& command);
Result<Document> edited(Document document, const SetSentence& command);
Result<Document> edited(Document document, const SetTitle& command);
Result<Document> edited(Document document, const OpenDocument& command);
Result<Document> edited(Document document, const AddTensor& command);
Result<Document> edited(Document document, const RemoveTensor& command);
Result<Document> edited(Document document, const PaintMask& command);
Result<Document> edited(Document document, const DecodeStep& command);
Result<Document> edited(Document document, const SetGradient& command);

// Takes no gradient any more where only its target keeps the edited document from being computed.
void drop_gradient_that_is_gone(Document& document, const Document& before);

} // namespace lab
