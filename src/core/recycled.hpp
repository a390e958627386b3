#pragma once
// A list that is filled and emptied again and again: what its elements hold of memory stays theirs. After a
// time of many the surplus is given back.

#include <algorithm>
#include <cstddef>
#include <vector>

namespace fray {

template <class T>
class Recycled {
public:
    /// The new last element, with whatever a former one left in it.
    T& add() {
        if (size_ == elements_.size()) elements_.emplace_back();
        return elements_[size_++];
    }
    void clear() {
        most_ = std::max(most_, size_);
        size_ = 0;
        if (++emptied_ < kWindow) return;
        const std::size_t enough = 2 * most_ + kFew;
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
    /// Those in use and those waiting to be used again.
    [[nodiscard]] const std::vector<T>& all() const { return elements_; }

private:
    static constexpr std::size_t kFew = 12;  // more than needed lately, beside as many again
    static constexpr unsigned kWindow = 32;  // emptyings
    std::vector<T> elements_;
    std::size_t size_ = 0;
    std::size_t most_ = 0;  // in this window
    unsigned emptied_ = 0;
};

}  // namespace fray
