#pragma once
// An address on the wire: 4 bytes for IPv4, 16 for any other, and the port.

#include <fray/ids.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace fray {

enum class AddressForm : std::uint8_t {
    ipv4,       ///< mapped: ::ffff:a.b.c.d
    simulated,  ///< twelve zeros and four bytes: numbers of simulated networks
    whole,
};
inline constexpr std::size_t kAddressPrefix = 12;
inline constexpr std::array<std::uint8_t, kAddressPrefix> kMappedPrefix{0, 0, 0, 0, 0,    0,
                                                                        0, 0, 0, 0, 0xFF, 0xFF};
inline constexpr std::array<std::uint8_t, kAddressPrefix> kZeroPrefix{};

[[nodiscard]] inline AddressForm form_of(const Address& a) {
    const auto begins_with = [&](const auto& prefix) {
        return std::equal(prefix.begin(), prefix.end(), a.ip.begin());
    };
    if (begins_with(kMappedPrefix)) return AddressForm::ipv4;
    return begins_with(kZeroPrefix) ? AddressForm::simulated : AddressForm::whole;
}

/// Every address has one encoding: readers reject a long form if a shorter one exists.
template <class Stream>
void serialize_address(Stream& s, Address& a) {
    AddressForm form = form_of(a);
    s.enumeration(form, AddressForm::whole);
    if constexpr (Stream::kReading) {
        a.ip = {};
        if (form == AddressForm::ipv4) std::copy(kMappedPrefix.begin(), kMappedPrefix.end(), a.ip.begin());
    }
    for (std::size_t i = form == AddressForm::whole ? 0 : kAddressPrefix; i < a.ip.size(); ++i)
        s.whole(a.ip[i]);
    s.whole(a.port);
    if constexpr (Stream::kReading) {
        if (form_of(a) != form) s.fail();
    }
}

}  // namespace fray
