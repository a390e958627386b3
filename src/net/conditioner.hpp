#pragma once
// One direction of a line with added delay and loss: datagrams go in, and come out when they are due.

#include <fray/ids.hpp>
#include <fray/random.hpp>
#include <fray/udp_driver.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace fray {

class Conditioner {
public:
    /// Datagrams that are held at a time; further ones are lost, as in the queue of a router.
    static constexpr std::size_t kMostHeld = 8192;

    explicit Conditioner(Seed seed) : random_{seed, "conditions"} {}

    void set(const UdpConditions& conditions);
    /// Whether datagrams must go through it. If not, they may take the direct way.
    [[nodiscard]] bool is_active() const { return conditions_ != UdpConditions{} || !held_.empty(); }
    /// The other end's address comes along with the bytes.
    void push(Instant now, const Address& end, std::span<const std::uint8_t> bytes);

    struct Held {
        Instant due;
        std::uint64_t number = 0;  // equal times leave in the order of arrival
        Address end;
        std::vector<std::uint8_t> bytes;
    };
    /// The next datagram, if it is due by now; valid until the next call that changes anything.
    [[nodiscard]] const Held* due(Instant now) const;
    /// Removes what due() has returned.
    void pop();
    /// When the next one is due; nothing if none is held.
    [[nodiscard]] std::optional<Instant> next_due() const;

private:
    UdpConditions conditions_;
    RandomStream random_;
    std::vector<Held> held_;  // a heap, the earliest on top
    std::uint64_t pushed_ = 0;
};

}  // namespace fray
