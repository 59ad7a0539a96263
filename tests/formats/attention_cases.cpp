#include "tests/formats/attention_cases.h"

#include "engine/formats/embedded.h"

namespace lab {
const std::vector<EmbeddedFile>& embedded_attention_cases(); // cmake/tests.cmake
}

namespace lab::test {

namespace {

// "past" of "attention_past.json"
std::string theme_of(const std::string& file_name) {
    const std::size_t begin = file_name.find('_') + 1;
    return file_name.substr(begin, file_name.find('.') - begin);
}

std::vector<AttentionCase> read_cases() {
    std::vector<AttentionCase> all;
    for (const EmbeddedFile& file : embedded_attention_cases()) {
        nlohmann::json list = nlohmann::json::parse(file.data, file.data + file.size);
        for (nlohmann::json& entry : list) {
            AttentionCase read;
            read.theme = theme_of(file.name);
            read.name = entry.at("name").get<std::string>();
            read.session = std::move(entry.at("session"));
            read.expected = std::move(entry.at("expected"));
            all.push_back(std::move(read));
        }
    }
    return all;
}

} // namespace

const std::vector<AttentionCase>& attention_cases() {
    static const std::vector<AttentionCase> all = read_cases();
    return all;
}

} // namespace lab::test
