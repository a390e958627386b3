#pragma once
// Result<T>: a value, or one line that says what went wrong. Used at the API boundary (options, files,
// sockets). No exception crosses a public header.

#include <fray/assert.hpp>

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace fray {

/// One line for a person: what was expected, and what was found instead.
struct Error {
    std::string message;
};

template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : state_{std::in_place_index<0>, std::move(value)} {}      // NOLINT(*-explicit-*)
    Result(Error error) : state_{std::in_place_index<1>, std::move(error)} {}  // NOLINT(*-explicit-*)

    [[nodiscard]] bool has_value() const { return state_.index() == 0; }
    explicit operator bool() const { return has_value(); }

    [[nodiscard]] T& value() & { return checked(); }
    [[nodiscard]] const T& value() const& { return const_cast<Result*>(this)->checked(); }
    [[nodiscard]] T&& value() && { return std::move(checked()); }
    [[nodiscard]] T& operator*() { return checked(); }
    [[nodiscard]] const T& operator*() const { return const_cast<Result*>(this)->checked(); }
    [[nodiscard]] T* operator->() { return &checked(); }
    [[nodiscard]] const T* operator->() const { return &const_cast<Result*>(this)->checked(); }

    [[nodiscard]] const Error& error() const {
        FRAY_ASSERT(!has_value());
        return *std::get_if<1>(&state_);
    }

private:
    T& checked() {
        FRAY_ASSERT(has_value());
        return *std::get_if<0>(&state_);
    }

    std::variant<T, Error> state_;
};

/// A Result without a value: success, or an error.
template <>
class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error error) : error_{std::move(error)} {}  // NOLINT(*-explicit-*)

    [[nodiscard]] bool has_value() const { return !error_; }
    explicit operator bool() const { return has_value(); }
    [[nodiscard]] const Error& error() const {
        FRAY_ASSERT(error_);
        return *error_;
    }

private:
    std::optional<Error> error_;
};

}  // namespace fray
