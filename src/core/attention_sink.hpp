#pragma once
// By this interface a policy that follows attention tells the overlay which peers must be reached directly.

#include <fray/ids.hpp>
#include <fray/time.hpp>

#include "core/per_link.hpp"

namespace fray {

class AttentionSink {
public:
    /// How long a call of want() holds. Repeat it in time.
    static constexpr Duration kHolds{3s};

    /// This peer pays much attention to that one, linked or not: its updates are wanted in every frame.
    virtual void want(Instant now, const PeerId& peer) = 0;

protected:
    ~AttentionSink() = default;
};

}  // namespace fray
