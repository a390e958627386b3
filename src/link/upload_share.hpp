#pragma once
// A share of the upload that one kind of datagrams may use at most. Grows with each frame, whether it is used
// or not, up to what kShareBurst allows.

#include "wire/limits.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace fray {

class UploadShare {
public:
    explicit UploadShare(std::size_t percent) : percent_{percent} {}

    /// `bytes`: what the upload carried, or could have carried, since the last call; SIZE_MAX: no limit.
    /// `burst`: what it carries in kShareBurst.
    void grow(std::size_t bytes, std::size_t burst) {
        unlimited_ = bytes == SIZE_MAX;
        if (unlimited_) return;
        const std::size_t most = std::max(burst * percent_, kLeastShareBurst * 100);
        hundredths_ = started_ ? std::min(hundredths_ + bytes * percent_, most) : most;
        started_ = true;
    }
    [[nodiscard]] bool allows(std::size_t bytes) const { return unlimited_ || bytes * 100 <= hundredths_; }
    void spend(std::size_t bytes) { hundredths_ -= std::min(hundredths_, bytes * 100); }

private:
    std::size_t percent_;
    std::size_t hundredths_ = 0;  // of a byte
    bool unlimited_ = false;
    bool started_ = false;
};

}  // namespace fray
