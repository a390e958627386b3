#include "wire/id_set.hpp"

#include <fray/assert.hpp>
#include <fray/serialize.hpp>

#include <bit>

namespace fray {

namespace {

/// Follows from the number of ids, the first and the last; both ends compute it.
struct Shape {
    std::uint64_t inner = 0;  ///< ids between the first and the last
    std::uint64_t slack = 0;  ///< numbers between them that are not in the set

    /// Low bits of a gap that are written as they are: about half of the mean gap.
    [[nodiscard]] unsigned rice_bits() const { return bits_for(slack / (inner + 1) / 2); }
};

/// This many ones, then a zero.
void write_ones(BitWriter& out, std::uint64_t count) {
    for (; count >= 63; count -= 63) out.bits(low_mask(63), 63);
    out.bits(low_mask(static_cast<unsigned>(count)), static_cast<unsigned>(count) + 1);
}

std::uint64_t read_ones(BitReader& in) {
    std::uint64_t count = 0;
    for (;;) {
        const auto ones = static_cast<unsigned>(std::countr_one(in.peek()));
        count += ones;
        if (ones < 64) {
            in.skip(ones + 1);
            return count;
        }
        in.skip(64);
    }
}

/// The gaps add up to at most the slack, so received bytes cannot make this loop longer than their bits.
bool read_gaps(BitReader& in, std::vector<std::uint32_t>& ids, const Shape& shape) {
    const unsigned low_bits = shape.rice_bits();
    std::uint64_t left = shape.slack;
    for (std::uint64_t i = 0; i < shape.inner; ++i) {
        const std::uint64_t high = read_ones(in);
        const std::uint64_t gap = (high << low_bits) + in.bits(low_bits);
        if (!in.ok() || gap > left) return false;
        left -= gap;
        ids.push_back(static_cast<std::uint32_t>(ids.back() + gap + 1));
    }
    return true;
}

void fill_run(std::vector<std::uint32_t>& ids, std::uint64_t inner) {
    for (std::uint64_t i = 0; i < inner; ++i) ids.push_back(ids.back() + 1);
}

bool read_ids(BitReader& in, std::vector<std::uint32_t>& ids, std::size_t most) {
    const std::uint64_t count = read_varint(in);
    if (count > most) return false;
    if (count == 0) return in.ok();
    const std::uint64_t first = read_varint(in);
    if (!in.ok() || first > UINT32_MAX) return false;
    ids.push_back(static_cast<std::uint32_t>(first));
    if (count == 1) return true;
    const Shape shape{.inner = count - 2, .slack = read_varint(in)};
    if (!in.ok() || shape.slack > UINT32_MAX) return false;
    const std::uint64_t last = first + shape.inner + shape.slack + 1;
    if (last > UINT32_MAX) return false;
    if (shape.slack == 0) fill_run(ids, shape.inner);
    if (shape.slack != 0 && !read_gaps(in, ids, shape)) return false;
    ids.push_back(static_cast<std::uint32_t>(last));
    return true;
}

}  // namespace

void write_id_set(BitWriter& out, std::span<const std::uint32_t> ids) {
    write_varint(out, ids.size());
    if (ids.empty()) return;
    write_varint(out, ids.front());
    if (ids.size() == 1) return;
    FRAY_ASSERT(ids.back() - ids.front() >= ids.size() - 1);
    const Shape shape{.inner = ids.size() - 2, .slack = ids.back() - ids.front() - (ids.size() - 1)};
    write_varint(out, shape.slack);
    if (shape.slack == 0) return;
    const unsigned low_bits = shape.rice_bits();
    for (std::size_t i = 1; i + 1 < ids.size(); ++i) {
        const std::uint64_t gap = ids[i] - ids[i - 1] - 1;
        write_ones(out, gap >> low_bits);
        out.bits(gap, low_bits);
    }
}

bool read_id_set(BitReader& in, std::vector<std::uint32_t>& ids, std::size_t most) {
    ids.clear();
    if (read_ids(in, ids, most) && in.ok()) return true;
    in.fail();
    ids.clear();
    return false;
}

}  // namespace fray
