// Any bytes as acknowledgements, reliable messages and fragments, into one link without a session.

#include <fray/serialize.hpp>

#include "link/link.hpp"

#include <cstdlib>
#include <vector>

namespace fray {
namespace {

class Counter final : public MessageSink {
public:
    bool handle_reliable(Delivery, std::span<const std::uint8_t> bytes) override {
        if (bytes.size() > kMaxFragments * kFragmentBytes) std::abort();
        return ++messages % 7 != 0;  // sometimes there is no room
    }
    std::size_t messages = 0;
};

void step(Link& link, BitReader& in, Counter& sink, Instant now) {
    switch (in.bits(2)) {
        case 0:
            link.sent(now, SentRecord{.frame = 1});
            return;
        case 1:
            (void)link.read_reliable(in, sink);
            return;
        case 2: {
            const FragmentPlace place{static_cast<std::uint8_t>(in.bits(6)),
                                      static_cast<std::uint8_t>(in.bits(6))};
            const std::vector<std::uint8_t> bytes(in.boolean() ? kFragmentBytes : in.bits(11), 7);
            (void)link.loose_pieces.add(static_cast<std::uint32_t>(in.bits(8)), place, bytes);
            return;
        }
        default:
            break;
    }
    const auto header = Link::read_header(static_cast<std::uint32_t>(in.bits(16)), in);
    if (!header || link.arrivals.refuse(header->sequence)) return;
    if (header->ack && !link.acknowledge(now, *header->ack)) return;
    link.accept(now, header->sequence);
    link.owe_ack(now, header->sequence % 2 == 0 ? AckWait::updates : AckWait::usual);
}

}  // namespace
}  // namespace fray

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace fray;
    Link link{LinkEnds{}, Instant{}};
    Counter sink;
    const std::vector<std::uint8_t> words(5000, 1);
    link.channel.out.queue(words, true, Purpose::reliable);
    BitReader in{std::span{data, size}};
    Instant now{};
    for (int i = 0; i < 5000 && in.bits_left() > 0; ++i, now += 10ms) step(link, in, sink, now);
    if (link.window.lost() > 1'000'000 || link.window.loss() < 0 || link.window.loss() > 1) std::abort();
    if (link.window.rtt().smoothed() < Duration{0}) std::abort();
    if (link.memory_bytes() > 4'000'000) std::abort();
    if (sink.messages > size * 8) std::abort();
    return 0;
}
