#pragma once

#include <string>

#include <gtest/gtest.h>

#include "engine/formats/presets.h"
#include "engine/formats/session.h"

namespace lab::test {

// What a preset opens as, which must need no note.
inline Document preset_document(const std::string& name) {
    const Result<SessionFile> file = read_session(preset_session_text(name));
    EXPECT_TRUE(file) << name << ": " << file.error();
    EXPECT_TRUE(file->notes.empty()) << name;
    return file->document;
}

} // namespace lab::test
