#pragma once
// The known states of one entity in order of time: a little more than the last two seconds (kMostLag).

#include <fray/consistency.hpp>
#include <fray/state.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace fray {

/// The state of the entity at `when`, as its owner sent it.
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
    static constexpr std::size_t kMost = 256;  ///< moments; the oldest is evicted, whatever its age
    static constexpr std::size_t kFew = 32;    ///< the same, for a peer with very many entities

    /// Inserts by time; a second moment with the same time replaces the first. Only the newest moment keeps
    /// its payload and input: no algorithm reads those of older ones.
    void add(const Moment& moment);
    void clear();
    /// Sets the largest number of moments.
    void keep_at_most(std::size_t moments) { most_ = moments; }

    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] std::size_t size() const { return size_; }
    /// 0 is the oldest.
    [[nodiscard]] const Moment& operator[](std::size_t i) const { return ring_[(first_ + i) % ring_.size()]; }
    [[nodiscard]] const Moment& newest() const { return (*this)[size_ - 1]; }
    /// The number of moments not later than t.
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

/// What a screen shows of an entity.
struct Shown {
    Pose pose;
    SessionInstant told;    ///< stamp of the newest update that the pose depends on
    SessionInstant moment;  ///< the owner's time that the pose stands for
};

/// Interpolates between the two updates around this moment; before the first or after the last, returns that
/// one.
[[nodiscard]] Shown as_it_was(const World& world, const Timeline& timeline, SessionInstant moment);

}  // namespace fray
