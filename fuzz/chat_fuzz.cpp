// Any bytes as messages of two members to a room that is serializer or not. Places must increase by one,
// except over a reset, and memory must stay bounded.

#include <fray/assert.hpp>

#include "chat/chat_log.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace fray {
namespace {

class Talk {
public:
    Talk() {
        for (std::uint64_t i = 1; i <= 3; ++i)
            FRAY_ASSERT(room_.add_member(PeerId::from_number(i)).has_value());
    }

    void step(BitReader& in) {
        const PeerId from = PeerId::from_number(1 + in.bits(2));
        now_ += Duration{in.bits(20)};
        room_.handle_time(now_);
        if (in.boolean()) (void)room_.say("line");
        if (in.bits(5) == 0) room_.remove_member(now_, from);
        ChatPacket packet{.kind = static_cast<ChatKind>(in.bits(3) % 7)};
        packet.term = {static_cast<std::uint32_t>(in.bits(2)), in.boolean() ? from : kSelf};
        packet.next = in.bits(6);
        packet.begin = in.bits(6);
        for (std::uint64_t i = in.bits(2); i > 0; --i) {
            packet.eras.push_back({{static_cast<std::uint32_t>(in.bits(2)), kSelf}, in.bits(6)});
        }
        packet.eras.push_back({packet.term, in.bits(6)});
        packet.oldest = in.bits(4);
        const std::uint64_t count = in.bits(3);
        for (std::uint64_t i = 0; i < count; ++i) {
            packet.lines.push_back({from, static_cast<std::uint32_t>(in.bits(3)), {'x'}});
        }
        std::vector<std::uint8_t> bytes = to_bytes(packet);
        if (in.boolean()) in.copy_to(bytes);
        room_.handle_message(now_, from, bytes);
        drain();
    }

private:
    void drain() {
        for (int n = 0; room_.poll_message(); ++n) FRAY_ASSERT(n < 4096);
        while (const auto event = room_.poll_event()) {
            if (const auto* line = std::get_if<ChatLine>(&*event)) {
                FRAY_ASSERT(!next_ || line->place == *next_);
                next_ = line->place + 1;
            } else {
                next_ = std::get<ChatReset>(*event).place;
            }
        }
        FRAY_ASSERT(room_.waiting() <= 32);
    }

    static constexpr PeerId kSelf = PeerId::from_number(2);
    Instant now_{1s};
    ChatRoom room_ = ChatRoom::open(Instant{}, kSelf).value();
    std::optional<std::uint64_t> next_;
};

}  // namespace
}  // namespace fray

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace fray;
    BitReader in{std::span{data, size}};
    Talk talk;
    while (in.ok() && in.bits_left() > 0) talk.step(in);
    return 0;
}
