#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace lab {

// What is wrong with something from outside (a file, a typed size): one sentence that states both facts,
// "inputs have 3 columns but W_query has 4 rows".
struct Error {
    std::string message;
};

// A value, or the one sentence that says why there is none.
template <class T> class [[nodiscard]] Result {
  public:
    Result(T value) : state_(std::move(value)) {}
    Result(Error error) : state_(std::move(error)) {}

    bool has_value() const { return state_.index() == 0; }
    explicit operator bool() const { return has_value(); }

    const T& value() const& {
        assert(has_value());
        return *std::get_if<T>(&state_);
    }
    T&& value() && {
        assert(has_value());
        return std::move(*std::get_if<T>(&state_));
    }
    const T& operator*() const& { return value(); }
    const T* operator->() const { return &value(); }

    const std::string& error() const {
        assert(!has_value());
        return std::get_if<Error>(&state_)->message;
    }

  private:
    std::variant<T, Error> state_;
};

// For functions that only succeed or fail.
using Done = std::monostate;

} // namespace lab
