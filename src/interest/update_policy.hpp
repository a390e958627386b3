#pragma once
// A policy decides which updates go first and which are cut to the bytes of this frame, before anything is
// encoded. It is a part: a policy that needs information from other peers sends messages of its own kind.

#include "core/candidate.hpp"
#include "core/part.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace fray {

class UpdatePolicy : public Part {
public:
    /// Whether it uses Candidate::distance. If not, an overlay may leave it unknown.
    [[nodiscard]] virtual bool needs_positions() const { return false; }
    /// Once per frame, before choose(): sends its own messages that are due.
    virtual void begin_frame(Instant) {}
    /// Puts the chosen candidates first, in sending order, and returns their number.
    [[nodiscard]] virtual std::size_t choose(std::span<Candidate> candidates, std::size_t budget_bytes) = 0;
    /// Called once for each update that was chosen last and not sent, lowest priority first.
    virtual void resume(LinkNumber link, std::uint16_t primary) = 0;
};

}  // namespace fray
