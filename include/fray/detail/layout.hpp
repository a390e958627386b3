#pragma once
// The fingerprint of a struct's layout: which calls its serialize() makes, in which order, with which
// parameters. Two peers whose structs differ in a field, its place, range or precision get different ones.

#include <fray/fingerprint.hpp>
#include <fray/serialize.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace fray::detail {

/// Looks like a reader, and hashes each call instead of reading. Fields that exist only if others have
/// certain values are found by repeated passes: each gives all flags and numbers other values.
class LayoutStream {
public:
    static constexpr bool kReading = true;
    /// Flags false and true, and the 16 lowest values of every number and enumeration.
    static constexpr unsigned kPasses = 32;
    LayoutStream(Fingerprint& sum, unsigned pass) : sum_{sum}, pass_{pass} {}

    void boolean(bool& value) {
        add(Kind::boolean);
        value = !exhausted() && pass_ % 2 != 0;
    }
    template <std::integral T>
    void integer(T& value, std::type_identity_t<T> low, std::type_identity_t<T> high) {
        add(Kind::integer, static_cast<std::uint64_t>(low), static_cast<std::uint64_t>(high));
        const auto extent = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
        value = static_cast<T>(static_cast<std::uint64_t>(low) + std::min(number(), extent));
    }
    template <class Enum>
        requires std::is_enum_v<Enum>
    void enumeration(Enum& value, Enum last) {
        const auto most = static_cast<std::uint32_t>(last);
        add(Kind::enumeration, most);
        value = static_cast<Enum>(std::min(number(), std::uint64_t{most}));
    }
    template <std::unsigned_integral T>
    void varint(T& value) {
        add(Kind::varint, sizeof(T));
        value = static_cast<T>(number());
    }
    template <std::unsigned_integral T>
    void whole(T& value) {
        add(Kind::whole, sizeof(T));
        value = static_cast<T>(number());
    }
    void quantised(float& value, const Range& range) {
        add(Kind::quantised);
        // Negative zero is the same bound as zero.
        sum_.add(range.low + 0.0F).add(range.high + 0.0F).add(range.precision);
        value = range.low;
    }
    void angle(float& degrees, unsigned bits) {
        add(Kind::angle, bits);
        degrees = 0;
    }
    template <class T>
    void real(T& value) {
        add(Kind::real, sizeof(T));
        value = 0;
    }
    template <std::size_t N>
    void array(std::array<std::uint8_t, N>&) {
        add(Kind::array, N);
    }
    void bytes(std::vector<std::uint8_t>&, std::size_t most) { add(Kind::bytes, most); }
    void text(std::string&, std::size_t most) { add(Kind::text, most); }
    template <class T>
    void list(std::vector<T>& values, std::size_t most) {
        list(values, most, [](LayoutStream& stream, T& value) { stream.object(value); });
    }
    template <class T, class Element>
    void list(std::vector<T>& values, std::size_t most, Element element) {
        add(Kind::list, most);
        values.clear();
        if (most == 0 || number() == 0) return;
        values.emplace_back();
        element(*this, values.back());
        add(Kind::list_end);
    }
    /// The fields of a nested value count as fields of the outer one, as they do on the wire.
    template <class T>
    void object(T& value) {
        require_serializable<T>();
        if constexpr (Serializable<T>) serialize(*this, value);
    }
    void fail() {}
    [[nodiscard]] bool ok() const { return !exhausted(); }

private:
    enum class Kind : std::uint8_t {
        boolean = 1,
        integer,
        enumeration,
        varint,
        whole,
        quantised,
        angle,
        real,
        array,
        bytes,
        text,
        list,
        list_end,
    };
    static constexpr unsigned kMostCalls = 4096;  // a struct that contains itself has no end

    void add(Kind kind, std::uint64_t first = 0, std::uint64_t second = 0) {
        ++calls_;
        if (!exhausted()) sum_.add(static_cast<std::uint64_t>(kind)).add(first).add(second);
    }
    [[nodiscard]] bool exhausted() const { return calls_ > kMostCalls; }
    [[nodiscard]] std::uint64_t number() const { return exhausted() ? 0 : pass_ / 2; }

    Fingerprint& sum_;
    unsigned pass_;
    unsigned calls_ = 0;
};

template <class T>
std::uint64_t compute_layout() {
    Fingerprint sum;
    for (unsigned pass = 0; pass < LayoutStream::kPasses; ++pass) {
        T value{};
        LayoutStream stream{sum, pass};
        stream.object(value);
    }
    return sum.value();
}

/// Computed once per type and program.
template <class T>
std::uint64_t layout_of() {
    static const std::uint64_t kLayout = compute_layout<T>();
    return kLayout;
}

}  // namespace fray::detail
