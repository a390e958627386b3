#pragma once
// A PartContext for a single part under test: links that are simply up, and an outbox that remembers.

#include "wire/limits.hpp"
#include "wire/part_context.hpp"

#include <cstdint>
#include <vector>

namespace fray::test {

class LoneClock final : public TimeSource {
public:
    [[nodiscard]] SessionInstant session_time(Instant now) const override {
        return SessionInstant{now.time_since_epoch()};
    }
    [[nodiscard]] std::uint8_t hops() const override { return 0; }
    [[nodiscard]] std::uint64_t joined_us() const override { return 0; }
};

class LoneLinks final : public LinkDirectory {
public:
    void up(LinkNumber link) { add(link, PeerId::from_number(link + 2U)); }
    void down(LinkNumber link) { remove(link); }
    [[nodiscard]] bool is_proven(LinkNumber) const override { return true; }
    [[nodiscard]] LinkStats stats(LinkNumber) const override { return {}; }
    [[nodiscard]] Duration patience(LinkNumber) const override { return 200ms; }
};

/// What the part sent, in order. Only the newest messages are kept, without allocation after a while.
class LoneOutbox final : public Outbox {
public:
    struct Sent {
        LinkNumber link = 0;
        MessageKind kind{};
        std::uint8_t first_byte = 0;
        Sending how{};
    };
    bool send_bits(LinkNumber link, MessageKind kind, std::span<const std::uint8_t> bytes, std::size_t,
                   const Sending& how) override {
        if (sent.size() == sent.capacity() && sent.size() >= kKept) sent.clear();
        sent.push_back({link, kind, bytes.empty() ? std::uint8_t{0} : bytes[0], how});
        return true;
    }
    [[nodiscard]] bool has_room(LinkNumber, std::size_t) const override { return true; }
    void give_up(LinkNumber) override {}
    void wake(LinkNumber) override {}
    [[nodiscard]] std::size_t largest_datagram() const override { return kMaxDatagram; }
    std::vector<Sent> sent;

private:
    static constexpr std::size_t kKept = 1024;
};

struct LonePart {
    explicit LonePart(PeerOptions given = {}) : options{std::move(given)} {}

    PeerOptions options;
    PoseCodec codec{options.world};
    LoneClock clock;
    LoneLinks links;
    LoneOutbox out;
    Mailbox mailbox;
    RejectionCounts rejections;
    PartContext context{PeerId::from_number(1), options, codec, clock, links, out, mailbox, rejections};
};

}  // namespace fray::test
