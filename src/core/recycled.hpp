#pragma once
// A list that is filled and cleared again and again. Cleared elements keep their memory for reuse; after a
// peak, the surplus is released.

#include <algorithm>
#include <cstddef>
#include <vector>

namespace fray {

template <class T>
class Recycled {
public:
    /// Appends an element. It still has the content of an earlier one.
    T& add() {
        if (size_ == elements_.capacity()) elements_.reserve(size_ + size_ / 4 + 2);  // little unused memory
        if (size_ == elements_.size()) elements_.emplace_back();
        return elements_[size_++];
    }
    void clear() {
        most_ = std::max(most_, size_);
        size_ = 0;
        if (++emptied_ < kWindow) return;
        const std::size_t enough = most_ + most_ / 2 + kFew;
        if (elements_.size() > enough) {
            elements_.resize(enough);
            elements_.shrink_to_fit();
        }
        most_ = 0;
        emptied_ = 0;
    }

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] T& operator[](std::size_t i) { return elements_[i]; }
    [[nodiscard]] const T& operator[](std::size_t i) const { return elements_[i]; }
    [[nodiscard]] T* begin() { return elements_.data(); }
    [[nodiscard]] T* end() { return elements_.data() + size_; }
    [[nodiscard]] const T* begin() const { return elements_.data(); }
    [[nodiscard]] const T* end() const { return elements_.data() + size_; }
    /// Elements in use, then those kept for reuse.
    [[nodiscard]] const std::vector<T>& all() const { return elements_; }

private:
    static constexpr std::size_t kFew = 4;   // spare elements, in addition to 1.5 times the recent peak
    static constexpr unsigned kWindow = 32;  // calls of clear()
    std::vector<T> elements_;
    std::size_t size_ = 0;
    std::size_t most_ = 0;  // largest size in this window
    unsigned emptied_ = 0;
};

}  // namespace fray
