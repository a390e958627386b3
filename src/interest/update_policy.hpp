#pragma once
// Which updates go first, and which are cut? A policy orders the candidates and cuts them to the bytes of
// this frame, before anything is encoded. It is a part like any other: a policy that
// needs to hear from other peers sends messages of its own kind.

#include "core/candidate.hpp"
#include "core/part.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace fray {

class UpdatePolicy : public Part {
public:
    /// Whether it judges by Candidate::distance. Otherwise an overlay may leave it unknown.
    [[nodiscard]] virtual bool needs_positions() const { return false; }
    /// Once per frame, before choose(): sends what messages of its own are due.
    virtual void begin_frame(Instant) {}
    /// Puts the chosen candidates first, in the order of sending, and returns how many there are.
    [[nodiscard]] virtual std::size_t choose(std::span<Candidate> candidates, std::size_t budget_bytes) = 0;
    /// Called once for each update that was chosen last and not sent, lowest priority first.
    virtual void resume(LinkNumber link, std::uint16_t primary) = 0;
};

}  // namespace fray
