#pragma once
// Calls by callers that do not exist: what a host can send that forges its address.

#include "link/datagram.hpp"
#include "link/hello.hpp"
#include "support/pair.hpp"

#include <array>
#include <optional>
#include <vector>

namespace fray::test {

/// Reads a hello; nothing if the bytes are none.
[[nodiscard]] inline std::optional<Hello> hello_in(std::span<const std::uint8_t> bytes) {
    auto opened = open_datagram(bytes);
    Hello hello;
    if (!opened || opened->kind != DatagramKind::hello || !read(opened->body, hello)) return std::nullopt;
    return hello;
}

[[nodiscard]] inline std::optional<Refusal> refusal_in(std::span<const std::uint8_t> bytes) {
    auto opened = open_datagram(bytes);
    Refusal refusal;
    if (!opened || opened->kind != DatagramKind::refusal || !read(opened->body, refusal)) return std::nullopt;
    return refusal;
}

class HelloForger {
public:
    /// Learns from a real peer of these options what its hellos say of world and overlay.
    explicit HelloForger(const PeerOptions& options = {}) {
        Cluster cluster;
        cluster.remember_sent(true);
        cluster.add(options);
        (void)cluster.peer(0).join(cluster.local(0), Address::from_number(99));
        cluster.run_for(100ms);
        hello_ = *hello_in(cluster.sent_by(0).at(0).bytes);
        bytes_ = cluster.sent_by(0).at(0).bytes.size();
        hello_.newcomer = true;
    }
    /// Change it to forge other calls.
    [[nodiscard]] Hello& hello() { return hello_; }
    /// A call by a new peer, as long as a real one.
    [[nodiscard]] std::vector<std::uint8_t> call(std::uint64_t number, Token seal = Token::none) {
        hello_.id = PeerId::from_number(1'000'000 + number);
        hello_.token = 77 + number;
        hello_.link = static_cast<std::uint16_t>(number);
        return make(seal);
    }
    [[nodiscard]] std::vector<std::uint8_t> make(Token seal = Token::none) const {
        std::array<std::uint8_t, kMaxDatagramBytes> buffer{};
        DatagramBuilder datagram{buffer, DatagramKind::hello};
        write(datagram.out(), hello_);
        datagram.pad_to(bytes_);
        ByteLedger ledger;
        const auto bytes = datagram.finish(seal, Address{}, ledger);
        return {bytes.begin(), bytes.end()};
    }

private:
    Hello hello_;
    std::size_t bytes_ = 0;
};

}  // namespace fray::test
