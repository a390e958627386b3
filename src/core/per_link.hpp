#pragma once
// State that a part keeps for each link, indexed by the link's number.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fray {

/// This peer's number for a link. Numbers are small and are reused.
using LinkNumber = std::uint16_t;
inline constexpr LinkNumber kNoLink = 0xFFFF;
/// From here on, numbers stand for acquaintances: peers that are known without a link.
inline constexpr LinkNumber kFirstAcquaintance = 0x8000;
[[nodiscard]] constexpr bool is_acquaintance(LinkNumber number) {
    return number >= kFirstAcquaintance && number != kNoLink;
}

template <class T>
class PerLink {
public:
    /// The state of this link, default-constructed at first use. Adding another link invalidates the
    /// reference.
    [[nodiscard]] T& operator[](LinkNumber link) {
        if (has(slots_, link)) return slots_[link];
        if (!is_acquaintance(link)) return grown(slots_, link);
        return grown(acquaintances_, place(link));
    }
    /// The state of a link that was used before, or nullptr.
    [[nodiscard]] T* find(LinkNumber link) {
        if (has(slots_, link)) return &slots_[link];
        return has(acquaintances_, place(link)) ? &acquaintances_[place(link)] : nullptr;
    }
    [[nodiscard]] const T* find(LinkNumber link) const {
        if (has(slots_, link)) return &slots_[link];
        return has(acquaintances_, place(link)) ? &acquaintances_[place(link)] : nullptr;
    }
    /// Resets the state, so that the number can be reused.
    void erase(LinkNumber link) {
        if (T* state = find(link)) *state = T{};
    }
    void clear() {
        slots_.clear();
        acquaintances_.clear();
    }

    /// The states of links, without those of acquaintances.
    [[nodiscard]] auto begin() { return slots_.begin(); }
    [[nodiscard]] auto end() { return slots_.end(); }
    [[nodiscard]] auto begin() const { return slots_.begin(); }
    [[nodiscard]] auto end() const { return slots_.end(); }
    [[nodiscard]] std::span<T> acquaintances() { return acquaintances_; }
    [[nodiscard]] std::span<const T> acquaintances() const { return acquaintances_; }
    [[nodiscard]] std::size_t heap_bytes() const {
        return (slots_.capacity() + acquaintances_.capacity()) * sizeof(T);
    }

private:
    using Slots = std::vector<T>;
    /// Of an acquaintance; beyond every slot for the number of a link.
    [[nodiscard]] static std::size_t place(LinkNumber number) {
        return is_acquaintance(number) ? std::size_t{number} - kFirstAcquaintance : std::size_t{kNoLink};
    }
    /// Compares offsets in bytes: comparing numbers would divide by the size of a slot, at every access.
    [[nodiscard]] static bool has(const Slots& slots, std::size_t at) {
        return at * sizeof(T) < slots.size() * sizeof(T);
    }

    /// With little slack: doubling would leave many slots unused, in every part of every peer.
    [[nodiscard]] static T& grown(Slots& slots, std::size_t at) {
        if (at >= slots.capacity()) slots.reserve(at + 1 + (at + 1) / 8 + 2);
        if (at >= slots.size()) slots.resize(at + 1);
        return slots[at];
    }

    Slots slots_;
    Slots acquaintances_;
};

}  // namespace fray
