#include "app/platform_native.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>

#include "app/files.h"
#include "app/platform_native_glyphs.h"

namespace lab {
namespace {

std::filesystem::path preferences_path() {
    const char* config_home = std::getenv("XDG_CONFIG_HOME");
    const char* home = std::getenv("HOME");
    if (config_home && *config_home) return std::filesystem::path(config_home) / "attention-lab" / "preferences";
    if (home && *home) return std::filesystem::path(home) / ".config" / "attention-lab" / "preferences";
    return {};
}

} // namespace

NativePlatform::NativePlatform() : fonts_(std::make_unique<SystemFonts>()) {
    std::ifstream file(preferences_path());
    for (std::string line; std::getline(file, line);) {
        const size_t equals = line.find('=');
        if (equals != std::string::npos) preferences_[line.substr(0, equals)] = line.substr(equals + 1);
    }
}

NativePlatform::~NativePlatform() = default;

std::string NativePlatform::read_file(const std::string& path, std::string& bytes) {
    Result<std::string> content = lab::read_file(path);
    if (!content) return content.error();
    bytes = std::move(content).value();
    return {};
}

std::string NativePlatform::save_file(const std::string& name, const std::string& bytes) {
    const std::optional<WriteFailure> failure = write_file(name, bytes);
    return failure ? failure->message : std::string();
}

std::string NativePlatform::load_preference(const std::string& key) {
    const auto found = preferences_.find(key);
    return found == preferences_.end() ? std::string() : found->second;
}

void NativePlatform::store_preference(const std::string& key, const std::string& value) {
    if (preferences_[key] == value) return;
    preferences_[key] = value;
    const std::filesystem::path path = preferences_path();
    if (path.empty()) return;
    std::error_code ignored; // a preference that cannot be kept is no reason to stop
    std::filesystem::create_directories(path.parent_path(), ignored);
    std::string text;
    for (const auto& [name, content] : preferences_) text += name + "=" + content + "\n";
    save_file(path.string(), text);
}

double NativePlatform::now_s() const {
    return double(SDL_GetPerformanceCounter()) / double(SDL_GetPerformanceFrequency());
}

void NativePlatform::set_title(const std::string& title) {
    if (window_) SDL_SetWindowTitle(window_, title.c_str());
}

bool NativePlatform::rasterize_glyph(uint32_t codepoint, float size_px, GlyphBitmap& glyph) {
    return fonts_->rasterize(codepoint, size_px, glyph);
}

SurfaceSize measure_surface(SDL_Window* window) {
    int width = 0, height = 0;
    SurfaceSize size;
    SDL_GetWindowSize(window, &width, &height);
    SDL_GL_GetDrawableSize(window, &size.width_px, &size.height_px);
    const char* gdk_scale = std::getenv("GDK_SCALE");
    const float scale = gdk_scale && width == size.width_px ? std::strtof(gdk_scale, nullptr) : 0;
    const float points_per_unit = scale >= 1 && scale <= 4 ? 1 / scale : 1;
    size.width_pt = float(width) * points_per_unit;
    size.height_pt = float(height) * points_per_unit;
    return size;
}

} // namespace lab
