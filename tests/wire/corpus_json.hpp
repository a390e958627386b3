#pragma once
// Values on the wire as text, with the names of WIRE_FORMAT.md.

#include <fray/serialize.hpp>
#include <fray/world.hpp>

#include "clock/clock_messages.hpp"
#include "link/hello.hpp"
#include "link/link.hpp"
#include "link/reliable_sender.hpp"
#include "overlay/introduction.hpp"
#include "wire/corpus.hpp"
#include "wire/pose_codec.hpp"

#include <array>
#include <concepts>
#include <initializer_list>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace fray {

/// A number, or text that already is JSON.
struct Json {
    template <std::integral T>
    Json(T number) : text{std::to_string(number)} {}   // NOLINT(*-explicit-*): for lists of fields
    Json(std::string json) : text{std::move(json)} {}  // NOLINT(*-explicit-*)
    std::string text;
};

inline std::string record(std::initializer_list<std::pair<const char*, Json>> fields) {
    std::string text = "{";
    for (const auto& [name, value] : fields) {
        text += (text.size() > 1 ? ", \"" : "\"") + std::string{name} + "\": " + value.text;
    }
    return text + "}";
}

inline std::string list_of(const std::vector<std::string>& entries) {
    std::string text = "[";
    for (const std::string& entry : entries) text += (text.size() > 1 ? ", " : "") + entry;
    return text + "]";
}

inline std::string json(const QuantisedPose& p) {
    return record({{"vx", p.vx},
                   {"vy", p.vy},
                   {"vz", p.vz},
                   {"x", p.x},
                   {"y", p.y},
                   {"z", p.z},
                   {"yaw", p.yaw},
                   {"pitch", p.pitch}});
}

inline std::string json(const World& w) {
    const auto boolean = [](bool value) { return std::string{value ? "true" : "false"}; };
    return record({{"low_x", real(w.low.x)},
                   {"low_y", real(w.low.y)},
                   {"low_z", real(w.low.z)},
                   {"high_x", real(w.high.x)},
                   {"high_y", real(w.high.y)},
                   {"high_z", real(w.high.z)},
                   {"position_precision", real(w.position_precision)},
                   {"velocity_limit", real(w.velocity_limit)},
                   {"velocity_precision", real(w.velocity_precision)},
                   {"angle_bits", w.angle_bits},
                   {"wrap_x", boolean(w.wrap_x)},
                   {"wrap_y", boolean(w.wrap_y)},
                   {"tick_us", micros(w.tick)}});
}

inline std::string json(const Address& a) {
    const AddressForm form = form_of(a);
    const auto ip = std::span{a.ip}.subspan(form == AddressForm::whole ? 0 : kAddressPrefix);
    return record({{"form", static_cast<int>(form)}, {"ip", list(ip)}, {"port", a.port}});
}

inline std::string json(const OtherPeers& others) {
    std::vector<std::string> addresses;
    for (const Address& address : others.span()) addresses.push_back(json(address));
    return record({{"count", others.count}, {"addresses", list_of(addresses)}});
}

inline std::string json(const Hello& h) {
    return record({{"version", h.version},
                   {"link", h.link},
                   {"token", h.token},
                   {"world", h.world},
                   {"overlay", h.overlay},
                   {"id", list(h.id.bytes)},
                   {"incarnation", h.incarnation},
                   {"channel", h.channel},
                   {"attempt", h.attempt},
                   {"answers", h.answers},
                   {"answered_link", h.answers ? h.answered_link : 0},
                   {"answered_attempt", h.answers ? h.answered_attempt : 0},
                   {"hold_us", h.answers ? h.hold_us : 0},
                   {"session_us", h.session_us},
                   {"joined_us", h.joined_us},
                   {"hops", h.hops},
                   {"newcomer", h.newcomer},
                   {"early_data", h.early_data},
                   {"others", h.answers ? json(h.others) : "0"}});
}

inline std::string json(const Refusal& r) {
    return record({{"version", r.version},
                   {"link", r.link},
                   {"reason", static_cast<int>(r.reason)},
                   {"asks_proof", r.asks_proof},
                   {"proof", r.asks_proof ? static_cast<std::uint64_t>(r.proof) : 0},
                   {"others", json(r.others)}});
}

inline std::string json(const ReliableHeader& h, std::span<const std::uint8_t> bytes) {
    return record({{"id", h.id},
                   {"ordered", h.ordered},
                   {"order", h.ordered ? h.order : 0},
                   {"in_pieces", h.in_pieces},
                   {"index", h.in_pieces ? h.place.index : 0},
                   {"last", h.in_pieces ? h.place.last : 0},
                   {"size", h.length},
                   {"bytes", list(bytes)}});
}

inline std::string json(const ClockPing& p) { return record({{"id", p.id}}); }

inline std::string json(const ClockPong& p) {
    return record({{"id", p.id}, {"session_us", p.session_us}, {"hold_us", p.hold_us}, {"hops", p.hops}});
}

inline std::string json(const Contact& c) {
    return record({{"id", list(c.id.bytes)},
                   {"incarnation", static_cast<std::uint32_t>(c.incarnation)},
                   {"ip", list(c.address.ip)},
                   {"port", c.address.port}});
}

inline std::string json(const MeshMessage& m) {
    using Kind = MeshMessage::Kind;
    std::vector<std::string> introductions;
    for (const Introduction& i : m.introductions)
        introductions.push_back(record({{"name", i.name}, {"address", json(i.address)}}));
    return record({{"kind", static_cast<int>(m.kind)},
                   {"digest", m.kind == Kind::digest ? m.digest : 0},
                   {"salt", m.kind == Kind::known ? m.salt : 0},
                   {"known", m.kind == Kind::known ? list(m.known) : "0"},
                   {"count", m.introductions.size()},
                   {"introductions", list_of(introductions)}});
}

inline std::string event_json(std::uint64_t at_us, std::span<const std::uint8_t> bytes) {
    return record({{"at_us", at_us}, {"bytes", list(bytes)}});
}

inline std::string fragment_json(std::uint64_t group, FragmentPlace place,
                                 std::span<const std::uint8_t> bytes) {
    return record({{"group", group},
                   {"index", place.index},
                   {"last", place.last},
                   {"size", bytes.size()},
                   {"bytes", list(bytes)}});
}

/// What follows relayed states. What a route does not have counts as zero.
struct RelayedRoute {
    bool ordered = false;
    std::string owner = "[]";
    bool helping = false;
    int name = 0;
    int hops = 0;
    std::string origin = "0";
    std::uint32_t vision = 0;
    std::string receivers = "0";
};
inline std::string relayed_json(const std::vector<std::string>& states, const RelayedRoute& route) {
    return record({{"states", list_of(states)},
                   {"ordered", route.ordered},
                   {"owner", route.owner},
                   {"routed", !route.ordered},
                   {"helping", route.helping},
                   {"name", route.name},
                   {"hops", route.hops},
                   {"origin", route.origin},
                   {"vision", route.vision},
                   {"receivers", route.receivers}});
}

inline std::string message_json(MessageKind type, const Json& body) {
    return record({{"type", static_cast<int>(type)}, {"body", body}});
}

/// Everything that is left.
inline void copy_rest(BitWriter& out, BitReader in) {
    while (in.bits_left() > 0) {
        const auto count = static_cast<unsigned>(in.bits_left() < 32 ? in.bits_left() : 32);
        out.bits(in.bits(count), count);
    }
}

/// Some bytes; neighbours always differ.
inline std::vector<std::uint8_t> ramp(std::size_t size) {
    std::vector<std::uint8_t> bytes(size);
    std::iota(bytes.begin(), bytes.end(), std::uint8_t{201});
    return bytes;
}

inline void zeros(BitWriter& out, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) out.bits(0, 8);
}

/// One part of a datagram that the builder writes, without what precedes it.
template <class Write>
void add_built(Corpus& corpus, const std::string& value, const Write& write) {
    std::array<std::uint8_t, kMaxDatagram> buffer{};
    DatagramBuilder datagram{buffer, DatagramKind::data};
    write(datagram);
    BitReader in{buffer, datagram.out().bit_count()};
    datagram.out().finish();
    in.skip(kKindBits);
    corpus.add("[]", value, [&](BitWriter& out) { copy_rest(out, in); });
}

}  // namespace fray
