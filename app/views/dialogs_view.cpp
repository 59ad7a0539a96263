#include "app/views/dialogs.h"

#include <string>
#include <utility>

#include "app/session/lab.h"
#include "app/session/sizes.h"
#include "app/views/views.h"
#include "app/widgets/dialog.h"
#include "app/widgets/fields.h"
#include "engine/tokenizer.h"

namespace lab {

namespace {

std::string words_text(const std::vector<std::string>& words) {
    if (words.empty()) return "No words yet.";
    std::string text = std::to_string(words.size()) + (words.size() == 1 ? " token:" : " tokens:");
    constexpr std::size_t kMost = 60;
    for (std::size_t i = 0; i < words.size() && i < kMost; ++i) text += (i == 0 ? " " : " · ") + words[i];
    return words.size() > kMost ? text + " …" : text;
}

int first_width(const Document& document, bool starts_anew) {
    const int of_none = SetSentence{}.width;
    return starts_anew ? of_none : width_of(document, Width::d_in).value_or(of_none);
}

// Below the field: its words, or why they can't be taken.
float draw_words(const Theme& theme, ImVec2 corner, float width, const std::vector<std::string>& words,
                 const std::string& error) {
    const Color ink = error.empty() ? theme.palette.faint : theme.palette.error;
    return draw_paragraph(*ImGui::GetWindowDrawList(), plain_text(theme, type_size::kControl, ink), corner,
                          error.empty() ? words_text(words) : error, width);
}

struct SentenceEntry {
    bool is_entered = false; // by Enter
    bool can_be_used = false;
    float bottom = 0;
};
SentenceEntry draw_sentence_form(ViewContext& context, const Rect& content) {
    const Theme& theme = context.theme;
    UiState& ui = context.ui;
    ImDrawList& draw_list = *ImGui::GetWindowDrawList();
    const TextStyle plain = plain_text(theme, type_size::kList, theme.palette.dim);
    float y = content.top;
    y += draw_paragraph(
             draw_list, plain, {content.left, y},
             "Every word becomes a token. Its embedding is drawn from the seed as PyTorch's nn.Embedding draws it.",
             content.width()) +
         12;
    const Rect text = labelled(theme, {content.left, y}, content.width(), "Sentence");
    const TextEntry entry = text_field(theme,
                                       {.id = "##sentence",
                                        .area = text,
                                        .hint = "Your journey starts with one step",
                                        .takes_focus = ImGui::IsWindowAppearing(),
                                        .keeps_keyboard = true},
                                       *ui.sentence_dialog);
    if (entry.edited) ui.sentence_form.error.clear();
    const std::vector<std::string> words = split_words(*ui.sentence_dialog);
    const std::string error = sentence_error(words, ui.sentence_form.width);
    const std::string complaint = !ui.sentence_form.error.empty() || words.empty() ? ui.sentence_form.error : error;
    y = text.bottom + 6;
    y += draw_words(theme, {content.left, y}, content.width(), words, complaint) + 10;
    const Rect seed = labelled(theme, {content.left, y}, 130, "Seed");
    constexpr double kMostSeed = 4294967295.0;
    if (const auto n = stepper(theme, {.id = "seed",
                                       .area = seed,
                                       .value = static_cast<double>(ui.sentence_form.seed),
                                       .greatest = kMostSeed,
                                       .name = "the seed",
                                       .complaint = &ui.error})) {
        ui.sentence_form.seed = static_cast<std::uint64_t>(*n);
    }
    const Rect width = labelled(theme, {content.left + 146, y}, 110, "Width (d_in)");
    if (const auto n = stepper(theme, {.id = "width",
                                       .area = width,
                                       .value = static_cast<double>(ui.sentence_form.width),
                                       .least = 1,
                                       .greatest = kMostWidth,
                                       .name = "d_in",
                                       .complaint = &ui.error})) {
        ui.sentence_form.width = static_cast<int>(*n);
        ui.sentence_form.error.clear();
    }
    return {entry.entered, error.empty(), width.bottom + 20};
}

} // namespace

Rect labelled(const Theme& theme, ImVec2 corner, float width, std::string_view label) {
    constexpr float kControlHeight = 28;
    draw_text(*ImGui::GetWindowDrawList(), plain_text(theme, type_size::kCell, theme.palette.dim),
              {corner.x, corner.y + 10}, label);
    return Rect::at({corner.x, corner.y + 16}, {width, kControlHeight});
}

void draw_sentence_dialog(ViewContext& context) {
    UiState& ui = context.ui;
    bool is_open = ui.sentence_dialog.has_value();
    Rect content;
    SentenceForm& form = ui.sentence_form;
    const char* title = form.starts_anew ? "A new session" : "A sentence of your own";
    if (begin_dialog(context.theme, {"sentence dialog", title, 460}, is_open, content)) {
        if (ImGui::IsWindowAppearing()) form.width = first_width(context.lab.document(), form.starts_anew);
        const auto [is_entered, can_be_used, top] = draw_sentence_form(context, content);
        const DialogAnswer answer =
            dialog_buttons(context.theme, {"Use this sentence", can_be_used, top, content.right});
        // It stays open until the sentence is taken.
        if (can_be_used && (is_entered || answer == DialogAnswer::main))
            context.commands.push_back({SetSentence{*ui.sentence_dialog, form.seed, form.width, form.starts_anew}});
        if (answer == DialogAnswer::cancel) is_open = false;
        end_dialog(top + 32);
    }
    if (!is_open) ui.sentence_dialog.reset();
}

void draw_path_dialog(ViewContext& context) {
    UiState& ui = context.ui;
    bool is_open = ui.path_dialog.has_value();
    Rect content;
    const char* title = ui.path_dialog_saves ? "Save this session" : "Open a session";
    if (begin_dialog(context.theme, {"path dialog", title, 520}, is_open, content)) {
        const Rect area = labelled(context.theme, content.min(), content.width(), "Path of the file");
        const TextEntry entry = text_field(context.theme,
                                           {.id = "##path",
                                            .area = area,
                                            .hint = "attention.json",
                                            .takes_focus = ImGui::IsWindowAppearing(),
                                            .is_mono = true},
                                           *ui.path_dialog);
        const bool has_path = !ui.path_dialog->empty();
        const float top = area.bottom + 20;
        const DialogAnswer answer =
            dialog_buttons(context.theme, {ui.path_dialog_saves ? "Save" : "Open", has_path, top, content.right});
        if (has_path && (entry.entered || answer == DialogAnswer::main)) {
            (ui.path_dialog_saves ? ui.path_to_save : ui.path_to_open) = *ui.path_dialog;
            is_open = false;
        }
        if (answer == DialogAnswer::cancel) is_open = false;
        end_dialog(top + 32);
    }
    if (!is_open) ui.path_dialog.reset();
}

// One at a time.
void draw_dialogs(ViewContext& context) {
    draw_help(context);
    draw_fill_dialog(context);
    draw_sentence_dialog(context);
    draw_path_dialog(context);
    draw_go_to_dialog(context);
}

} // namespace lab
