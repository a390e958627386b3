// Any bytes as messages about entities that may change their owner: an accepted message is written back to
// the same bits. Then as claims, requests, replies and records of two linked peers to a peer that owns a
// shared entity, has requests open, and plays on: it must never know itself as owner of what it does not
// own, or the other way round, and memory must stay bounded.

#include <fray/assert.hpp>

#include "fuzz/read_and_write.hpp"
#include "ownership/messages.hpp"
#include "session/composition.hpp"
#include "session/entity_commands.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace fray {
namespace {

constexpr std::size_t kMostMemory = 8'000'000;
constexpr std::size_t kPeers = 3;
using Bytes = std::vector<std::uint8_t>;

class Victim final : LinkOwner, ClockListener {
public:
    Victim() : is_{options(), RandomRoot{Seed{1}}, {}, *this, *this}, commands_{is_} {
        is_.shared.connect(commands_, Incarnation{1});
        avatar_ = *commands_.publish(now_, State{}, Tenure::fixed);
        ids_[0] = *commands_.publish(now_, State{}, Tenure::shared);
        for (std::uint32_t i = 1; i < kPeers; ++i) {
            ids_[i] = {PeerId::from_number(i + 1), kFirstLasting | 1U};
            link_up(i);
        }
    }

    void step(BitReader& in) {
        switch (in.bits(3)) {
            case 0:
                now_ += Duration{in.bits(22)};
                is_.shared.run_frame(now_);
                break;
            case 1:
                play(in);
                break;
            case 2:
                if (in.bits(3) == 0) relink(in);
                break;
            default:
                hear(in);
                break;
        }
        is_.shared.flush(now_);
        fetch(in.boolean());
        judge();
    }

private:
    static PeerOptions options() {
        PeerOptions options;
        options.id = PeerId::from_number(1);
        return options;
    }
    void drop_link(Instant, LinkNumber, Reason) override {}
    void handle_clock_set(Instant) override {}

    void link_up(std::uint32_t peer) {
        LinkEnds ends;
        ends.peer = PeerId::from_number(peer + 1);
        ends.incarnation = Incarnation{stay_[peer]};
        ends.address = Address::from_number(peer + 1);
        ends.remote_known = ends.proven = true;
        Link* link = is_.links.create(ends, now_, kPeers);
        FRAY_ASSERT(link != nullptr);
        links_[peer] = link->ends.local_number;
        is_.links.set_up(links_[peer]);
        const LinkUp up{links_[peer], {ends.peer, ends.incarnation, ends.address}, false};
        for (Part* part : is_.parts) part->handle_link_up(now_, up);
    }
    /// A peer goes, and comes back: as the same incarnation or as the next.
    void relink(BitReader& in) {
        const std::uint32_t peer = 1 + (in.boolean() ? 1U : 0U);
        const LinkNumber link = links_[peer];
        const LinkDown down{
            link,
            {PeerId::from_number(peer + 1), Incarnation{stay_[peer]}, Address::from_number(peer + 1)},
            in.boolean() ? Reason::left : Reason::timed_out};
        is_.links.destroy(link);
        for (Part* part : is_.parts) part->handle_link_down(now_, down);
        for (Part* part : is_.parts) part->forget_link(link);
        is_.out.forget(link);
        now_ += Duration{in.bits(22)};
        is_.shared.run_frame(now_);
        if (in.boolean()) ++stay_[peer];
        link_up(peer);
    }

    /// What the game does: requests, updates, hand-overs.
    void play(BitReader& in) {
        const EntityId id = ids_[in.bits(2) % kPeers];
        switch (in.bits(2)) {
            case 0:
                (void)commands_.interact(now_, avatar_, id, std::nullopt, Bytes(in.bits(3)));
                break;
            case 1:
                (void)commands_.update(now_, id, State{});
                break;
            case 2:
                (void)commands_.hand_over(now_, id, PeerId::from_number(2 + in.bits(1)));
                break;
            default:
                if (in.bits(2) == 0) (void)commands_.withdraw(id);
                break;
        }
    }

    void hear(BitReader& in) {
        const std::uint32_t from = 1 + (in.boolean() ? 1U : 0U);
        Bytes bytes(4096);
        BitWriter out{bytes};
        if (in.boolean()) {
            compose(in, from, out);
        } else {
            for (std::uint64_t i = in.bits(6); i > 0; --i) out.bits(in.bits(8), 8);
        }
        const auto message = out.finish();
        BitReader again{message};
        const Arrival arrival{now_, links_[from], Delivery::ordered, 0};
        (void)is_.shared.handle_message(arrival, MessageKind::ownership, again);
    }

    [[nodiscard]] Claim claim(BitReader& in, std::uint32_t from) const {
        Claim claim{.id = ids_[in.bits(2) % kPeers],
                    .term = in.bits(3),
                    .owner = PeerId::from_number(from + 1),
                    .incarnation = stay_[from],
                    .body = kFirstLasting | static_cast<std::uint32_t>(in.bits(2)),
                    .shared = in.boolean()};
        if (in.bits(2) == 0) claim.owner = PeerId::from_number(1 + in.bits(2));
        return claim;
    }
    [[nodiscard]] static std::uint32_t small(BitReader& in) { return static_cast<std::uint32_t>(in.bits(3)); }

    template <class T>
    static void put(BitWriter& out, OwnerMessage what, const T& message) {
        Enveloped<T> enveloped{what, &message};
        write(out, enveloped);
    }

    /// A message that is well formed, mostly about entities that exist.
    void compose(BitReader& in, std::uint32_t from, BitWriter& out) const {
        const EntityId id = ids_[in.bits(2) % kPeers];
        switch (static_cast<OwnerMessage>(in.bits(3) % 7)) {
            case OwnerMessage::claim:
                return put(out, OwnerMessage::claim, ToldClaim{claim(in, from), in.boolean()});
            case OwnerMessage::withdrawn:
                return put(out, OwnerMessage::withdrawn, Withdrawn{id, in.bits(3)});
            case OwnerMessage::ask: {
                const std::uint32_t number = small(in);
                return put(out, OwnerMessage::ask,
                           Ask{id, in.bits(3), number, small(in), small(in), small(in), in.bits(20),
                               Bytes(in.bits(2))});
            }
            case OwnerMessage::decided:
                return put(out, OwnerMessage::decided, Decided{id, small(in), in.boolean(), {}});
            case OwnerMessage::closed:
                return put(out, OwnerMessage::closed, Closed{id, small(in)});
            case OwnerMessage::record:
                return put(out, OwnerMessage::record, record(in, from));
            case OwnerMessage::recorded:
                return put(out, OwnerMessage::recorded, Recorded{id, in.bits(3), small(in)});
        }
    }
    [[nodiscard]] Record record(BitReader& in, std::uint32_t from) const {
        Record record{.claim = claim(in, from),
                      .stream = in.bits(3),
                      .serial = small(in),
                      .use = static_cast<RecordUse>(in.bits(2) % 3),
                      .whole = in.boolean(),
                      .last = in.boolean(),
                      .state = Bytes(in.boolean() ? kStateBytes : in.bits(4))};
        for (std::uint64_t i = in.bits(1); i > 0; --i) {
            record.askers.push_back({PeerId::from_number(1 + in.bits(2)), small(in), small(in), {}});
            record.askers.back().decided.push_back({small(in), small(in)});
        }
        for (std::uint64_t i = in.bits(2); i > 0; --i) {
            record.decisions.push_back({PeerId::from_number(1 + in.bits(2)), small(in), small(in), small(in),
                                        ids_[in.bits(2) % kPeers], Bytes(in.bits(2)), Bytes(in.bits(2)),
                                        in.boolean()});
        }
        return record;
    }

    void fetch(bool answers) {
        while (auto event = is_.mailbox.take()) {
            if (auto* diverged = std::get_if<Diverged>(&*event)) (void)is_.shared.complete(*diverged);
            const auto* asked = std::get_if<Asked>(&*event);
            if (asked != nullptr && answers) (void)commands_.answer(asked->request, Bytes{1});
        }
    }

    void judge() const {
        for (const EntityId& id : ids_) {
            const KnownEntity* known = is_.shared.known().find(id);
            if (is_.shared.own_body(id))
                FRAY_ASSERT(known != nullptr && known->claim.owner == is_.options.id);
        }
        FRAY_ASSERT(is_.memory_bytes() < kMostMemory);
    }

    static constexpr std::uint64_t kStateBytes = 24;
    Instant now_{1s};
    Composition is_;
    EntityCommands commands_;
    EntityId avatar_;
    std::array<EntityId, kPeers> ids_{};
    std::array<LinkNumber, kPeers> links_{};
    std::array<std::uint32_t, kPeers> stay_{1, 1, 1};
};

}  // namespace
}  // namespace fray

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace fray;
    const std::span<const std::uint8_t> bytes{data, size};
    read_and_write<ToldClaim>(bytes);
    read_and_write<Ask>(bytes);
    read_and_write<Decided>(bytes);
    read_and_write<Record>(bytes);
    read_and_write<Recorded>(bytes);
    BitReader in{bytes};
    Victim victim;
    while (in.ok() && in.bits_left() > 0) victim.step(in);
    return 0;
}
