#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "app/command_line/command_line.h"
#include "app/files.h"
#include "engine/formats/npz.h"

namespace lab_tests {

namespace fs = std::filesystem;

struct Outcome {
    int status;
    std::string out;
    std::string err;
    std::vector<lab::WindowSession> windows; // that were opened
};

inline Outcome run(const std::vector<std::string>& arguments, const std::string& input = "") {
    std::istringstream in(input);
    std::ostringstream out, err;
    std::vector<lab::WindowSession> windows;
    const auto open_window = [&](const lab::WindowSession& session) {
        windows.push_back(session);
        return lab::kSuccess;
    };
    const int status = lab::run_program(arguments, {in, out, err}, open_window);
    return {status, out.str(), err.str(), windows};
}

// A folder of its own for each test, gone afterwards.
class CommandLine : public testing::Test {
  protected:
    void SetUp() override {
        const auto* info = testing::UnitTest::GetInstance()->current_test_info();
        folder_ = fs::temp_directory_path() / (std::string("attention_lab_") + info->name());
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }

    std::string path(const std::string& name) const { return (folder_ / name).string(); }

    std::string write(const std::string& name, const std::string& bytes) const {
        std::ofstream(path(name), std::ios::binary) << bytes;
        return path(name);
    }

    std::map<std::string, lab::Tensor> read_npz(const std::string& name) const {
        const auto bytes = lab::read_file(path(name));
        EXPECT_TRUE(bytes) << bytes.error();
        const auto tensors = lab::read_npz(*bytes);
        EXPECT_TRUE(tensors) << tensors.error();
        return *tensors;
    }

    int n_files() const { return static_cast<int>(std::distance(fs::directory_iterator(folder_), {})); }

    fs::path folder_;
};

} // namespace lab_tests
