// Any bytes as messages of neighbours to a pSense overlay: links that come and go, positions, requests,
// suggestions, lists and forwarded updates, between its rounds. It must call few contacts, send no more
// answers than requests, keep memory bounded, offer nothing to itself or to a peer without a link, and
// forward nothing that a reader would reject.

#include "overlay/psense.hpp"
#include "tests/support/overlay_calls.hpp"

#include <array>
#include <cstdlib>
#include <set>

namespace fray {
namespace {

constexpr std::size_t kPlenty = 100'000;  // bytes in a frame

constexpr std::size_t kMostCallsPerRound = 16;
constexpr std::size_t kMostMemory = 2'000'000;
constexpr PeerId kSelf = PeerId::from_number(1000);

class Neighbourhood {
public:
    explicit Neighbourhood(bool paper)
        : overlay_{paper ? PSense::paper(100, 2000) : PSense{.vision_range = 100}, world_, kSelf, Seed{1}} {}

    void step(BitReader& in) {
        const auto link = static_cast<LinkNumber>(in.bits(5));
        switch (in.bits(3)) {
            case 0:
                return link_up(link, in);
            case 1:
                return link_down(link, in);
            case 2:
                overlay_.handle_alive(now_, link);
                overlay_.handle_sighting(now_, link, sighting(in));
                return;
            case 3:
            case 4:
            case 5:
                asked_ += (BitReader{in}.bits(2) == static_cast<std::uint64_t>(PSenseKind::request)) ? 1 : 0;
                (void)test::hear(overlay_, now_, link, in);
                return;
            case 6:
                return forward(link, in);
            default:
                return round(in);
        }
    }

private:
    static Contact contact(std::uint64_t n) {
        return {PeerId::from_number(n), Incarnation{1}, Address::from_number(n)};
    }
    Sighting sighting(BitReader& in) {
        const auto x = static_cast<float>(in.bits(16));
        const auto y = static_cast<float>(in.bits(16));
        return {{x / 64, y / 64, 0}, SessionInstant{Duration{in.bits(24)}}};
    }

    void link_up(LinkNumber link, BitReader& in) {
        if (!up_.insert(link).second) return;
        overlay_.handle_link_up(now_, {link, contact(link + 1U), in.boolean()});
    }
    void link_down(LinkNumber link, BitReader& in) {
        if (up_.erase(link) == 0) return;
        overlay_.handle_link_down(
            now_, {link, contact(link + 1U), in.boolean() ? Reason::left : Reason::timed_out});
    }
    void forward(LinkNumber link, BitReader& in) {
        const Sighting where = sighting(in);
        const std::array<std::uint8_t, 4> state{1, 2, 3, 4};
        const auto origin = overlay_.handle_forward(now_, link, in, {where, state, 32});
        if (origin == kSelf) std::abort();
    }

    void round(BitReader& in) {
        now_ += 50ms;
        OverlayActions actions;
        std::optional<Vec3> self;
        if (in.boolean()) self = sighting(in).position;
        overlay_.round(now_, self, kPlenty, actions);
        if (actions.calls.size() > kMostCallsPerRound) std::abort();
        for (const Contact& called : actions.calls) {
            if (called.id == kSelf || called.id == PeerId{}) std::abort();
        }
        std::size_t answers = 0;
        for (const OverlayActions::Message& message : actions.messages) {
            if (!up_.contains(message.link)) std::abort();
            const BitReader body{message.bytes};
            answers += BitReader{body}.bits(2) == static_cast<std::uint64_t>(PSenseKind::suggestion) ? 1 : 0;
        }
        if (answers > asked_) std::abort();
        asked_ = 0;
        send(actions);
        if (overlay_.memory_bytes() > kMostMemory) std::abort();
        (void)overlay_.stats();
    }

    void send(OverlayActions& actions) {
        const News news{0, {10, 10, 0}, 12};
        std::vector<Candidate> candidates;
        overlay_.candidates({&news, 1}, candidates);
        for (const Candidate& c : candidates) {
            if (!up_.contains(c.link)) std::abort();
        }
        actions.clear();
        overlay_.dispatch(now_, std::span{candidates}.first(candidates.size() / 2), actions);
        for (const OverlayActions::Forward& f : actions.forwards) {
            if (!up_.contains(f.to) || f.origin == kSelf) std::abort();
            check_header(f);
        }
    }

    /// A receiver must be able to read it to its last bit, and it names the originator.
    static void check_header(const OverlayActions::Forward& forward) {
        BitReader in{forward.header, forward.header_bits};
        ForwardHeader header;
        std::vector<std::uint32_t> receivers;
        if (!read(in, header)) std::abort();
        if (!header.helping && !read_id_set(in, receivers, kMaxReceivers)) std::abort();
        if (!in.ok() || in.bits_left() != 0 || receivers.size() > kMaxReceivers) std::abort();
        if (header.helping ? header.name != short_id(forward.origin) : header.origin.id != forward.origin)
            std::abort();
    }

    static World make_world() {
        World world;
        world.low = {0, 0, 0};
        world.high = {1024, 1024, 0};
        return world;
    }
    World world_ = make_world();
    Instant now_{1s};
    PSenseOverlay overlay_;
    std::set<LinkNumber> up_;
    std::size_t asked_ = 0;
};

}  // namespace
}  // namespace fray

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace fray;
    BitReader in{std::span{data, size}};
    Neighbourhood neighbourhood{in.boolean()};
    while (in.ok() && in.bits_left() > 0) neighbourhood.step(in);
    return 0;
}
