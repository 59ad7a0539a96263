#pragma once

#include <string_view>

#include "app/widgets/controls.h"

namespace lab {

// A dialog that opens in the middle of the window, over everything else, which is dimmed. As wide as it likes or the window allows;
// where its content grows, its top stays.
struct Dialog {
    const char* id = nullptr;
    std::string_view title;
    float width = 420;
};

// To be called in every frame. True while it is shown: then its content follows and end_dialog().
// is_open  opens and closes it; Esc and the cross clear it
// content  where the content stands; its bottom is yet to be found
bool begin_dialog(const Theme& theme, const Dialog& dialog, bool& is_open, Rect& content);
void end_dialog(float content_bottom);

// "Cancel" and the main button at the right end of a line. Enter is the main button, unless a control has it.
enum class DialogAnswer { none, cancel, main };
struct DialogButtons {
    std::string_view main;
    bool is_enabled = true;
    float top = 0;
    float right = 0;
};
DialogAnswer dialog_buttons(const Theme& theme, const DialogButtons& buttons);

} // namespace lab
