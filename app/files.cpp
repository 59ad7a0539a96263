#include "app/files.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace lab {

namespace {

std::string why() { return std::strerror(errno); }

// Closes on every way out; `close` says whether everything was written.
class File {
  public:
    File(const std::string& path, const char* mode) : file_(std::fopen(path.c_str(), mode)) {}
    ~File() { close(); }
    File(const File&) = delete;
    File& operator=(const File&) = delete;

    std::FILE* get() const { return file_; }
    bool close() {
        const bool closed = file_ == nullptr || std::fclose(file_) == 0;
        file_ = nullptr;
        return closed;
    }

  private:
    std::FILE* file_;
};

std::optional<WriteFailure> write_bytes(const std::string& path, const char* mode, std::string_view bytes) {
    File file(path, mode);
    if (file.get() == nullptr) return WriteFailure{why(), false};
    if (std::fwrite(bytes.data(), 1, bytes.size(), file.get()) != bytes.size()) return WriteFailure{why(), true};
    if (!file.close()) return WriteFailure{why(), true};
    return std::nullopt;
}

// FILE.part, or where that is somebody's file, FILE.part2 and so on. Opened with "x", so that it is nobody's still.
std::string unused_name_beside(const std::string& path) {
    std::error_code error;
    std::string name = path + ".part";
    for (int i = 2; std::filesystem::exists(name, error); ++i) name = path + ".part" + std::to_string(i);
    return name;
}

} // namespace

Result<std::string> read_file(const std::string& path) {
    File file(path, "rb");
    if (file.get() == nullptr) return Error{"cannot read " + path + ": " + why()};
    std::string bytes;
    char part[65536];
    while (const std::size_t n = std::fread(part, 1, sizeof part, file.get())) bytes.append(part, n);
    if (std::ferror(file.get()) != 0) return Error{"cannot read " + path + ": " + why()};
    return bytes;
}

std::optional<WriteFailure> write_file(const std::string& path, std::string_view bytes) {
    namespace fs = std::filesystem;
    const std::string cannot = "cannot write " + path + ": ";
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (fs::is_directory(status)) return WriteFailure{cannot + "it is a directory", false};
    if (fs::exists(status) && !fs::is_regular_file(status)) {
        const auto failure = write_bytes(path, "wb", bytes);
        return failure ? std::optional(WriteFailure{cannot + failure->message, failure->could_open}) : std::nullopt;
    }
    const fs::path target = fs::exists(status) ? fs::canonical(path, error) : fs::path(path);
    const std::string beside = unused_name_beside(target.string());
    auto failure = write_bytes(beside, "wbx", bytes);
    if (!failure) {
        fs::rename(beside, target, error);
        if (!error) return std::nullopt;
        failure = WriteFailure{error.message(), true};
    }
    if (failure->could_open) fs::remove(beside, error);
    return WriteFailure{cannot + failure->message, failure->could_open};
}

} // namespace lab
