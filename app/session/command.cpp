#include "app/session/command.h"

#include "app/session/edits.h"
#include "app/session/labels.h"
#include "app/session/setting_groups.h"
#include "app/session/title.h"
#include "engine/document_tensors.h"
#include "engine/formats/session.h"
#include "engine/initialisers.h"

namespace lab {

namespace {

std::string initialiser_title(const MadeBy& how) {
    const InitialiserInfo* info = find_initialiser(how.init);
    return info == nullptr ? how.init : info->title;
}

std::string token_text(const Document& document, int index) {
    return told_label(document, Axis::queries, index, Quotes::always);
}

// The words for each kind of edit.
struct Describe {
    const Document &before, &after;

    std::string cell(const std::string& tensor, Cell at) const {
        const auto found = before.tensors.find(tensor);
        const DocumentTensor* known = find_document_tensor(tensor);
        if (known != nullptr && found != before.tensors.end()) {
            Node leaf{tensor, nullptr, {}, found->second.shape(), {}};
            leaf.presentation.rows = known->rows;
            leaf.presentation.cols = known->cols;
            return cell_text(before, leaf, at);
        }
        return tensor + "[" + std::to_string(at.row + 1) + ", " + std::to_string(at.col + 1) + "]";
    }

    std::string operator()(const SetCell& edit) const { return "change " + cell(edit.tensor, edit.cell); }
    std::string operator()(const SetCells& edit) const { return "paste into " + edit.tensor; }
    std::string operator()(const SetAttention&) const { return change_text(before, after); }
    std::string operator()(const FillTensor& edit) const {
        return "fill " + edit.tensor + ": " + initialiser_title(edit.made_by);
    }
    std::string operator()(const FillProjections& edit) const {
        return "fill W_query, W_key, W_value: " + initialiser_title(edit.made_by);
    }
    std::string operator()(const ResizeWidth& edit) const {
        return std::string("set ") + width_name(edit.which) + " to " + std::to_string(edit.n);
    }
    std::string operator()(const AddToken& edit) const { return "add " + quoted(edit.word); }
    std::string operator()(const RemoveToken& edit) const { return "remove " + token_text(before, edit.index); }
    std::string operator()(const RenameToken& edit) const {
        return "rename " + token_text(before, edit.index) + " to " + quoted(edit.word);
    }
    std::string operator()(const MoveToken& edit) const { return "move " + token_text(before, edit.from); }
    std::string operator()(const SetSentence& edit) const {
        return edit.starts_anew ? "start anew" : "change the sentence";
    }
    std::string operator()(const SetTitle&) const { return "change the title"; }
    std::string operator()(const AddTensor& edit) const { return "add " + edit.name; }
    std::string operator()(const RemoveTensor& edit) const { return "remove " + edit.name; }
    std::string operator()(const PaintMask& edit) const {
        return edit.allowed ? "allow in the mask" : "forbid in the mask";
    }
    std::string operator()(const DecodeStep& edit) const { return "decode " + quoted(edit.word); }
    std::string operator()(const SetGradient& edit) const {
        return edit.target.empty() ? "switch the gradient off" : "take the gradient of " + edit.target;
    }
    std::string operator()(const OpenDocument& edit) const { return "open " + quoted(edit.document.title); }
};

} // namespace

Result<Document> apply(const Document& document, const Command& command) {
    Result<Document> result = std::visit([&](const auto& edit) { return edited(document, edit); }, command);
    if (!result) return result;
    Document after = std::move(result).value();
    if (!std::holds_alternative<SetGradient>(command)) drop_gradient_that_is_gone(after, document);
    if (!std::holds_alternative<OpenDocument>(command)) retitle_after(document, after);
    const Result<Done> check = check_edited(after, document);
    if (!check) return Error{check.error()};
    return after;
}

const char* width_name(Width width) {
    switch (width) {
    case Width::d_in: return "d_in";
    case Width::d_k: return "d_k";
    case Width::d_v: return "d_v";
    case Width::d_model: return "d_model";
    case Width::d_ff: return "d_ff";
    }
    return "";
}

std::string describe(const Command& command, const Document& before, const Document& after) {
    return std::visit(Describe{before, after}, command);
}

} // namespace lab
