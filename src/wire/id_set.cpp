#include "wire/id_set.hpp"

#include <fray/assert.hpp>
#include <fray/serialize.hpp>

#include <algorithm>
#include <bit>

namespace fray {

namespace {

/// What both ends know once they know how many ids there are, the first and the last.
struct Shape {
    std::uint64_t inner = 0;  ///< ids between the first and the last
    std::uint64_t slack = 0;  ///< numbers between them that are no ids

    [[nodiscard]] std::uint64_t bitmap_bits() const { return inner + slack; }
    /// Low bits of a gap that are written as they are: about half of the mean gap.
    [[nodiscard]] unsigned rice_bits() const { return bits_for(slack / (inner + 1) / 2); }
    /// With no id or no gap between the ends there is nothing left to say.
    [[nodiscard]] bool is_plain() const { return inner == 0 || slack == 0; }
};

/// The gaps in front of all ids but the first and the last.
template <class Visit>
void for_each_gap(std::span<const std::uint32_t> ids, Visit visit) {
    for (std::size_t i = 1; i + 1 < ids.size(); ++i) visit(std::uint64_t{ids[i]} - ids[i - 1] - 1);
}

std::uint64_t gaps_cost(std::span<const std::uint32_t> ids, unsigned rice_bits) {
    std::uint64_t cost = 0;
    for_each_gap(ids, [&](std::uint64_t gap) { cost += (gap >> rice_bits) + 1 + rice_bits; });
    return cost;
}

void write_gaps(BitWriter& out, std::span<const std::uint32_t> ids, unsigned rice_bits) {
    for_each_gap(ids, [&](std::uint64_t gap) {
        for (std::uint64_t quotient = gap >> rice_bits; quotient > 0; --quotient) out.boolean(true);
        out.boolean(false);
        out.bits(gap, rice_bits);
    });
}

void write_bitmap(BitWriter& out, std::span<const std::uint32_t> ids) {
    for_each_gap(ids, [&](std::uint64_t gap) {
        for (; gap > 0; --gap) out.boolean(false);
        out.boolean(true);
    });
    for (std::uint32_t rest = ids.back() - ids[ids.size() - 2] - 1; rest > 0; --rest) out.boolean(false);
}

/// Gaps never add up to more than the slack, so a stranger cannot make this loop longer than his bits.
bool read_gaps(BitReader& in, std::vector<std::uint32_t>& ids, const Shape& shape) {
    const unsigned low_bits = shape.rice_bits();
    std::uint64_t left = shape.slack;
    for (std::uint64_t i = 0; i < shape.inner; ++i) {
        std::uint64_t gap = 0;
        while (in.boolean()) gap += std::uint64_t{1} << low_bits;
        gap += in.bits(low_bits);
        if (!in.ok() || gap > left) return false;
        left -= gap;
        ids.push_back(static_cast<std::uint32_t>(ids.back() + gap + 1));
    }
    return true;
}

bool read_bitmap(BitReader& in, std::vector<std::uint32_t>& ids, const Shape& shape) {
    if (shape.bitmap_bits() > in.bits_left()) return false;
    const std::uint32_t first = ids.front();
    for (std::uint64_t done = 0; done < shape.bitmap_bits(); done += 64) {
        const auto count = static_cast<unsigned>(std::min<std::uint64_t>(64, shape.bitmap_bits() - done));
        for (std::uint64_t word = in.bits(count); word != 0; word &= word - 1) {
            if (ids.size() > shape.inner) return false;
            const std::uint64_t place = done + static_cast<unsigned>(std::countr_zero(word));
            ids.push_back(static_cast<std::uint32_t>(first + 1 + place));
        }
    }
    return ids.size() == shape.inner + 1;
}

void fill_run(std::vector<std::uint32_t>& ids, std::uint64_t inner) {
    for (std::uint64_t i = 0; i < inner; ++i) ids.push_back(ids.back() + 1);
}

/// Everything between the first id, which is already there, and the last.
bool read_inner(BitReader& in, std::vector<std::uint32_t>& ids, const Shape& shape, std::uint32_t last) {
    bool bitmap = false;
    if (shape.is_plain()) {
        fill_run(ids, shape.inner);
    } else {
        bitmap = in.boolean();
        if (!(bitmap ? read_bitmap(in, ids, shape) : read_gaps(in, ids, shape))) return false;
    }
    ids.push_back(last);
    return shape.is_plain() || bitmap == (shape.bitmap_bits() < gaps_cost(ids, shape.rice_bits()));
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
    return last <= UINT32_MAX && read_inner(in, ids, shape, static_cast<std::uint32_t>(last));
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
    if (shape.is_plain()) return;
    const bool bitmap = shape.bitmap_bits() < gaps_cost(ids, shape.rice_bits());
    out.boolean(bitmap);
    if (bitmap) {
        write_bitmap(out, ids);
    } else {
        write_gaps(out, ids, shape.rice_bits());
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
