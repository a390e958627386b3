#pragma once
// Values as bytes and back: the body of a recording. One fields() per type serves both directions; see
// recording_fields.hpp. Reading is total: past the end, or at an invalid value, it stops, and all further
// values are zero.

#include <fray/ids.hpp>
#include <fray/time.hpp>

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace fray::sim {

/// Common to both directions. Self supplies number(), fixed(), bytes(), failed() and kReading.
template <class Self>
class Archive {
public:
    template <class... Ts>
    void operator()(Ts&... values) {
        (one(values), ...);
    }

private:
    friend Self;
    Archive() = default;
    Self& self() { return static_cast<Self&>(*this); }

    void one(bool& value) {
        std::uint64_t raw = value ? 1 : 0;
        self().number(raw);
        if (raw > 1) self().fail();
        if constexpr (Self::kReading) value = raw == 1;
    }
    template <std::unsigned_integral T>
    void one(T& value) {
        std::uint64_t raw = value;
        self().number(raw);
        if (raw > static_cast<std::uint64_t>(static_cast<T>(-1))) self().fail();
        if constexpr (Self::kReading) value = static_cast<T>(raw);
    }
    /// Small magnitudes stay short: 0, -1, 1, -2, ... become 0, 1, 2, 3, ...
    void one(std::int64_t& value) {
        auto raw = (static_cast<std::uint64_t>(value) << 1U) ^ static_cast<std::uint64_t>(value >> 63);
        self().number(raw);
        if constexpr (Self::kReading) value = static_cast<std::int64_t>((raw >> 1U) ^ (0 - (raw & 1U)));
    }
    template <class T>
        requires std::is_enum_v<T>
    void one(T& value) {
        auto raw = static_cast<std::underlying_type_t<T>>(value);
        one(raw);
        if constexpr (Self::kReading) value = static_cast<T>(raw);
    }
    void one(float& value) {
        std::uint64_t raw = std::bit_cast<std::uint32_t>(value);
        self().fixed(raw, 4);
        if constexpr (Self::kReading) value = std::bit_cast<float>(static_cast<std::uint32_t>(raw));
    }
    void one(double& value) {
        auto raw = std::bit_cast<std::uint64_t>(value);
        self().fixed(raw, 8);
        if constexpr (Self::kReading) value = std::bit_cast<double>(raw);
    }
    void one(std::string& value) { sized(value); }
    void one(std::vector<std::uint8_t>& value) { sized(value); }
    template <std::size_t N>
    void one(std::array<std::uint8_t, N>& value) {
        for (std::uint8_t& byte : value) {
            std::uint64_t raw = byte;
            self().fixed(raw, 1);
            if constexpr (Self::kReading) byte = static_cast<std::uint8_t>(raw);
        }
    }
    template <class Clock>
    void one(std::chrono::time_point<Clock, Duration>& value) {
        std::int64_t raw = value.time_since_epoch().count();
        one(raw);
        if constexpr (Self::kReading) value = std::chrono::time_point<Clock, Duration>{Duration{raw}};
    }
    void one(Duration& value) {
        std::int64_t raw = value.count();
        one(raw);
        if constexpr (Self::kReading) value = Duration{raw};
    }
    template <class T>
    void one(std::optional<T>& value) {
        bool there = value.has_value();
        one(there);
        if constexpr (Self::kReading) {
            value.reset();
            if (there) value.emplace();
        }
        if (there) one(*value);
    }
    template <class T>
    void one(std::shared_ptr<const T>& value) {
        bool there = value != nullptr;
        one(there);
        if (!there) return;
        T copy = value ? *value : T{};
        one(copy);
        if constexpr (Self::kReading) value = std::make_shared<const T>(std::move(copy));
    }
    template <class T>
    void one(std::vector<T>& value) {
        std::uint64_t size = value.size();
        self().number(size);
        if (!self().may_hold(size)) return self().fail();
        if constexpr (Self::kReading) {
            value.clear();  // removes elements of a default value
            value.resize(static_cast<std::size_t>(size));
        }
        for (T& element : value) one(element);
    }
    template <class... Ts>
    void one(std::variant<Ts...>& value) {
        std::uint64_t index = value.index();
        self().number(index);
        if (index >= sizeof...(Ts)) return self().fail();
        if constexpr (Self::kReading) emplace<0>(value, index);
        std::visit([this](auto& alternative) { this->one(alternative); }, value);
    }
    /// Any other type has a fields().
    template <class T>
    void one(T& value) {
        fields(self(), value);
    }

    template <std::size_t I, class Variant>
    static void emplace(Variant& value, std::uint64_t index) {
        if (index == I) {
            value.template emplace<I>();
        } else if constexpr (I + 1 < std::variant_size_v<Variant>) {
            emplace<I + 1>(value, index);
        }
    }
    template <class Bytes>
    void sized(Bytes& value) {
        std::uint64_t size = value.size();
        self().number(size);
        if (!self().may_hold(size)) return self().fail();
        if constexpr (Self::kReading) value.resize(static_cast<std::size_t>(size));
        self().bytes(value.data(), static_cast<std::size_t>(size));
    }
};

class ArchiveWriter : public Archive<ArchiveWriter> {
public:
    static constexpr bool kReading = false;
    explicit ArchiveWriter(std::vector<std::uint8_t>& out) : out_{out} {}
    void number(std::uint64_t value);
    void fixed(std::uint64_t value, unsigned size);
    void bytes(const void* data, std::size_t size);
    void fail() {}
    [[nodiscard]] bool may_hold(std::uint64_t) const { return true; }

private:
    std::vector<std::uint8_t>& out_;
};

class ArchiveReader : public Archive<ArchiveReader> {
public:
    static constexpr bool kReading = true;
    explicit ArchiveReader(std::span<const std::uint8_t> in) : in_{in} {}
    void number(std::uint64_t& value);
    void fixed(std::uint64_t& value, unsigned size);
    void bytes(void* data, std::size_t size);
    void fail() { failed_ = true; }
    /// Every element takes at least a byte: a count above the bytes left is invalid, and nothing is
    /// allocated.
    [[nodiscard]] bool may_hold(std::uint64_t count) const { return !failed_ && count <= in_.size() - at_; }
    [[nodiscard]] bool ok() const { return !failed_; }
    [[nodiscard]] std::size_t position() const { return at_; }
    [[nodiscard]] bool at_end() const { return at_ == in_.size(); }

private:
    std::span<const std::uint8_t> in_;
    std::size_t at_ = 0;
    bool failed_ = false;
};

}  // namespace fray::sim
