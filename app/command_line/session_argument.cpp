#include "app/command_line/session_argument.h"

#include <istream>
#include <iterator>

#include "app/files.h"
#include "engine/formats/presets.h"

namespace lab {

static constexpr std::string_view kPreset = "preset:";

std::string preset_name_of(const std::string& session) {
    return session.starts_with(kPreset) ? session.substr(kPreset.size()) : std::string();
}

std::string where_in(const std::string& session) {
    return session == "-" || session.starts_with(kPreset) ? std::string() : session + ": ";
}

Result<std::string> session_text(const std::string& session, std::istream& in) {
    if (session == "-") return std::string(std::istreambuf_iterator<char>(in), {});
    if (!session.starts_with(kPreset)) return read_file(session);
    const std::string name = preset_name_of(session);
    const std::string_view text = preset_session_text(name);
    if (text.empty()) return Error{unknown_preset_error(name)};
    return std::string(text);
}

} // namespace lab
