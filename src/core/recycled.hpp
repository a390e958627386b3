#pragma once
// A list that is filled and emptied again and again: what its elements hold of memory stays theirs. After a
// time of many the surplus is given back, one with each emptying.

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
        if (elements_.size() > 2 * size_ + kFew) elements_.pop_back();
        if (elements_.capacity() > 2 * elements_.size() + kFew) elements_.shrink_to_fit();
        size_ = 0;
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
    static constexpr std::size_t kFew = 12;  // are kept anyway
    std::vector<T> elements_;
    std::size_t size_ = 0;
};

}  // namespace fray
