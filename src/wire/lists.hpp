#pragma once
// Lists, peer ids and whole packets on the wire, for protocols whose messages the game carries.

#include <fray/ids.hpp>
#include <fray/serialize.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fray {

template <class Stream>
void serialize(Stream& s, PeerId& id) {
    s.array(id.bytes);
}

/// Up to `most` values; a reader rejects more before it allocates anything.
template <class Stream, class T>
void serialize_list(Stream& s, std::vector<T>& list, std::size_t most) {
    std::uint64_t size = list.size();
    s.varint(size);
    if (size > most || !s.may_follow(size * 8)) return s.fail();
    if constexpr (Stream::kReading) {
        list.clear();
        for (std::uint64_t i = 0; i < size && s.ok(); ++i) s.object(list.emplace_back());
    } else {
        for (T& value : list) s.object(value);
    }
}

template <class T>
[[nodiscard]] std::vector<std::uint8_t> to_bytes(const T& packet) {
    std::vector<std::uint8_t> bytes((measure(packet) + 7) / 8);
    BitWriter out{bytes};
    write(out, packet);
    (void)out.finish();
    return bytes;
}

}  // namespace fray
