#include "tests/formats/mutation.h"

#include <algorithm>
#include <iterator>

#include "engine/formats/session.h"
#include "engine/trace.h"

namespace lab_tests {

namespace {

const char* const kTokens[] = {"[",
                               "]",
                               "{",
                               "}",
                               ",",
                               ":",
                               "\"",
                               "null",
                               "true",
                               "-0",
                               "1e999",
                               "1e39",
                               "-1",
                               "0",
                               "1.5",
                               "\"inf\"",
                               "\"nan\"",
                               "\"-inf\"",
                               "\\u0000",
                               "\\ud800",
                               "\xff",
                               "\xe2\x82",
                               "[[]]",
                               "[1,2]",
                               "\"mask\"",
                               "\"causal\"",
                               "\"window\": 2,",
                               "\"sum\"",
                               "\"tokens\": [],",
                               "\"queries\"",
                               "\"keys\"",
                               "\"values\"",
                               "\"inputs\"",
                               "\"W_key\"",
                               "\"scale\": 0,",
                               "\"n_heads\": 2,",
                               "\"round_weights\": 1,",
                               "\"x\": {\"y\": 1},",
                               "99999999999999999999",
                               "[[[[",
                               "1E-400",
                               "\n"};

std::size_t below(std::mt19937& random, std::size_t n) { return n == 0 ? 0 : random() % n; }

void change_once(std::string& text, std::mt19937& random) {
    const std::size_t place = below(random, text.size());
    const std::size_t length = below(random, std::min<std::size_t>(text.size() - place + 1, 40));
    switch (random() % 7) {
    case 0:
        if (!text.empty()) text[place] = static_cast<char>(random());
        break;
    case 1: text.erase(place, length); break;
    case 2: text.insert(place, text.substr(below(random, text.size()), length)); break;
    case 3: text.insert(place, kTokens[below(random, std::size(kTokens))]); break;
    case 4: text.replace(place, length, kTokens[below(random, std::size(kTokens))]); break;
    case 5:
        if (!text.empty()) text[place] = static_cast<char>('0' + random() % 10);
        break;
    default:
        if (random() % 8 == 0) text.resize(place);
        break;
    }
}

std::string run(const lab::Document& document) {
    const auto program = lab::build_program(document);
    if (!program) return "a checked document has no program: " + program.error();
    lab::Trace trace;
    trace.update(*program, document.tensors);
    for (std::size_t node = 0; node < program->nodes.size(); ++node) {
        if (lab::read_all(*trace.source(static_cast<int>(node))).size() != program->nodes[node].shape.size()) {
            return "a tensor has another size than its shape";
        }
    }
    return {};
}

} // namespace

std::string mutated(const std::string& text, std::mt19937& random) {
    std::string changed = text;
    for (std::size_t n = 1 + below(random, 4); n > 0; --n) change_once(changed, random);
    return changed;
}

std::string broken_promise(const std::string& text) {
    const auto file = lab::read_session(text);
    if (!file) {
        const bool is_line = !file.error().empty() && file.error().find('\n') == std::string::npos;
        return is_line ? "" : "an error is not one line: " + file.error();
    }
    const std::string written = lab::write_session(file->document);
    const auto again = lab::read_session(written);
    if (!again) return "what was written cannot be read: " + again.error();
    if (!bit_equal(file->document, again->document)) return "what was read again differs";
    if (lab::write_session(again->document) != written) return "what was written again differs";
    return run(file->document);
}

} // namespace lab_tests
