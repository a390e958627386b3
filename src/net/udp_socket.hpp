#pragma once
// One non-blocking UDP socket. It handles datagrams and does not know peers.

#include <fray/ids.hpp>
#include <fray/result.hpp>
#include <fray/time.hpp>
#include <fray/udp_driver.hpp>

#include "net/socket_address.hpp"

#include <cstdint>
#include <span>

namespace fray {

class UdpSocket {
public:
    [[nodiscard]] static Result<UdpSocket> open(const UdpOptions& options);

    UdpSocket(UdpSocket&& other) noexcept;
    UdpSocket& operator=(UdpSocket&& other) noexcept;
    ~UdpSocket();

    [[nodiscard]] Address local_address() const;
    [[nodiscard]] Family family() const { return family_; }

    enum class Sent : unsigned char {
        yes,
        would_block,  ///< the buffer is full: try again once wait() says so
        failed,       ///< this datagram cannot be sent there now
    };
    [[nodiscard]] Sent send(const Address& to, std::span<const std::uint8_t> bytes) const;

    struct Received {
        enum class What : unsigned char {
            datagram,
            nothing,  ///< no datagram is pending
            error,    ///< the network reported one; a datagram may still be pending
        };
        What what;
        Address from{};
        std::size_t size = 0;  ///< at most the buffer's: the rest of a longer datagram is lost
    };
    [[nodiscard]] Received receive(std::span<std::uint8_t> buffer) const;

    /// Sleeps until a datagram is pending (or, if asked, one can be sent), at most this long. A signal ends
    /// it.
    void wait(Duration most, bool for_sending) const;

private:
    UdpSocket(int descriptor, Family family) : descriptor_{descriptor}, family_{family} {}

    int descriptor_;
    Family family_;
};

}  // namespace fray
