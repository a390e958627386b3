#pragma once
// State that a part keeps for each link, indexed by the link's number.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fray {

/// This peer's number for a link. Numbers are small and are reused.
using LinkNumber = std::uint16_t;
inline constexpr LinkNumber kNoLink = 0xFFFF;

template <class T>
class PerLink {
public:
    /// The state of this link, default-constructed at first use. Adding another link invalidates the
    /// reference.
    [[nodiscard]] T& operator[](LinkNumber link) {
        if (!has(link)) grow(link + std::size_t{1});
        return slots_[link];
    }
    /// The state of a link that was used before, or nullptr.
    [[nodiscard]] T* find(LinkNumber link) { return has(link) ? &slots_[link] : nullptr; }
    [[nodiscard]] const T* find(LinkNumber link) const { return has(link) ? &slots_[link] : nullptr; }
    /// Resets the state, so that the number can be reused.
    void erase(LinkNumber link) {
        if (has(link)) slots_[link] = T{};
    }
    void clear() { slots_.clear(); }

    [[nodiscard]] auto begin() { return slots_.begin(); }
    [[nodiscard]] auto end() { return slots_.end(); }
    [[nodiscard]] auto begin() const { return slots_.begin(); }
    [[nodiscard]] auto end() const { return slots_.end(); }
    [[nodiscard]] std::size_t heap_bytes() const { return slots_.capacity() * sizeof(T); }

private:
    /// Compares offsets in bytes: comparing numbers would divide by the size of a slot, at every access.
    [[nodiscard]] bool has(LinkNumber link) const { return link * sizeof(T) < slots_.size() * sizeof(T); }

    /// With little slack: doubling would leave many slots unused, in every part of every peer.
    void grow(std::size_t size) {
        if (size > slots_.capacity()) slots_.reserve(size + size / 8 + 2);
        slots_.resize(size);
    }

    std::vector<T> slots_;
};

}  // namespace fray
