#pragma once

#include <string>
#include <vector>

namespace lab {

// What is said of files, and what they are called.

// A file that was dropped, chosen in a dialog or named by its path: one session is open at a time, so that of several together
// it is the first.
struct OpenedFile {
    std::string name;
    int n_together = 1;
};

// "/home/me/mine.json" → "mine.json"
std::string name_of_path(const std::string& path);

// "mine.json: inputs have 3 columns but W_query has 4 rows", "mine.json, the first of 2 files: …"
std::string error_in(const OpenedFile& file, const std::string& sentence);

// "mine.json, the first of 2 files, is open: drop the others one by one"; empty where it came alone.
std::string left_files_text(const OpenedFile& file);

// "Self-attention with trainable weights" → "self-attention-with-trainable-weights.json"
std::string file_name_for(const std::string& title);

// "Note: colour is not known here and is kept; …"
std::string joined_notes(const std::vector<std::string>& notes);

} // namespace lab
