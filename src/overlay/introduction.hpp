#pragma once
// Messages between full-mesh overlays: a digest of the linked peers, the names of all known peers, or
// introductions of peers that the receiver does not know.

#include <fray/fingerprint.hpp>
#include <fray/serialize.hpp>

#include "core/contact.hpp"
#include "wire/address_codec.hpp"
#include "wire/id_set.hpp"

#include <cstdint>
#include <vector>

namespace fray {

inline constexpr std::size_t kMaxIntroductions = 64;  // in one message
inline constexpr std::size_t kMaxKnown = 4096;        // names in one message

/// A contact as pSense sends it, with the full id.
template <class Stream>
void serialize(Stream& s, Contact& c) {
    s.array(c.id.bytes);
    auto incarnation = static_cast<std::uint32_t>(c.incarnation);
    s.whole(incarnation);
    if constexpr (Stream::kReading) c.incarnation = Incarnation{incarnation};
    s.array(c.address.ip);
    s.whole(c.address.port);
}

/// A short name of a peer.
[[nodiscard]] inline std::uint32_t name_of(const PeerId& id) {
    Fingerprint print;
    print.add(std::span<const std::uint8_t>{id.bytes});
    return static_cast<std::uint32_t>(print.value());
}
/// A 16-bit name for lists. Two peers may have the same one, but hardly with another salt as well.
[[nodiscard]] inline std::uint32_t list_name(std::uint32_t name, std::uint8_t salt) {
    std::uint32_t mixed = (name ^ salt * 0x9E3779B9U) * 0x85EBCA6BU;
    mixed = (mixed ^ mixed >> 13U) * 0xC2B2AE35U;
    return mixed >> 16U;
}

/// Enough to call a peer, and to detect that it is linked already: about 10 bytes.
struct Introduction {
    std::uint32_t name = 0;  ///< name_of(id)
    Address address;
};

template <class Stream>
void serialize(Stream& s, Introduction& i) {
    s.whole(i.name);
    serialize_address(s, i.address);
}

struct MeshMessage {
    enum class Kind : std::uint8_t {
        digest,        ///< of the linked peers; if the receiver's differs, it answers with `known`
        known,         ///< all names that the sender knows; answered by `introductions`
        introductions  ///< peers that the receiver lacks
    };
    Kind kind{};
    std::uint32_t digest = 0;
    std::uint8_t salt = 0;
    std::vector<std::uint32_t> known{};  ///< list_name() of each peer with this salt, ascending
    std::vector<Introduction> introductions{};
};

void write(BitWriter& out, const MeshMessage& message);
[[nodiscard]] bool read(BitReader& in, MeshMessage& message);

}  // namespace fray
