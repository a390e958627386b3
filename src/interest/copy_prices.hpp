#pragma once
// The bytes that one more copy of an update takes. All copies of an update carry the same receiver list: a
// further copy adds its own bytes and that list and, if its receiver is named, one more entry to the list of
// each other copy.

#include "core/candidate.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace fray {

class CopyPrices {
public:
    /// Starts with none of these chosen.
    void begin(std::span<const Candidate> candidates);
    /// Chooses a copy. Returns the bytes that it adds.
    std::size_t add(const Candidate& c);
    /// Drops a chosen copy. Returns the bytes that it saves.
    std::size_t remove(const Candidate& c);
    /// How many of these, in their order, fit the budget. The first one always fits: an update longer than
    /// the budget would never be sent otherwise.
    [[nodiscard]] std::size_t fit(std::span<const Candidate> candidates, std::size_t budget_bytes);
    [[nodiscard]] std::size_t heap_bytes() const { return updates_.capacity() * sizeof(Update); }

private:
    struct Update {
        std::uint32_t copies = 0;
        std::uint32_t named = 0;
    };
    [[nodiscard]] Update& update(const Candidate& c);
    [[nodiscard]] static std::size_t price(const Candidate& c, const Update& u);

    std::size_t own_ = 0;
    std::vector<Update> updates_;  // our own, then forwarded ones
};

}  // namespace fray
