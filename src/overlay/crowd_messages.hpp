#pragma once
// Messages between crowd overlays. Each says how much its sender can carry for others.

#include <fray/serialize.hpp>

#include "overlay/introduction.hpp"
#include "wire/id_set.hpp"
#include "wire/lists.hpp"

#include <cstdint>
#include <vector>

namespace fray {

inline constexpr std::uint8_t kMostWeight = 15;
inline constexpr std::uint8_t kMostAge = 15;               // seconds
inline constexpr std::size_t kMaxCrowdNames = 1024;        // in one message
inline constexpr std::size_t kMaxCrowdIntroductions = 40;  // in one message
inline constexpr unsigned kMostSliceBits = 7;
inline constexpr std::uint8_t kMostRefusals = 3;  // that count
inline constexpr std::size_t kMaxStreams = 16;    // that one peer may want over one link

/// Everything that a peer must know of another one.
struct CrowdIntroduction {
    PeerId id;
    Address address;
    std::uint8_t weight = 1;  ///< what it can carry for others, 1 to kMostWeight
    std::uint8_t age = 0;     ///< seconds since anything was heard of it, at most kMostAge
};

template <class Stream>
void serialize(Stream& s, CrowdIntroduction& i) {
    s.array(i.id.bytes);
    serialize_address(s, i.address);
    s.integer(i.weight, 1, kMostWeight);
    s.integer(i.age, 0, kMostAge);
}

struct CrowdMessage {
    enum class Kind : std::uint8_t {
        digest,         ///< of all known peers; if the receiver's differs, it answers with `known`
        known,          ///< the names of a slice of the known peers; answered by `introductions`
        ask,            ///< names that the sender does not know; answered by `introductions`
        introductions,  ///< peers that the receiver lacks
        want,           ///< what the receiver is to relay to the sender from now on
        refusal,        ///< of what the receiver wants, the sender does not relay this
        parting,        ///< the sender does not need the link, and drops it
    };
    Kind kind{};
    std::uint8_t weight = 1;      ///< of the sender
    std::uint8_t fan_out = 0;     ///< relays that the sender feeds; 0: none, it serves everybody itself
    std::uint32_t digest = 0;     ///< digest
    std::uint8_t slice_bits = 0;  ///< known: the names that begin with these bits
    std::uint8_t slice = 0;
    std::uint8_t salt = 0;                           ///< known, ask
    std::vector<std::uint32_t> names{};              ///< known, ask: list_name() with this salt, ascending
    std::vector<CrowdIntroduction> introductions{};  ///< introductions
    bool row = false;                                ///< want, refusal: bundles of the receiver's row
    std::uint8_t refusals = 0;  ///< want: others of that row have refused it, at most kMostRefusals
    std::vector<std::uint32_t>
        streams{};  ///< want, refusal: names of peers whose every update is wanted, ascending
};

void write(BitWriter& out, const CrowdMessage& message);
[[nodiscard]] bool read(BitReader& in, CrowdMessage& message);

}  // namespace fray
