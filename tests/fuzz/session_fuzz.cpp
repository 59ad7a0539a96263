// Reads mutated sessions for as long as it is told; best in a build with sanitizers.
//
//   session_fuzz [SECONDS [SEED]]

#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "engine/formats/presets.h"
#include "tests/formats/mutation.h"

int main(int argc, char** argv) {
    const double seconds = argc > 1 ? std::atof(argv[1]) : 10.0;
    std::mt19937 random(argc > 2 ? static_cast<std::uint32_t>(std::atol(argv[2])) : 1u);
    const auto begin = std::chrono::steady_clock::now();
    const auto& presets = lab::presets();
    unsigned long n_texts = 0;
    while (std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() < seconds) {
        std::string text(lab::preset_session_text(presets[random() % presets.size()].name));
        for (int depth = 0; depth < 8; ++depth, ++n_texts) {
            text = lab_tests::mutated(text, random);
            const std::string broken = lab_tests::broken_promise(text);
            if (broken.empty()) continue;
            std::fprintf(stderr, "%s, in\n%s\n", broken.c_str(), text.c_str());
            return 1;
        }
    }
    std::printf("%lu mutated sessions in %.0f seconds\n", n_texts, seconds);
    return 0;
}
