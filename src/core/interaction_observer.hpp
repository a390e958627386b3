#pragma once
// Is told that a peer and this peer interacted: one asked the other to change an entity (Donnybrook, section
// III-B).

#include <fray/time.hpp>

#include "core/per_link.hpp"

namespace fray {

class InteractionObserver {
public:
    /// A request left for this link, or arrived from it.
    virtual void handle_interaction(Instant now, LinkNumber link) = 0;

protected:
    ~InteractionObserver() = default;
};

}  // namespace fray
