// Any bytes as a journal, and as messages of the other two peers to a desk that has made an offer, received
// one and witnesses a trade. The desk must own nothing that no accepted trade gave it, lock no more than it
// owns, keep memory bounded, and return only journals that can be read again.

#include <fray/assert.hpp>

#include "trade/trade_journal.hpp"
#include "trade/trade_packet.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace fray {
namespace {

constexpr PeerId kSelf = PeerId::from_number(1);
constexpr ItemId kOurs{1};
constexpr ItemId kTheirs{2};

class Talk {
public:
    explicit Talk(TradeDesk& desk) : desk_{desk} {
        FRAY_ASSERT(desk_.add({{kOurs, 10}}).has_value());
        const auto made = desk_.propose(
            now_, {PeerId::from_number(2), PeerId::from_number(3), {{kOurs, 3}}, {{kTheirs, 4}}});
        if (made) names_.push_back({*made, 0, PeerId::from_number(2), PeerId::from_number(3)});
        names_.push_back({{PeerId::from_number(2), 7}, 0, kSelf, PeerId::from_number(3)});
        names_.push_back({{PeerId::from_number(2), 8}, 5, PeerId::from_number(3), kSelf});
    }

    /// One message, mostly about trades that exist.
    void step(BitReader& in) {
        const PeerId from = PeerId::from_number(1 + in.bits(2));
        if (in.boolean()) now_ += Duration{in.bits(24)};
        desk_.handle_time(now_);
        TradePacket packet;
        if (in.boolean()) {
            packet.kind = static_cast<TradeKind>(in.bits(3) % 7);
            packet.name = names_[in.bits(4) % names_.size()];
            if (in.boolean()) packet.name.key = in.bits(3);
            if (in.boolean()) packet.name.partner = PeerId::from_number(1 + in.bits(2));
            if (in.boolean()) packet.name.witness = PeerId::from_number(1 + in.bits(2));
            packet.give = {{kOurs, 3}};
            packet.want = {{kTheirs, 4}};
            if (packet.name.id.proposer != kSelf) std::swap(packet.give, packet.want);
            packet.ballot = static_cast<Ballot>(in.bits(3)) + 1;
            if (in.boolean()) packet.accepted = Accepted{static_cast<Ballot>(in.bits(3)), in.boolean()};
            packet.commit = in.boolean();
            desk_.handle_message(now_, from, encode(packet));
        } else {
            std::vector<std::uint8_t> bytes(in.bits(8));
            in.copy_to(bytes);
            desk_.handle_message(now_, from, bytes);
        }
        drain(in.boolean());
    }

private:
    void drain(bool agree) {
        if (const auto journal = desk_.poll_journal()) {
            FRAY_ASSERT(decode_journal(*journal, kSelf).has_value());
        }
        while (const auto event = desk_.poll_event()) {
            const auto* offered = std::get_if<TradeOffered>(&*event);
            if (offered == nullptr) continue;
            const bool ours = offered->terms.give == Items{{kTheirs, 4}};
            if (agree && ours) {
                (void)desk_.accept(now_, offered->trade);
            } else {
                (void)desk_.refuse(offered->trade);
            }
        }
        (void)desk_.poll_journal();
        while (const auto message = desk_.poll_message()) {
            const auto packet = decode(message->bytes);
            FRAY_ASSERT(packet && message->to != kSelf && packet->name.role_of(message->to));
            if (names_.size() < 16 && packet->kind == TradeKind::vote) names_.push_back(packet->name);
        }
        for (const Stack& stack : desk_.items()) {
            FRAY_ASSERT(stack.item == kOurs || stack.item == kTheirs);
            FRAY_ASSERT(desk_.free(stack.item) <= stack.count);
        }
        FRAY_ASSERT(desk_.owned(kOurs) <= 10 && desk_.remembered() <= kMostTrades);
    }

    TradeDesk& desk_;
    Instant now_{1s};
    std::vector<TradeName> names_;
};

}  // namespace
}  // namespace fray

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace fray;
    const std::span bytes{data, size};
    if (const auto journal = decode_journal(bytes, kSelf)) {
        auto desk = TradeDesk::reopen(Instant{}, kSelf, bytes);
        FRAY_ASSERT(desk.has_value() && desk->items() == journal->items);
        desk->handle_time(Instant{1s});
        FRAY_ASSERT(decode_journal(*desk->poll_journal(), kSelf).has_value());
        return 0;
    }
    if (const auto packet = decode(bytes)) FRAY_ASSERT(decode(encode(*packet)).has_value());
    auto desk = TradeDesk::open_new(Instant{}, kSelf, Seed{1});
    Talk talk{*desk};
    BitReader in{bytes};
    while (in.ok() && in.bits_left() > 0) talk.step(in);
    return 0;
}
