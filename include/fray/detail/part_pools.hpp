#pragma once
// Where PartHistory holds old values: a log of single values, full copies of blocks, and which of the two a
// block is to be kept in.

#include <fray/time_warp/parts.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace fray::detail {

inline constexpr std::size_t kPartBlock = 64;

/// A ring of values, each in a list with others. It grows to its largest, and is reused. Values are dropped
/// from both ends. Places are counted on, so a value has the same place as long as it is held.
template <class Part>
class PartLog {
public:
    struct Link {
        std::uint32_t next;  ///< place in the same list
        PartNumber part;
        std::uint32_t row;
    };
    static constexpr std::uint32_t kPlaces = 0x3FFF'FFFF;  ///< lists hold places modulo this + 1

    [[nodiscard]] const Link& link(std::size_t place) const { return links_[place & mask_]; }
    [[nodiscard]] const Part& value(std::size_t place) const { return values_[place & mask_]; }
    [[nodiscard]] std::size_t end() const { return end_; }

    /// Returns its place.
    std::uint32_t push(const Link& link, const Part& value) {
        if (end_ == limit_) grow();
        const std::size_t place = end_++;
        values_[place & mask_] = value;
        links_[place & mask_] = link;
        return static_cast<std::uint32_t>(place) & kPlaces;
    }
    /// The values so far are not overwritten after a drop_from() of an earlier place: some are still needed.
    void pin() { pinned_ = end_; }
    void drop_from(std::size_t place) { end_ = std::max(place, pinned_); }
    void drop_before(std::size_t place) {
        begin_ = place;
        limit_ = begin_ + values_.size();
    }

private:
    [[gnu::noinline]] void grow() {
        const std::size_t size = std::max(kPartBlock, 2 * values_.size());
        std::vector<Part> values(size);
        std::vector<Link> links(size);
        for (std::size_t place = begin_; place < end_; ++place) {
            values[place & (size - 1)] = values_[place & mask_];
            links[place & (size - 1)] = links_[place & mask_];
        }
        values_.swap(values);
        links_.swap(links);
        mask_ = size - 1;
        limit_ = begin_ + size;
    }

    std::vector<Part> values_;
    std::vector<Link> links_;  // one for each value
    std::size_t mask_ = 0;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    std::size_t limit_ = 0;   // where it has to grow
    std::size_t pinned_ = 0;  // places before it are not reused by drop_from()
};

/// Full copies of blocks, by number.
template <class Part>
class BlockCopies {
public:
    /// size: parts in a block.
    explicit BlockCopies(std::size_t size) : size_{size} {}
    [[nodiscard]] Part* at(std::uint32_t copy) { return &parts_[copy * size_]; }
    [[nodiscard]] const Part* at(std::uint32_t copy) const { return &parts_[copy * size_]; }
    std::uint32_t take() {
        if (free_.empty()) {
            free_.push_back(static_cast<std::uint32_t>(parts_.size() / size_));
            parts_.resize(parts_.size() + size_);
            free_.reserve(parts_.capacity() / size_);  // release() allocates nothing
        }
        const std::uint32_t copy = free_.back();
        free_.pop_back();
        return copy;
    }
    void release(std::uint32_t copy) { free_.push_back(copy); }

private:
    std::size_t size_;
    std::vector<Part> parts_;
    std::vector<std::uint32_t> free_;
};

/// The blocks that change in many parts at a time.
class DenseBlocks {
public:
    DenseBlocks(std::size_t blocks, bool always_all) : is_dense_(blocks) {
        blocks_.reserve(blocks);
        if (!always_all) return;
        for (std::uint32_t block = 0; block < blocks; ++block) add(block);
        next_count_ = std::numeric_limits<std::uint64_t>::max();
    }
    [[nodiscard]] const std::vector<std::uint32_t>& blocks() const { return blocks_; }
    [[nodiscard]] bool contains(std::uint32_t block) const { return is_dense_[block] != 0; }
    [[nodiscard]] bool has_all() const { return has_all_; }

    /// Call it at the beginning of each row. True: the changes in the row before are to be counted.
    bool begin_row() { return ++rows_ >= next_count_; }
    /// True: forget all that is dense, since changes in full copies cannot be counted.
    bool begin_anew() {
        if (rows_ < next_anew_) return false;
        for (const std::uint32_t block : blocks_) is_dense_[block] = 0;
        blocks_.clear();
        has_all_ = false;
        next_anew_ = rows_ + kAnewEvery;
        return true;
    }
    /// changed: the parts of it that changed in a row.
    void count(std::uint32_t block, std::uint64_t changed) {
        if (!contains(block) && std::popcount(changed) >= kDense) add(block);
    }
    void end_count() { next_count_ = has_all() ? next_anew_ : std::min(next_anew_, rows_ + kCountEvery); }

private:
    // A full copy of 64-byte parts takes about as long as keeping so many of them one by one.
    static constexpr int kDense = 8;
    static constexpr std::uint64_t kCountEvery = 8;  // rows
    static constexpr std::uint64_t kAnewEvery = 1024;

    void add(std::uint32_t block) {
        is_dense_[block] = 1;
        blocks_.push_back(block);
        has_all_ = blocks_.size() == is_dense_.size();
    }

    std::vector<std::uint32_t> blocks_;
    std::vector<std::uint8_t> is_dense_;  // by block
    bool has_all_ = false;
    std::uint64_t rows_ = 0;
    std::uint64_t next_count_ = kCountEvery;
    std::uint64_t next_anew_ = kAnewEvery;
};

}  // namespace fray::detail
