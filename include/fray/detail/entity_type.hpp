#pragma once
// EntityType::of<T>(): derives the function table, including deltas, from one serialize().

#include <fray/detail/layout.hpp>
#include <fray/encode.hpp>
#include <fray/world.hpp>

#include <utility>

namespace fray::detail {

/// Collects every field of a value as a number, in the order of its serialize().
class FieldStream : public Stream<FieldStream> {
public:
    static constexpr bool kReading = false;
    explicit FieldStream(std::vector<std::uint64_t>& fields) : fields_{fields} {}
    void raw(std::uint64_t& value, unsigned) { fields_.push_back(value); }
    void variable(std::uint64_t& value) { fields_.push_back(value); }
    void fail() {}
    [[nodiscard]] bool ok() const { return true; }
    [[nodiscard]] bool may_follow(std::uint64_t) const { return true; }

private:
    std::vector<std::uint64_t>& fields_;
};

/// Iterates over the baseline's fields; past the end every field is zero.
class Baseline {
public:
    explicit Baseline(std::span<const std::uint64_t> fields) : fields_{fields} {}
    std::uint64_t next() { return at_ < fields_.size() ? fields_[at_++] : 0; }

private:
    std::span<const std::uint64_t> fields_;
    std::size_t at_ = 0;
};

// A delta starts with one bit "something changed". If it is set, every field follows: one bit if unchanged,
// else its new value; a one-bit field is only the bit "changed". A baseline of fewer than two fields has no
// first bit, so that an empty payload takes no bits. Readers reject a change that changes nothing: every
// value has exactly one encoding.
[[nodiscard]] inline bool has_first_bit(std::span<const std::uint64_t> baseline) {
    return baseline.size() > 1;
}

class DeltaWriteStream : public Stream<DeltaWriteStream> {
public:
    static constexpr bool kReading = false;
    DeltaWriteStream(BitWriter& out, std::span<const std::uint64_t> baseline)
        : out_{out}, baseline_{baseline} {}
    void raw(std::uint64_t& value, unsigned bits) {
        const std::uint64_t old = baseline_.next();
        if (bits <= 1) {
            const std::uint64_t flipped = value ^ (old & bits);
            any_ = any_ || flipped != 0;
            out_.bits(flipped, bits);
        } else if (changed(value, old)) {
            out_.bits(value, bits);
        }
    }
    void variable(std::uint64_t& value) {
        if (changed(value, baseline_.next())) write_varint(out_, value);
    }
    void fail() {}
    [[nodiscard]] bool ok() const { return !out_.overflowed(); }
    [[nodiscard]] bool may_follow(std::uint64_t) const { return true; }
    [[nodiscard]] bool any_change() const { return any_; }

private:
    bool changed(std::uint64_t value, std::uint64_t old) {
        out_.boolean(value != old);
        any_ = any_ || value != old;
        return value != old;
    }

    BitWriter& out_;
    Baseline baseline_;
    bool any_ = false;
};

class DeltaReadStream : public Stream<DeltaReadStream> {
public:
    static constexpr bool kReading = true;
    /// same: nothing changed; no bits are read.
    DeltaReadStream(BitReader& in, std::span<const std::uint64_t> baseline, bool same)
        : in_{in}, baseline_{baseline}, same_{same} {}
    void raw(std::uint64_t& value, unsigned bits) {
        const std::uint64_t old = baseline_.next();
        if (bits <= 1) {
            const std::uint64_t flipped = same_ ? 0 : in_.bits(bits);
            any_ = any_ || flipped != 0;
            value = flipped ^ (old & bits);
            return;
        }
        value = old;
        if (changed()) replace(value, in_.bits(bits));
        if ((value & ~low_mask(bits)) != 0) fail();
    }
    void variable(std::uint64_t& value) {
        value = baseline_.next();
        if (changed()) replace(value, read_varint(in_));
    }
    void fail() { in_.fail(); }
    [[nodiscard]] bool ok() const { return in_.ok(); }
    // Every byte of a byte string takes at least the bit "unchanged": an eighth of its full encoding.
    [[nodiscard]] bool may_follow(std::uint64_t bits) const {
        return in_.ok() && (same_ || bits / 8 <= in_.bits_left());
    }
    [[nodiscard]] bool any_change() const { return any_; }

private:
    bool changed() { return !same_ && in_.boolean(); }
    void replace(std::uint64_t& value, std::uint64_t by) {
        any_ = true;
        if (value == by) return fail();
        value = by;
    }

    BitReader& in_;
    Baseline baseline_;
    bool same_;
    bool any_ = false;
};

/// Appends the canonical bytes of value: its serialize() output, padded to a whole byte.
template <class T>
bool append_canonical(const T& value, std::vector<std::uint8_t>& payload) {
    const std::size_t size = (measure(value) + 7) / 8;
    if (size > kMaxPayloadBytes) return false;
    const std::size_t start = payload.size();
    payload.resize(start + size);
    BitWriter out{std::span{payload}.subspan(start)};
    write(out, value);
    out.finish();
    return !out.overflowed();
}

template <class T>
bool fields_of(std::span<const std::uint8_t> payload, std::vector<std::uint64_t>& fields) {
    T value{};
    if (!parse(payload, value)) return false;
    FieldStream stream{fields};
    stream.object(value);
    return true;
}

template <class T>
bool write_delta_of(BitWriter& out, std::span<const std::uint64_t> baseline,
                    std::span<const std::uint8_t> payload) {
    T value{};
    if (out.overflowed() || !parse(payload, value)) return false;
    const std::size_t start = out.bit_count();
    if (has_first_bit(baseline)) out.boolean(true);
    DeltaWriteStream stream{out, baseline};
    stream.object(value);
    if (has_first_bit(baseline) && !stream.any_change()) {
        out.rewind(start);
        out.boolean(false);
    }
    return !out.overflowed();
}

template <class T>
bool read_delta_of(BitReader& in, std::span<const std::uint64_t> baseline,
                   std::vector<std::uint8_t>& payload) {
    T value{};
    const bool same = has_first_bit(baseline) && !in.boolean();
    DeltaReadStream stream{in, baseline, same};
    stream.object(value);
    if (has_first_bit(baseline) && !same && !stream.any_change()) in.fail();
    return in.ok() && append_canonical(value, payload);
}

template <class T>
bool read_full_of(BitReader& in, std::vector<std::uint8_t>& payload) {
    T value{};
    return read(in, value) && append_canonical(value, payload);
}

template <class T>
bool write_full_of(BitWriter& out, std::span<const std::uint8_t> payload) {
    T value{};
    if (!parse(payload, value)) return false;
    write(out, value);
    return !out.overflowed();
}

struct Nothing {};
template <class S>
void serialize(S&, Nothing&) {}

}  // namespace fray::detail

namespace fray {

template <class T>
EntityType EntityType::of(const std::string& name, AdvanceFunction advance) {
    static_assert(std::default_initializable<T>, "EntityType::of<T>() needs a T with a default constructor");
    detail::require_serializable<T>();
    if constexpr (Serializable<T> && std::default_initializable<T>) {
        return EntityType{.name = name,
                          .fields = &detail::fields_of<T>,
                          .write_delta = &detail::write_delta_of<T>,
                          .read_delta = &detail::read_delta_of<T>,
                          .read_full = &detail::read_full_of<T>,
                          .write_full = &detail::write_full_of<T>,
                          .advance = advance,
                          .layout = detail::layout_of<T>()};
    } else {
        return EntityType{};
    }
}

inline EntityType EntityType::bare(const std::string& name, AdvanceFunction advance) {
    return of<detail::Nothing>(name, advance);
}

}  // namespace fray
