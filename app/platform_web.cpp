#include "app/platform_web.h"

#include <cstdlib>

#include <emscripten.h>

#include "app/platform_web_gl_state.h"

// clang-format off
EM_JS(void, host_save_file, (const char* name, const char* bytes, int size), {
    Module.host.saveFile(UTF8ToString(name), HEAPU8.slice(bytes, bytes + size));
});
EM_JS(char*, host_load_preference, (const char* key), {
    const text = Module.host.loadPreference(UTF8ToString(key));
    const size = lengthBytesUTF8(text) + 1;
    const copy = _malloc(size);
    stringToUTF8(text, copy, size);
    return copy;
});
EM_JS(void, host_store_preference, (const char* key, const char* value), {
    Module.host.storePreference(UTF8ToString(key), UTF8ToString(value));
});
EM_JS(int, host_matches, (const char* query), { return Module.host.matches(UTF8ToString(query)); });
EM_JS(void, host_set_title, (const char* title), { Module.host.setTitle(UTF8ToString(title)); });
// clang-format on

namespace lab {

std::string WebPlatform::read_file(const std::string& path, std::string&) {
    return "cannot open " + path + ": a page reads only files that are chosen or dropped";
}

std::string WebPlatform::save_file(const std::string& name, const std::string& bytes) {
    host_save_file(name.c_str(), bytes.data(), int(bytes.size()));
    return {};
}

std::string WebPlatform::load_preference(const std::string& key) {
    char* value = host_load_preference(key.c_str());
    std::string text = value;
    std::free(value);
    return text;
}

void WebPlatform::store_preference(const std::string& key, const std::string& value) {
    host_store_preference(key.c_str(), value.c_str());
}

bool WebPlatform::has_coarse_pointer() const { return host_matches("(pointer: coarse)") != 0; }
bool WebPlatform::prefers_dark() const { return host_matches("(prefers-color-scheme: light)") == 0; }
double WebPlatform::now_s() const { return emscripten_get_now() / 1000; }
void WebPlatform::prepare_graphics() { values_.prepare(); }
void WebPlatform::forget_graphics() {
    values_.forget();
    forget_gl_state();
}
void WebPlatform::set_title(const std::string& title) { host_set_title(title.c_str()); }

} // namespace lab
