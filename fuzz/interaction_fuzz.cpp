// Any bytes as requests, replies, riding replies (`settled`) and riding messages of a game (`tidings`),
// between requests of our own and answers of our game. An accepted riding reply is written back to the same
// bits. Each of our requests ends once, by its owner alone; what others ask, and what memory it takes, stays
// bounded.

#include <fray/assert.hpp>

#include "fuzz/read_and_write.hpp"
#include "session/composition.hpp"
#include "session/entity_commands.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <variant>
#include <vector>

namespace fray {
namespace {

constexpr std::size_t kMostMemory = 8'000'000;
constexpr LinkNumber kPeers = 2;

PeerOptions options() {
    PeerOptions made;
    made.id = PeerId::from_number(1);
    return made;
}

class Victim final : LinkOwner, ClockListener {
public:
    Victim() : is_{options(), RandomRoot{Seed{1}}, {}, *this, *this}, commands_{is_} {
        own_ = commands_.publish(now_, State{}, Tenure::fixed).value();
        for (LinkNumber i = 0; i < kPeers; ++i) link_up(PeerId::from_number(i + 2U));
    }

    void step(BitReader& in) {
        const LinkNumber link = links_[in.bits(1)];
        switch (in.bits(2)) {
            case 0:
                now_ += Duration{in.bits(18)};
                is_.mailbox.release(is_.clock.session_time(now_));
                break;
            case 1:
                ask(link, in);
                break;
            case 2:
                answer(in);
                break;
            default:
                hear(link, in);
                break;
        }
        drain();
        FRAY_ASSERT(waiting_.size() <= kPeers * AskedRequests::kMostOfOne);
        FRAY_ASSERT(is_.memory_bytes() < kMostMemory);
    }

private:
    void drop_link(Instant, LinkNumber, Reason) override {}
    void handle_clock_set(Instant) override {}

    void link_up(const PeerId& peer) {
        LinkEnds ends;
        ends.peer = peer;
        ends.incarnation = Incarnation{1};
        ends.address = Address::from_number(peer.number());
        ends.remote_known = ends.proven = true;
        const LinkNumber link = is_.links.create(ends, now_, kPeers)->ends.local_number;
        is_.links.set_up(link);
        for (Part* part : is_.parts)
            part->handle_link_up(now_, {link, {ends.peer, ends.incarnation, ends.address}, false});
        links_[peer.number() - 2] = link;
    }
    void ask(LinkNumber link, BitReader& in) {
        const std::array<std::uint8_t, 1> bytes{static_cast<std::uint8_t>(in.bits(8))};
        const EntityId target{is_.links.peer(link), static_cast<std::uint32_t>(in.bits(2))};
        const auto request = is_.agreement.interact(now_, own_, target, is_.clock.session_time(now_), bytes);
        if (request) FRAY_ASSERT(open_.insert({*request, target.owner}).second);
        FRAY_ASSERT(open_.size() <= OpenRequests::kMost);
    }
    void answer(BitReader& in) {
        const std::vector<std::uint8_t> bytes(in.bits(2), 7);
        if (waiting_.empty()) return;
        const auto at = static_cast<std::size_t>(in.bits(6)) % waiting_.size();
        const RequestId request = waiting_[at];
        waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(at));
        FRAY_ASSERT(is_.agreement.answer(request, bytes).has_value());
        FRAY_ASSERT(!is_.agreement.answer(request, bytes).has_value());
    }
    void hear(LinkNumber link, BitReader& in) {
        constexpr std::array kKinds{MessageKind::request, MessageKind::reply, MessageKind::settled,
                                    MessageKind::tidings};
        const MessageKind kind = kKinds[in.bits(2)];
        const auto delivery = static_cast<Delivery>(in.bits(1));
        std::array<std::uint8_t, 64> bytes{};
        const auto size = static_cast<std::size_t>(in.bits(6));
        for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(in.bits(8));
        const std::span<const std::uint8_t> body{bytes.data(), size};
        if (kind == MessageKind::settled) read_and_write<Settled>(body);
        sender_ = is_.links.peer(link);
        BitReader message{body};
        Part& part = kind == MessageKind::tidings ? static_cast<Part&>(is_.messages) : is_.agreement;
        const Receipt receipt =
            part.handle_message({.now = now_, .link = link, .delivery = delivery}, kind, message);
        // Riding messages are reliable: an unreliable one is a lie.
        const bool is_taken = receipt.verdict == Receipt::Verdict::taken;
        FRAY_ASSERT(kind != MessageKind::tidings || delivery == Delivery::reliable || !is_taken);
    }
    void drain() {
        while (const auto event = is_.mailbox.take()) {
            if (const auto* asked = std::get_if<Asked>(&*event)) {
                FRAY_ASSERT(asked->seen <= is_.clock.session_time(now_));
                waiting_.push_back(asked->request);
            }
            if (const auto* answered = std::get_if<Answered>(&*event))
                FRAY_ASSERT(open_.erase({answered->request, sender_}) == 1);
        }
    }

    Instant now_{100s};
    Composition is_;
    EntityCommands commands_;
    EntityId own_;
    std::array<LinkNumber, kPeers> links_{};
    PeerId sender_;                                // of the last message
    std::set<std::pair<RequestId, PeerId>> open_;  // with the owner, which alone may answer
    std::vector<RequestId> waiting_;               // for our game's answer
};

}  // namespace
}  // namespace fray

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::size_t kMostBytes = 4096;
    if (size > kMostBytes) return 0;
    fray::Victim victim;
    fray::BitReader in{std::span<const std::uint8_t>{data, size}};
    while (in.bits_left() > 0 && in.ok()) victim.step(in);
    return 0;
}
