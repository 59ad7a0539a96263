// What a long text costs the window, without a screen: until it is read, until the first picture and until all is computed and
// drawn, while numbers are edited, and in memory.
//   build/native/bench/long_text [--tokens 16384] [--d 64] [--heads 1] [--threads 2]
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <imgui.h>

#include "app/app.h"
#include "app/benchmark/spread_numbers.h"
#include "engine/formats/session.h"

namespace {

using namespace lab;

// A machine without files or a screen, but with a clock.
class ClockPlatform final : public Platform {
  public:
    bool has_file_dialog() const override { return false; }
    void set_file_dialog_area(ScreenArea) override {}
    std::string read_file(const std::string&, std::string&) override { return "there are no files"; }
    std::string save_file(const std::string&, const std::string&) override { return "there are no files"; }
    std::string load_preference(const std::string&) override { return {}; }
    void store_preference(const std::string&, const std::string&) override {}
    bool has_coarse_pointer() const override { return false; }
    bool prefers_dark() const override { return false; }
    double now_s() const override {
        return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
    }
    void set_title(const std::string&) override {}
    bool rasterize_glyph(uint32_t, float, GlyphBitmap&) override { return false; }
};

struct Options {
    int n_tokens = 16384, d = 64, n_heads = 1, n_threads = 2;
};

Options parse(int argc, char** argv) {
    Options options;
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string name = argv[i];
        int* const value = name == "--tokens"  ? &options.n_tokens
                           : name == "--d"     ? &options.d
                           : name == "--heads" ? &options.n_heads
                                               : &options.n_threads;
        *value = std::atoi(argv[i + 1]);
    }
    return options;
}

std::string session_of(int n_tokens, int d, int n_heads) {
    Document document;
    document.attention.n_heads = n_heads;
    const auto drawn = [](Shape shape, std::uint32_t seed, double scale) {
        return Tensor(shape, spread_numbers(shape.size(), seed, scale));
    };
    document.tensors["inputs"] = drawn(Shape::matrix(n_tokens, d), 1, 1);
    std::uint32_t seed = 1;
    for (const char* name : {"W_query", "W_key", "W_value"})
        document.tensors[name] = drawn(Shape::matrix(d, d), ++seed, std::sqrt(3.0 / d));
    for (int i = 1; i <= n_tokens; ++i) document.tokens.push_back("token " + std::to_string(i));
    return write_session(document);
}

double processor_s() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    const auto seconds = [](const timeval& time) { return double(time.tv_sec) + 1e-6 * double(time.tv_usec); };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

double resident_mb() {
    long n_pages = 0;
    if (std::FILE* const file = std::fopen("/proc/self/statm", "r")) {
        if (std::fscanf(file, "%*d %ld", &n_pages) != 1) n_pages = 0;
        std::fclose(file);
    }
    return double(n_pages) * double(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

// Stands for the graphics card: every texture that is asked for is there at once.
void grant_textures() {
    for (ImTextureData* texture : ImGui::GetPlatformIO().Textures) {
        const bool is_given_up = texture->Status == ImTextureStatus_WantDestroy;
        texture->SetTexID(is_given_up ? ImTextureID_Invalid : 1);
        texture->SetStatus(is_given_up ? ImTextureStatus_Destroyed : ImTextureStatus_OK);
    }
}

void show(App& app) {
    ImGui::GetIO().DeltaTime = 1.0f / 60;
    app.refresh_trace();
    ImGui::NewFrame();
    app.draw();
    ImGui::Render();
    grant_textures();
}

bool draw_frame(App& app) {
    show(app);
    const bool had_any = app.apply_commands();
    constexpr double kBetweenFrames_s = 0.016; // as the window leaves
    app.work(kBetweenFrames_s);
    return had_any || app.wants_frame();
}

// Since it was made: of the clock, and of all threads' processors.
class Stopwatch {
  public:
    explicit Stopwatch(const App& app) : app_(app) {}

    void report(const char* what) const {
        std::printf("%-34s %8.2f s, %8.2f s of processors, %6.0f MB resident, %5.1f MB of textures\n", what,
                    platform_.now_s() - start_s_, processor_s() - start_processor_s_, resident_mb(),
                    app_.texture_bytes() / (1 << 20));
        std::fflush(stdout);
    }

  private:
    const App& app_;
    ClockPlatform platform_;
    double start_s_ = platform_.now_s(), start_processor_s_ = processor_s();
};

void measure_edits(App& app) {
    constexpr int kEdits = 100;
    std::vector<double> ms;
    ClockPlatform clock;
    for (int i = 0; i < kEdits; ++i) {
        const auto done = app.lab().perform(SetCell{"inputs", {0, 5, 7}, 0.2f + 0.01f * float(i)});
        if (!done) return;
        const double start_s = clock.now_s();
        show(app);
        ms.push_back(1e3 * (clock.now_s() - start_s));
        while (draw_frame(app) && app.lab().is_computing()) {
        }
    }
    std::sort(ms.begin(), ms.end());
    std::printf("%-34s median %.1f ms, 95 %% %.1f, greatest %.1f\n", "a number of inputs edited, first frame",
                ms[kEdits / 2], ms[kEdits * 95 / 100], ms.back());
}

// A hand that moves on every other frame, whatever is computed by then: frames as they come.
void measure_drag(App& app, const char* tensor) {
    constexpr int kSteps = 50;
    std::vector<double> ms;
    ClockPlatform clock;
    for (int i = 0; i < 2 * kSteps; ++i) {
        if (i % 2 == 0 && !app.lab().perform(SetCell{tensor, {0, 5, 7}, 0.2f + 0.01f * float(i)})) return;
        const double start_s = clock.now_s();
        show(app);
        ms.push_back(1e3 * (clock.now_s() - start_s));
        app.apply_commands();
        app.work(0.016);
    }
    std::sort(ms.begin(), ms.end());
    std::printf("%-34s median %.1f ms, 95 %% %.1f, greatest %.1f\n", tensor, ms[kSteps], ms[2 * kSteps * 95 / 100],
                ms.back());
}

void measure(const Options& options) {
    const std::string session = session_of(options.n_tokens, options.d, options.n_heads);
    ThreadPool threads(options.n_threads);
    ClockPlatform platform;
    App app(platform, options.n_threads > 1 ? &threads : nullptr);
    for (int i = 0; i < 3; ++i) draw_frame(app);
    std::printf("%d tokens × %d, a session of %.1f MB\n", options.n_tokens, options.d, double(session.size()) / 1e6);
    Stopwatch(app).report("before");
    const Stopwatch since_opened(app);
    app.open_bytes(session);
    since_opened.report("read");
    bool goes_on = draw_frame(app);
    since_opened.report("first frame");
    for (; goes_on; goes_on = draw_frame(app)) {
    }
    since_opened.report("computed and drawn");
    measure_edits(app);
    const Stopwatch since_edited(app);
    while (draw_frame(app)) {
    }
    since_edited.report("at rest again");
    for (const char* tensor : {"inputs", "W_query", "W_key", "W_value"}) {
        measure_drag(app, tensor);
        while (draw_frame(app)) {
        }
    }
}

} // namespace

int main(int argc, char** argv) {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {1280, 800};
    io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
    measure(parse(argc, argv));
    for (ImTextureData* texture : ImGui::GetPlatformIO().Textures) {
        texture->SetTexID(ImTextureID_Invalid);
        texture->SetStatus(ImTextureStatus_Destroyed);
    }
    ImGui::DestroyContext();
    return 0;
}
