// Any bytes, as datagrams, into a peer that is linked with another. The first byte of an input selects how
// the rest is used: unchanged; as the body of a data datagram with the right link and seal; as messages after
// a valid header; or split into several such datagrams; whether the two are in an open world; and whether the
// entity of one goes through the other and a request is open. The peer must not crash, its memory must stay
// bounded, and its replicas must stay inside the world.

#include <fray/peer.hpp>
#include <fray/serialize.hpp>

#include "link/datagram.hpp"
#include "link/link.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <vector>

namespace fray {
namespace {

struct Crate {
    std::uint8_t kind = 0;
    std::vector<std::uint8_t> label;
};
template <class Stream>
void serialize(Stream& s, Crate& c) {
    s.integer(c.kind, 0, 9);
    s.bytes(c.label, 3000);
}

class Target {
public:
    Target(bool open_world, bool through_each_other)
        : victim_{make(1, open_world)}, other_{make(2, open_world)} {
        const EntityId own = *victim_.publish(now_, state_of(Pose{}, Crate{}));
        const EntityId others = *other_.publish(now_, state_of(Pose{}, Crate{}));
        if (through_each_other) {
            (void)victim_.set_consistency(now_, own, {.algorithm = EverQuest{.validator = other_.id()}});
            (void)other_.set_consistency(now_, others, {.algorithm = CentralizedSerialization{victim_.id()}});
        }
        (void)other_.join(now_, kVictim);
        for (int i = 0; i < 8; ++i) exchange();
        if (through_each_other) (void)victim_.interact(now_, own, others, std::array<std::uint8_t, 1>{7});
    }

    void attack(const std::uint8_t* data, std::size_t size) {
        if (size == 0 || !sample_) return;
        const std::uint8_t mode = data[0] % 4;
        const std::span<const std::uint8_t> rest{data + 1, size - 1};
        if (mode == 0) {
            victim_.handle_datagram(now_, kOther, rest.first(std::min(rest.size(), kMaxDatagramBytes + 8)));
        } else {
            const std::size_t chunk = mode == 3 ? 200 : 1100;
            for (std::size_t at = 0; at < rest.size() && at < 20'000; at += chunk) {
                send(rest.subspan(at, std::min(chunk, rest.size() - at)), mode == 1);
            }
        }
        for (int i = 0; i < 3; ++i) exchange();
        check();
    }

private:
    static constexpr Address kVictim = Address::from_number(1);
    static constexpr Address kOther = Address::from_number(2);

    static Peer make(std::uint64_t number, bool open_world) {
        PeerOptions options;
        options.id = PeerId::from_number(number);
        if (open_world) options.overlay = PSense{};
        options.world.types = {EntityType::of<Crate>("crate"), EntityType::bare("mark")};
        options.world.types[0].valid = [](const Pose& before, std::span<const std::uint8_t>,
                                          const Pose& after, std::span<const std::uint8_t>,
                                          Duration elapsed) {
            return static_cast<double>(length(after.position - before.position)) <= 100 * seconds(elapsed);
        };
        return std::move(Peer::create(options, Seed{number}).value());
    }

    /// Frames of both peers, and the datagrams between them.
    void exchange() {
        now_ += 50ms;
        std::array<std::uint8_t, kMaxDatagramBytes> buffer;  // NOLINT(*-member-init): written by the peer
        for (Peer* from : {&other_, &victim_}) {
            from->handle_time(now_);
            Peer& to = from == &other_ ? victim_ : other_;
            for (int i = 0; i < 4000; ++i) {
                const auto datagram = from->poll_datagram(now_, buffer);
                if (!datagram) break;
                if (i == 3999) std::abort();  // it never stops sending
                if (datagram->to != (from == &other_ ? kVictim : kOther)) continue;
                if (from == &other_) remember(datagram->bytes);
                to.handle_datagram(now_, from == &other_ ? kOther : kVictim, datagram->bytes);
            }
            while (from->poll_event()) {
            }
        }
    }

    void remember(std::span<const std::uint8_t> bytes) {
        const auto opened = open_datagram(bytes);
        if (opened && opened->kind == DatagramKind::data) sample_.emplace(bytes.begin(), bytes.end());
    }

    /// Link number and seal are valid; with `own_header` the bytes are everything after the number.
    void send(std::span<const std::uint8_t> bytes, bool own_header) {
        auto real = open_datagram(*sample_);
        const std::uint64_t link = read_varint(real->body);
        const auto header = Link::read_header(real->counter, real->body);
        std::array<std::uint8_t, kMaxDatagramBytes> buffer;  // NOLINT(*-member-init): written below
        DatagramBuilder datagram{buffer, DatagramKind::data};
        write_varint(datagram.out(), link);
        datagram.set_counter(static_cast<std::uint16_t>(header->sequence + ++forged_));
        if (!own_header) {
            datagram.out().boolean(false);
        }
        datagram.out().copy(bytes, std::min(bytes.size() * 8, datagram.bits_left()));
        ByteLedger ledger;
        victim_.handle_datagram(now_, kOther, datagram.finish(real->token, kVictim, ledger));
    }

    void check() {
        if (victim_.memory_bytes() > 64'000'000) std::abort();
        const World& world = victim_.world();
        for (const Replica& r : victim_.replicas(now_)) {
            const Vec3& p = r.pose.position;
            if (!(p.x >= world.low.x && p.x <= world.high.x && p.y >= world.low.y && p.y <= world.high.y))
                std::abort();
            if (r.payload.size() > kMaxPayloadBytes || r.input.size() > kMaxInputBytes) std::abort();
        }
        (void)victim_.stats();
    }

    Instant now_{1s};
    Peer victim_;
    Peer other_;
    std::optional<std::vector<std::uint8_t>> sample_;
    unsigned forged_ = 0;
};

}  // namespace
}  // namespace fray

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fray::Target target{size > 0 && (data[0] & 4) != 0, size > 0 && (data[0] & 8) != 0};
    target.attack(data, size);
    return 0;
}
