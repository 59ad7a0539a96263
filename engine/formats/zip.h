#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/result.h"

namespace lab {

struct ZipEntry {
    std::string name;
    std::string data;
};

// The files of a zip archive (PKWARE APPNOTE 6.3): stored or deflated, checksums checked. Not modelled:
// encryption, archives of several disks, of more than 4 GiB, and entries that unpack to more than 1 GiB
// together; those, and bytes that are no archive, are errors.
Result<std::vector<ZipEntry>> read_zip(std::string_view bytes);

// An archive of stored files, dated 1980-01-01 so that equal contents give equal bytes. Less than 4 GiB.
std::string write_zip(const std::vector<ZipEntry>& entries);

} // namespace lab
