#pragma once
// What a peer that lies about its clock sends.

#include <fray/time.hpp>

#include <cstdint>
#include <functional>
#include <vector>

namespace fray::test {

/// Changes every reading of session time in this datagram, which its sender wrote. The sender also claims to
/// be the oldest member, and that its clock is session time. Returns how many readings were changed.
std::size_t lie_about_clock(std::vector<std::uint8_t>& datagram, Duration ahead);

}  // namespace fray::test
