#pragma once
// Who needs my news most, and how often? A policy orders the sends that could be made and cuts them to the
// bytes of this frame, before anything is encoded.

#include "core/candidate.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace fray {

class UpdatePolicy {
public:
    virtual ~UpdatePolicy() = default;
    /// Puts the chosen candidates first, in the order of sending, and returns how many there are.
    [[nodiscard]] virtual std::size_t choose(std::span<Candidate> candidates, std::size_t budget_bytes) = 0;
    /// What was chosen last could not all be sent: this was not. The one that was to go first is told last.
    virtual void resume(LinkNumber link, std::uint16_t primary) = 0;
};

}  // namespace fray
