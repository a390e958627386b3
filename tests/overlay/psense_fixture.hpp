#pragma once
// One pSense overlay, and what its neighbours tell it.

#include "overlay/psense.hpp"
#include "support/overlay_calls.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <vector>

namespace fray {

constexpr Instant kNow{};
constexpr std::size_t kPlenty = 100'000;  // bytes in a frame

inline Contact contact(std::uint64_t n) {
    return {PeerId::from_number(n), Incarnation{1}, Address::from_number(n)};
}

class PSenseTest : public testing::Test {
protected:
    explicit PSenseTest(const PSense& chosen = options())
        : overlay_{chosen, world_, PeerId::from_number(1000), Seed{1}} {}
    static PSense options() {
        PSense psense;
        psense.vision_range = 100;
        psense.margin = 0;
        psense.sensor_interval = 1;
        psense.lists_per_round = 0;
        return psense;
    }
    /// A linked peer at a place; its link has the number of the peer.
    void linked(LinkNumber n, Vec3 position) {
        overlay_.handle_link_up(kNow, {n, contact(n), false});
        seen(n, position);
    }
    void seen(LinkNumber n, Vec3 position) {
        overlay_.handle_sighting(kNow, n, {position, SessionInstant{Duration{++clock_}}});
        overlay_.handle_alive(kNow, n);
    }
    void round(std::size_t bytes = kPlenty) {
        actions_.clear();
        overlay_.round(kNow, self_, bytes, actions_);
        candidates_.clear();
        const News news{.primary = 0, .position = self_, .bytes = 20};
        overlay_.candidates(std::span{&news, 1}, candidates_);
    }
    void dispatch() { overlay_.dispatch(kNow, candidates_, actions_); }
    [[nodiscard]] std::set<LinkNumber> own_receivers() const {
        std::set<LinkNumber> links;
        for (const Candidate& c : candidates_) {
            if (c.primary < kForwards) links.insert(c.link);
        }
        return links;
    }
    [[nodiscard]] std::set<LinkNumber> forward_receivers() const {
        std::set<LinkNumber> links;
        for (const Candidate& c : candidates_) {
            if (c.primary >= kForwards) links.insert(c.link);
        }
        return links;
    }
    /// The peer's update came with a list.
    void list_from(LinkNumber n, const std::vector<std::uint32_t>& names, bool partial = false) {
        std::array<std::uint8_t, 4096> memory{};
        BitWriter out{memory};
        out.bits(2, 2);
        out.boolean(partial);
        write_id_set(out, names);
        BitReader in{out.finish()};
        ASSERT_TRUE(test::hear(overlay_, kNow, n, in));
    }
    /// The peer tells its upload, as the number of bits in its bytes per round, and how far it sees.
    void greeting_from(LinkNumber n, std::uint8_t upload, float vision = 100) {
        std::array<std::uint8_t, 16> memory{};
        BitWriter out{memory};
        out.bits(3, 2);
        write(out, PSenseGreeting{vision, upload});
        BitReader in{out.finish()};
        ASSERT_TRUE(test::hear(overlay_, kNow, n, in));
    }
    std::optional<PeerId> forward_from(LinkNumber n, std::uint64_t origin, std::uint8_t hops, Vec3 position,
                                       const std::vector<std::uint32_t>& names = {}) {
        return forward_from(n, ForwardHeader{hops, contact(origin), 100}, position, names);
    }
    /// A state of somebody whom we are said to know.
    std::optional<PeerId> help_from(LinkNumber n, std::uint64_t origin, Vec3 position) {
        const auto named = static_cast<std::uint16_t>(name(origin));
        return forward_from(n, ForwardHeader{.origin = {}, .helping = true, .name = named}, position, {});
    }
    std::optional<PeerId> forward_from(LinkNumber n, const ForwardHeader& header, Vec3 position,
                                       const std::vector<std::uint32_t>& names) {
        std::array<std::uint8_t, 4096> memory{};
        BitWriter out{memory};
        write(out, header);
        if (!header.helping) write_id_set(out, names);
        BitReader in{out.finish()};
        const std::array<std::uint8_t, 2> state{7, 7};
        const PassedOn update{{position, SessionInstant{Duration{++clock_}}}, state, 16};
        return overlay_.handle_forward(kNow, n, in, update);
    }
    /// The same as forward_from(), of somebody who is said to be anywhere.
    std::optional<PeerId> forward_from(LinkNumber n, const Contact& origin, Vec3 position) {
        return forward_from(n, ForwardHeader{1, origin, 100}, position, {});
    }
    /// A suggestion of somebody, as an answer of n's.
    void suggestion_from(LinkNumber n, const Contact& whom, Vec3 position) {
        std::array<std::uint8_t, 128> memory{};
        BitWriter out{memory};
        out.bits(1, 2);
        write(out,
              SensorSuggestion{
                  .sector = 0, .itself = false, .position = quantise(world_, position), .contact = whom});
        BitReader in{out.finish()};
        ASSERT_TRUE(test::hear(overlay_, kNow, n, in));
    }
    void request_from(LinkNumber n, std::uint8_t sector, Vec3 position, float vision = 100) {
        std::array<std::uint8_t, 64> memory{};
        BitWriter out{memory};
        out.bits(0, 2);
        write(out, SensorRequest{.sector = sector, .vision = vision, .position = quantise(world_, position)});
        BitReader in{out.finish()};
        ASSERT_TRUE(test::hear(overlay_, kNow, n, in));
    }
    /// What the last round answered to a request.
    [[nodiscard]] std::optional<SensorSuggestion> answer_to(LinkNumber n) const {
        for (const auto& message : actions_.messages) {
            BitReader reader{message.bytes};
            if (message.link != n || reader.bits(2) != 1) continue;
            SensorSuggestion suggestion;
            if (read(reader, suggestion)) return suggestion;
        }
        return std::nullopt;
    }
    [[nodiscard]] std::size_t requests_to(LinkNumber n) const {
        return static_cast<std::size_t>(std::ranges::count_if(actions_.messages, [&](const auto& message) {
            return message.link == n && (message.bytes[0] & 3U) == 0U;
        }));
    }
    [[nodiscard]] std::size_t calls_to(const Address& address) const {
        return static_cast<std::size_t>(std::ranges::count_if(
            actions_.calls, [&](const Contact& called) { return called.address == address; }));
    }
    void down(LinkNumber n, Reason reason = Reason::timed_out) {
        overlay_.handle_link_down(kNow, {n, contact(n), reason});
    }
    static std::uint32_t name(std::uint64_t n) { return short_id(PeerId::from_number(n)); }

    World world_;
    PSenseOverlay overlay_;
    Vec3 self_{};
    OverlayActions actions_;
    std::vector<Candidate> candidates_;
    std::int64_t clock_ = 0;
};

}  // namespace fray
