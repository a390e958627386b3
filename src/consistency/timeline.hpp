#pragma once
// What is known of an entity's past, in order of time: the last two seconds, and a little more.

#include <fray/consistency.hpp>
#include <fray/state.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace fray {

/// The entity as its owner said it was at `when`.
struct Moment {
    SessionInstant when;
    Pose pose;
    std::vector<std::uint8_t> payload;
    std::vector<std::uint8_t> input;
};

class Timeline {
public:
    /// Longer than any lag, so that what is shown lies between two moments.
    static constexpr Duration kKept = kMostLag + 250ms;
    static constexpr std::size_t kMost = 256;  ///< then the oldest goes, whatever its age
    static constexpr std::size_t kFew = 32;    ///< of one among very many

    /// A late one finds its place; a second one of the same time replaces the first. Payload and input are
    /// kept of the newest alone: of the others nobody asks for them.
    void add(const Moment& moment);
    void clear();
    /// From now on no more than this many.
    void keep_at_most(std::size_t moments) { most_ = moments; }

    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] std::size_t size() const { return size_; }
    /// 0 is the oldest.
    [[nodiscard]] const Moment& operator[](std::size_t i) const { return ring_[(first_ + i) % ring_.size()]; }
    [[nodiscard]] const Moment& newest() const { return (*this)[size_ - 1]; }
    /// How many of them were not after t.
    [[nodiscard]] std::size_t until(SessionInstant t) const;
    [[nodiscard]] std::size_t heap_bytes() const;

private:
    [[nodiscard]] Moment& at(std::size_t i) { return ring_[(first_ + i) % ring_.size()]; }
    void make_room(SessionInstant newest);
    void put(std::size_t i, const Moment& moment, bool newest);

    std::vector<Moment> ring_;
    std::size_t first_ = 0;
    std::size_t size_ = 0;
    std::size_t most_ = kMost;
};

/// Of an entity on a screen.
struct Shown {
    Pose pose;
    SessionInstant told;    ///< the newest word of the owner that has a part in the pose
    SessionInstant moment;  ///< the owner's time that it stands for
};

/// The entity as it was: between the two words around this moment; the first or last word beyond them.
[[nodiscard]] Shown as_it_was(const World& world, const Timeline& timeline, SessionInstant moment);

}  // namespace fray
