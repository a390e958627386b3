// Any bytes as a set of ids: rejected, or an ascending set within its bound that is written back to the same
// bits.

#include <fray/assert.hpp>

#include "wire/id_set.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::size_t kMost = 300;
    fray::BitReader in{{data, size}};
    std::vector<std::uint32_t> ids;
    if (!fray::read_id_set(in, ids, kMost)) {
        FRAY_ASSERT(ids.empty() && !in.ok());
        return 0;
    }
    FRAY_ASSERT(ids.size() <= kMost);
    FRAY_ASSERT(std::is_sorted(ids.begin(), ids.end(), std::less_equal<>{}));
    std::vector<std::uint8_t> memory(size);
    fray::BitWriter out{memory};
    fray::write_id_set(out, ids);
    FRAY_ASSERT(!out.overflowed() && out.bit_count() == in.position());
    fray::BitReader left{{data, size}, in.position()};
    fray::BitReader right{memory, in.position()};
    while (left.bits_left() > 0) FRAY_ASSERT(left.boolean() == right.boolean());
    return 0;
}
