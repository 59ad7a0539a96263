#include "app/file_words.h"

#include <cctype>

namespace lab {

namespace {

std::string which(const OpenedFile& file) {
    if (file.n_together < 2) return file.name;
    return file.name + ", the first of " + std::to_string(file.n_together) + " files";
}

} // namespace

std::string name_of_path(const std::string& path) { return path.substr(path.find_last_of("/\\") + 1); }

std::string error_in(const OpenedFile& file, const std::string& sentence) { return which(file) + ": " + sentence; }

std::string left_files_text(const OpenedFile& file) {
    return file.n_together < 2 ? std::string() : which(file) + ", is open: drop the others one by one";
}

std::string file_name_for(const std::string& title) {
    std::string name;
    for (unsigned char character : title) {
        if (std::isalnum(character))
            name += static_cast<char>(std::tolower(character));
        else if (!name.empty() && name.back() != '-')
            name += '-';
    }
    while (!name.empty() && name.back() == '-') name.pop_back();
    return (name.empty() ? "attention-lab" : name) + ".json";
}

std::string joined_notes(const std::vector<std::string>& notes) {
    std::string text;
    for (const std::string& note : notes) text += (text.empty() ? "Note: " : "; ") + note;
    return text;
}

} // namespace lab
