#pragma once
// What one more copy of an update takes. All copies of an update name the same receivers: a further copy
// brings its own bytes and those names, and, where its receiver is named, one more name into each of the
// others.

#include "core/candidate.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace fray {

class CopyPrices {
public:
    /// None of these is chosen yet.
    void begin(std::span<const Candidate> candidates);
    /// Chosen: the bytes that it adds to what was chosen before.
    std::size_t add(const Candidate& c);
    /// Not chosen any more: the bytes that are saved.
    std::size_t remove(const Candidate& c);

private:
    struct Update {
        std::uint32_t copies = 0;
        std::uint32_t named = 0;
    };
    [[nodiscard]] Update& update(const Candidate& c);
    [[nodiscard]] static std::size_t price(const Candidate& c, const Update& u);

    std::size_t own_ = 0;
    std::vector<Update> updates_;  // our own, then those passed on
};

}  // namespace fray
