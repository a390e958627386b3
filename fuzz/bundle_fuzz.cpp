// Any bytes as a message between crowd overlays, which must be written back to the same bits if it is
// accepted, or as a bundle to a relay, which must hand over only peers that the bundle names, and at most as
// many as the limit.

#include "fuzz/read_and_write.hpp"
#include "overlay/crowd_messages.hpp"
#include "relay/relay.hpp"
#include "wire/limits.hpp"

#include <cstdlib>

namespace fray {
namespace {

constexpr PeerId kOwner = PeerId::from_number(7);
constexpr LinkNumber kOwnerLink = 1;
constexpr Instant kNow{Duration{100s}};

class Clock final : public TimeSource {
public:
    [[nodiscard]] SessionInstant session_time(Instant now) const override {
        return SessionInstant{now.time_since_epoch()};
    }
    [[nodiscard]] std::uint8_t hops() const override { return 0; }
    [[nodiscard]] std::uint64_t joined_us() const override { return 0; }
};

class Links final : public LinkDirectory {
public:
    Links() { add(kOwnerLink, kOwner); }
    [[nodiscard]] bool is_proven(LinkNumber) const override { return true; }
    [[nodiscard]] LinkStats stats(LinkNumber) const override { return {}; }
    [[nodiscard]] Duration patience(LinkNumber) const override { return 1s; }
};

class NothingSent final : public Outbox {
public:
    bool send_bits(LinkNumber, MessageKind, std::span<const std::uint8_t>, std::size_t,
                   const Sending&) override {
        std::abort();
    }
    [[nodiscard]] bool has_room(LinkNumber, std::size_t) const override { return true; }
    void give_up(LinkNumber) override { std::abort(); }
    void wake(LinkNumber) override {}
    [[nodiscard]] std::size_t largest_datagram() const override { return kMaxDatagram; }
};

class Sink final : public ReplicaSink {
public:
    bool take_relayed(LinkNumber owner, const RelayedState& state) override {
        FRAY_ASSERT(owner == kOwnerLink && state.origin == kOwner);
        return true;
    }
    [[nodiscard]] std::size_t entities(LinkNumber) const override { return 0; }
    [[nodiscard]] SessionInstant taken_at(LinkNumber, std::size_t) const override { return {}; }
    void write_stamped(LinkNumber, std::size_t, BitWriter&) const override {}
};

class Route final : public RelayRoute {
public:
    [[nodiscard]] std::optional<PeerId> handle_forward(Instant, LinkNumber, BitReader& header,
                                                       const PassedOn&) override {
        header.fail();
        return std::nullopt;
    }
    [[nodiscard]] std::optional<PeerId> handle_bundled(Instant, LinkNumber,
                                                       const BundledPeer& peer) override {
        FRAY_ASSERT(++named <= kMaxBundledPeers && peer.fan_out <= kMaxFanOut);
        if (peer.name % 2 == 0) return std::nullopt;
        return kOwner;
    }
    std::size_t named = 0;
};

class Observer final : public RelayObserver {
public:
    void handle_passed_on(Instant, LinkNumber, std::uint32_t) override {}
    void handle_ordered(Instant, LinkNumber, const RelayedState&) override { std::abort(); }
};

void read_bundle(std::span<const std::uint8_t> bytes) {
    PeerOptions options;
    options.world.types = {EntityType::bare("bare")};
    const PoseCodec codec{options.world};
    Clock clock;
    Links links;
    NothingSent out;
    Mailbox mailbox;
    RejectionCounts rejections;
    const PartContext context{PeerId::from_number(1), options, codec, clock, links, out, mailbox, rejections};
    Sink sink;
    Route route;
    Observer observer;
    Relay relay{context, sink};
    relay.connect(route, observer);
    BitReader in{bytes};
    const Arrival arrival{.now = kNow, .link = kOwnerLink, .delivery = Delivery::unreliable};
    const Receipt receipt = relay.handle_message(arrival, MessageKind::bundle, in);
    FRAY_ASSERT(!receipt.acknowledge || receipt.verdict != Receipt::Verdict::taken);
}

}  // namespace
}  // namespace fray

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::span bytes{data, size};
    if (bytes.empty()) return 0;
    if (bytes[0] % 2 == 0)
        fray::read_and_write<fray::CrowdMessage>(bytes.subspan(1));
    else
        fray::read_bundle(bytes.subspan(1));
    return 0;
}
