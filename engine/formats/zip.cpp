#include "engine/formats/zip.h"

#include <algorithm>
#include <cassert>
#include <optional>

#include <zlib.h>

#include "engine/formats/bytes.h"
#include "engine/formats/json_text.h"

namespace lab {

namespace {

constexpr std::string_view kLocalHeader{"PK\x03\x04", 4};
constexpr std::string_view kCentralHeader{"PK\x01\x02", 4};
constexpr std::string_view kEnd{"PK\x05\x06", 4};
constexpr std::size_t kLocalSize = 30, kCentralSize = 46, kEndSize = 22; // without names and extras
constexpr std::uint64_t kMostUnpacked = std::uint64_t{1} << 30;
constexpr std::uint64_t kStored = 0, kDeflated = 8;

struct CentralEntry {
    std::string name;
    std::uint64_t flags, method, checksum, packed_size, size, local_offset;
};

std::uint32_t checksum_of(std::string_view data) {
    return static_cast<std::uint32_t>(
        crc32_z(0, reinterpret_cast<const Bytef*>(data.data()), static_cast<z_size_t>(data.size())));
}

// A raw deflate stream that must unpack to exactly `size` bytes. Memory grows with what comes out of it, for a few bytes can
// claim any size.
std::optional<std::string> inflated(std::string_view packed, std::size_t size) {
    constexpr std::size_t kFirstPart = 1u << 16;
    std::string data;
    z_stream stream{};
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return std::nullopt;
    int status = Z_OK;
    while (status == Z_OK && stream.total_out <= size) {
        const std::size_t begin = stream.total_out;
        data.resize(std::min(size + 1, std::max(kFirstPart, 2 * begin))); // one more, to notice one longer than it says
        stream.next_out = reinterpret_cast<Bytef*>(data.data()) + begin;
        stream.avail_out = static_cast<uInt>(data.size() - begin);
        status = inflate(&stream, Z_NO_FLUSH);
    }
    const bool complete = status == Z_STREAM_END && stream.total_out == size;
    inflateEnd(&stream);
    if (!complete) return std::nullopt;
    data.resize(size);
    return data;
}

class ZipReader {
  public:
    explicit ZipReader(std::string_view bytes) : bytes_(bytes) {}

    Result<std::vector<ZipEntry>> read() {
        const std::size_t end = bytes_.rfind(kEnd);
        if (end == std::string_view::npos || bytes_.size() - end < kEndSize) {
            return Error{"npz is a zip archive but the file does not end with the directory of one"};
        }
        const std::uint64_t n_entries = number(end + 10, 2);
        std::size_t position = number(end + 16, 4);
        std::vector<ZipEntry> entries;
        for (std::uint64_t i = 0; i < n_entries; ++i) {
            const std::optional<CentralEntry> central = read_central(position);
            if (!central) return Error{damaged_directory(n_entries, i)};
            Result<std::string> data = unpack(*central);
            if (!data) return Error{"the archive's entry " + json_string(central->name) + " " + data.error()};
            entries.push_back({central->name, std::move(data).value()});
        }
        return entries;
    }

  private:
    static std::string damaged_directory(std::uint64_t n_entries, std::uint64_t n_read) {
        return "the archive's directory is to have " + std::to_string(n_entries) + " entries but only " +
               std::to_string(n_read) + " can be read";
    }

    std::size_t number(std::size_t position, std::size_t n_bytes) const {
        return static_cast<std::size_t>(read_little_endian(bytes_.substr(position), n_bytes));
    }

    bool has(std::size_t position, std::uint64_t n_bytes) const {
        return position <= bytes_.size() && n_bytes <= bytes_.size() - position;
    }

    // The entry of the central directory at `position`, which moves on to the next.
    std::optional<CentralEntry> read_central(std::size_t& position) const {
        if (!has(position, kCentralSize) || bytes_.substr(position, 4) != kCentralHeader) return std::nullopt;
        const std::size_t name_size = number(position + 28, 2);
        if (!has(position + kCentralSize, name_size)) return std::nullopt;
        CentralEntry entry{std::string(bytes_.substr(position + kCentralSize, name_size)),
                           number(position + 8, 2),
                           number(position + 10, 2),
                           number(position + 16, 4),
                           number(position + 20, 4),
                           number(position + 24, 4),
                           number(position + 42, 4)};
        position += kCentralSize + name_size + number(position + 30, 2) + number(position + 32, 2);
        return entry;
    }

    // What is stored of the entry; an error goes on after its name.
    Result<std::string_view> packed(const CentralEntry& entry) const {
        const std::size_t local = static_cast<std::size_t>(entry.local_offset);
        if (!has(local, kLocalSize) || bytes_.substr(local, 4) != kLocalHeader) {
            return Error{"is to begin at byte " + std::to_string(local) + " but no entry does"};
        }
        const std::size_t begin = local + kLocalSize + number(local + 26, 2) + number(local + 28, 2);
        if (!has(begin, entry.packed_size)) {
            const std::size_t n_there = bytes_.size() - std::min(begin, bytes_.size());
            return Error{"takes " + std::to_string(entry.packed_size) + " bytes but the file ends after " +
                         std::to_string(n_there) + " of them"};
        }
        if ((entry.flags & 1) != 0) return Error{"is encrypted but only what is not can be read"};
        return bytes_.substr(begin, static_cast<std::size_t>(entry.packed_size));
    }

    Result<std::string> unpack(const CentralEntry& entry) {
        const Result<std::string_view> packed_data = packed(entry);
        if (!packed_data) return Error{packed_data.error()};
        n_unpacked_ += entry.size;
        if (n_unpacked_ > kMostUnpacked) {
            return Error{"brings the archive to " + std::to_string(n_unpacked_) + " bytes but 1 GiB is the most"};
        }
        std::optional<std::string> data;
        if (entry.method == kStored)
            data = std::string(*packed_data);
        else if (entry.method == kDeflated)
            data = inflated(*packed_data, static_cast<std::size_t>(entry.size));
        else
            return Error{"is packed by method " + std::to_string(entry.method) + " but 0 and 8 are known"};
        if (!data || data->size() != entry.size) {
            return Error{"is to have " + std::to_string(entry.size) + " bytes but does not unpack to as many"};
        }
        const std::uint64_t checksum = checksum_of(*data);
        if (checksum == entry.checksum) return *std::move(data);
        return Error{"has the checksum " + std::to_string(checksum) + " but is to have " +
                     std::to_string(entry.checksum)};
    }

    std::string_view bytes_;
    std::uint64_t n_unpacked_ = 0;
};

// What the local and the central header have in common.
void append_common(std::string& bytes, const ZipEntry& entry) {
    constexpr std::uint64_t kVersion = 20, kUtf8Names = 0x0800, kMidnight = 0, kFirstOf1980 = 0x0021;
    append_little_endian(bytes, kVersion, 2);
    append_little_endian(bytes, kUtf8Names, 2);
    append_little_endian(bytes, kStored, 2);
    append_little_endian(bytes, kMidnight, 2);
    append_little_endian(bytes, kFirstOf1980, 2);
    append_little_endian(bytes, checksum_of(entry.data), 4);
    append_little_endian(bytes, entry.data.size(), 4);
    append_little_endian(bytes, entry.data.size(), 4);
    append_little_endian(bytes, entry.name.size(), 2);
    append_little_endian(bytes, 0, 2); // no extras
}

} // namespace

Result<std::vector<ZipEntry>> read_zip(std::string_view bytes) { return ZipReader(bytes).read(); }

std::string write_zip(const std::vector<ZipEntry>& entries) {
    std::string bytes, directory;
    for (const ZipEntry& entry : entries) {
        const std::size_t local_offset = bytes.size();
        bytes += kLocalHeader;
        append_common(bytes, entry);
        bytes += entry.name + entry.data;
        directory += kCentralHeader;
        append_little_endian(directory, 20, 2); // made by version 2.0
        append_common(directory, entry);
        append_little_endian(directory, 0, 10); // no comment, disk 0, no attributes
        append_little_endian(directory, local_offset, 4);
        directory += entry.name;
    }
    const std::size_t directory_offset = bytes.size();
    assert(directory_offset + directory.size() < 0xFFFFFFFFu && entries.size() < 0xFFFFu);
    bytes += directory;
    bytes += kEnd;
    append_little_endian(bytes, 0, 4); // the only disk
    append_little_endian(bytes, entries.size(), 2);
    append_little_endian(bytes, entries.size(), 2);
    append_little_endian(bytes, directory.size(), 4);
    append_little_endian(bytes, directory_offset, 4);
    append_little_endian(bytes, 0, 2); // no comment
    return bytes;
}

} // namespace lab
