#pragma once
// What full-mesh overlays tell each other.

#include <fray/serialize.hpp>

#include "overlay/overlay.hpp"

#include <cstdint>
#include <vector>

namespace fray {

inline constexpr std::size_t kMaxIntroductions = 512;  // in one message

template <class Stream>
void serialize(Stream& s, Contact& c) {
    s.array(c.id.bytes);
    auto incarnation = static_cast<std::uint32_t>(c.incarnation);
    s.whole(incarnation);
    if constexpr (Stream::kReading) c.incarnation = Incarnation{incarnation};
    s.array(c.address.ip);
    s.whole(c.address.port);
}

/// Either a digest of the sender's list of peers, or the list itself.
struct Roster {
    bool is_list = false;
    std::uint32_t digest = 0;
    std::vector<Contact> list;
};

template <class Stream>
void serialize(Stream& s, Roster& r) {
    s.boolean(r.is_list);
    if (!r.is_list) return s.whole(r.digest);
    auto count = static_cast<std::uint32_t>(r.list.size());
    s.varint(count);
    if (count > kMaxIntroductions) return s.fail();
    if constexpr (Stream::kReading) {
        r.list.clear();
        for (std::uint32_t i = 0; i < count && s.ok(); ++i) serialize(s, r.list.emplace_back());
    } else {
        for (Contact& c : r.list) serialize(s, c);
    }
}

}  // namespace fray
