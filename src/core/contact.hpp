#pragma once
// Everything needed to call a peer.

#include <fray/ids.hpp>

namespace fray {

struct Contact {
    PeerId id;
    Incarnation incarnation{};
    Address address;
};

}  // namespace fray
