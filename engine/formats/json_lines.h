#pragma once

#include <string>

namespace lab {

// A JSON object, a line for each key, appended to a text: its values may be large.
class JsonLines {
  public:
    // Lines after the first begin with `indent`.
    JsonLines(std::string& text, std::string indent);

    // Of a key, whose value is then appended to the text.
    std::string& begin(const std::string& key);
    void add(const std::string& key, const std::string& value) { begin(key) += value; }
    void end();

  private:
    std::string& text_;
    std::string indent_;
    bool is_empty_ = true;
};

} // namespace lab
