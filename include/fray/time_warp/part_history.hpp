#pragma once
// The undo log of a game of parts: the present value of every part, and what the values were before.
//
// Row t holds values from the start of tick t, of the parts that changed during t. Parts are kept in blocks
// of 64. A block in a row is absent (nothing changed), sparse (a list of the values that changed) or a full
// copy; a full copy is made where the block changed in many parts lately, since one long copy is then cheaper
// than many short ones. Time and memory follow change, not the number of parts, except for 16 bytes per block
// and row.
//
//     PartHistory<Line> history{lines, 0, 60};
//     auto row = history.begin();            // of tick 0
//     row.change(7).x = 3;                   // keeps the old value
//     history.at(0, 7);                      // the old value
//     history.rewind(0);                     // the present is again what it was at the start of tick 0
//
// Memory is taken from pools and reused: after warm-up nothing is allocated.

#include <fray/assert.hpp>
#include <fray/time_warp/parts.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace fray {

enum class Store : std::uint8_t {
    undo_log,   ///< what changed
    full_copy,  ///< all parts in every row: what the undo log is compared with
};

template <class Part>
class PartHistory {
    static_assert(std::is_trivially_copyable_v<Part> && std::is_default_constructible_v<Part>);

    struct Cell;

public:
    static constexpr std::size_t kBlock = 64;

    /// tick: number of the state `present`; most_rows: rows held at a time.
    PartHistory(std::span<const Part> present, Tick tick, std::size_t most_rows,
                Store store = Store::undo_log)
        : store_{store},
          blocks_{(present.size() + kBlock - 1) / kBlock},
          full_size_{std::min(kBlock, present.size())},
          row_mask_{std::bit_ceil(most_rows) - 1},
          present_(present.begin(), present.end()),
          cells_(blocks_ * (row_mask_ + 1)),
          first_block_(row_mask_ + 1, kNone),
          log_starts_(row_mask_ + 1),
          unchanged_from_(blocks_, tick),
          restored_(blocks_),
          oldest_{tick},
          next_{tick} {
        if (store_ == Store::undo_log) return;
        for (std::uint32_t block = 0; block < blocks_; ++block) dense_.push_back(block);
    }

    /// Forgets everything: `present` is state number `tick`. It has as many parts as before.
    void reset(std::span<const Part> present, Tick tick) {
        FRAY_ASSERT(present.size() == present_.size());
        forget_before(next_);
        std::copy(present.begin(), present.end(), present_.begin());
        oldest_ = next_ = tick;
        std::fill(unchanged_from_.begin(), unchanged_from_.end(), tick);
    }

    /// The newest row, while its tick is executed. Valid until any other call that changes the history.
    class Row {
    public:
        /// A part's present value, to be written. The row keeps what it was.
        Part& change(PartNumber part) {
            if (!is_full_) history_->keep_present(cells_[part / kBlock], part);
            return present_[part];
        }

    private:
        friend PartHistory;
        explicit Row(PartHistory& history)
            : history_{&history},
              cells_{history.cells_of(history.next_ - 1)},
              present_{history.present_.data()},
              is_full_{history.dense_.size() == history.blocks_} {}

        // Copies, so that the compiler can hold them in registers.
        PartHistory* history_;
        Cell* cells_;
        Part* present_;
        bool is_full_;
    };
    /// Begins the row of the tick that is executed next.
    [[gnu::noinline]] Row begin() {
        FRAY_ASSERT(static_cast<std::size_t>(next_ - oldest_) <= row_mask_);
        if (++begun_ % kCountEvery == 0) find_dense_blocks();
        log_starts_[slot(next_)] = log_end_;
        ++next_;
        const Row row{*this};
        for (const std::uint32_t block : dense_) copy_block(row.cells_[block], block);
        return row;
    }
    /// Writes a value that row `tick` is to have, whether or not it had one. Later rows stay as they are.
    void keep(Tick tick, PartNumber part, Part value) {
        Cell& cell = cells_of(tick)[part / kBlock];
        if (const Part* kept = find(cell, part)) {
            *const_cast<Part*>(kept) = value;
            return;
        }
        push(cell, tick, part, value);
        patched_ = log_end_;
    }
    /// Writes a present value without keeping the old one: the newest row has to have it.
    void set_present(PartNumber part, const Part& value) { present_[part] = value; }

    /// A part at the start of `tick`, which is not before oldest(). Valid until something is written.
    [[nodiscard]] const Part& at(Tick tick, PartNumber part) const {
        const Tick end = std::min(next_, unchanged_from_[part / kBlock]);
        for (; tick < end; ++tick)
            if (const Part* kept = find(cells_of(tick)[part / kBlock], part)) return *kept;
        return present_[part];
    }
    [[nodiscard]] std::span<const Part> present() const { return present_; }
    [[nodiscard]] Tick oldest() const { return oldest_; }
    /// The number of the present state: row next() - 1 is the newest.
    [[nodiscard]] Tick next() const { return next_; }

    /// The present becomes what it was at the start of `tick`; that row and later ones are dropped.
    void rewind(Tick tick) {
        FRAY_ASSERT(tick >= oldest_);
        if (tick >= next_) return;
        // From the oldest row on, so that each part is written once.
        for (Tick row = tick; row < next_; ++row)
            drop(row, [&](std::size_t block, const Cell& cell) { restore(block, cell); });
        for (const std::uint32_t block : touched_) restored_[block] = 0;
        touched_.clear();
        // Values that were written into older rows meanwhile stay where they are in the log.
        log_end_ = std::max(log_starts_[slot(tick)], patched_);
        next_ = tick;
    }
    /// Drops the rows before `tick`.
    void forget_before(Tick tick) {
        for (; oldest_ < std::min(tick, next_); ++oldest_) drop(oldest_, [](std::size_t, const Cell&) {});
        log_begin_ = oldest_ < next_ ? log_starts_[slot(oldest_)] : log_end_;
    }

private:
    // The values of a cell: a place in the log, kFull and the number of a full copy, or kNone.
    static constexpr std::uint32_t kFull = 0x8000'0000;
    static constexpr std::uint32_t kNone = 0x7FFF'FFFF;
    static constexpr std::uint32_t kPlaces = 0x3FFF'FFFF;  // places are counted modulo this + 1
    // A full copy of 64-byte parts takes about as long as keeping so many of them one by one.
    static constexpr int kDense = 12;
    // Changes are counted in every eighth row. Dense blocks are counted again after 1024 rows.
    static constexpr std::uint64_t kCountEvery = 8;
    static constexpr std::uint64_t kCountAgain = 1024;

    /// A block in a row.
    struct Cell {
        std::uint64_t has = 0;  // parts that have a value here
        std::uint32_t values = kNone;
        std::uint32_t next_block = kNone;  // of this row
        [[nodiscard]] bool is_full() const { return values >= kFull; }
    };
    /// A value in the log.
    struct Link {
        std::uint32_t next;  // of the same cell
        PartNumber part;
    };
    static std::uint64_t bit(PartNumber part) { return std::uint64_t{1} << (part % kBlock); }
    std::size_t slot(Tick tick) const { return static_cast<std::size_t>(tick) & row_mask_; }
    Cell* cells_of(Tick tick) { return &cells_[slot(tick) * blocks_]; }
    const Cell* cells_of(Tick tick) const { return &cells_[slot(tick) * blocks_]; }
    std::size_t size_of(std::size_t block) const {
        return std::min(kBlock, present_.size() - block * kBlock);
    }

    const Part* find(const Cell& cell, PartNumber part) const {
        if ((cell.has & bit(part)) == 0) return nullptr;
        if (cell.is_full()) return &full_copies_[(cell.values - kFull) * full_size_ + part % kBlock];
        std::uint32_t place = cell.values;
        while (links_[place & log_mask_].part != part) place = links_[place & log_mask_].next;
        return &log_[place & log_mask_];
    }

    /// Adds an empty cell to a row.
    void open(Cell& cell, Tick tick, std::size_t block) {
        cell.next_block = std::exchange(first_block_[slot(tick)], static_cast<std::uint32_t>(block));
        unchanged_from_[block] = std::max(unchanged_from_[block], tick + 1);
    }
    void keep_present(Cell& cell, PartNumber part) {
        if ((cell.has & bit(part)) == 0) push(cell, next_ - 1, part, present_[part]);
    }
    [[gnu::noinline]] void push(Cell& cell, Tick tick, PartNumber part, const Part& value) {
        if (cell.values == kNone) open(cell, tick, part / kBlock);
        if (log_end_ - log_begin_ == log_.size()) grow_log();
        const std::size_t place = log_end_++;
        log_[place & log_mask_] = value;
        links_[place & log_mask_] = {cell.values, part};
        cell.values = static_cast<std::uint32_t>(place) & kPlaces;
        cell.has |= bit(part);
    }
    [[gnu::noinline]] void grow_log() {
        const std::size_t size = std::max(kBlock, 2 * log_.size());
        std::vector<Part> log(size);
        std::vector<Link> links(size);
        for (std::size_t place = log_begin_; place < log_end_; ++place) {
            log[place & (size - 1)] = log_[place & log_mask_];
            links[place & (size - 1)] = links_[place & log_mask_];
        }
        log_.swap(log);
        links_.swap(links);
        log_mask_ = size - 1;
    }

    /// Finds blocks of which many parts changed in the newest row.
    [[gnu::noinline]] void find_dense_blocks() {
        if (store_ == Store::full_copy || next_ == oldest_) return;
        const Cell* const cells = cells_of(next_ - 1);
        for (std::uint32_t block = first_block_[slot(next_ - 1)]; block != kNone;
             block = cells[block].next_block)
            if (!cells[block].is_full() && std::popcount(cells[block].has) >= kDense) dense_.push_back(block);
        // The next row is sparse then, and the one after it finds them again.
        if (begun_ % kCountAgain == 0) dense_.clear();
    }
    /// The newest row keeps all of a block.
    void copy_block(Cell& cell, std::size_t block) {
        open(cell, next_ - 1, block);
        if (free_copies_.empty()) add_copy();
        cell.values = kFull + free_copies_.back();
        cell.has = ~std::uint64_t{0};
        free_copies_.pop_back();
        std::copy_n(&present_[block * kBlock], size_of(block),
                    &full_copies_[(cell.values - kFull) * full_size_]);
    }
    [[gnu::noinline]] void add_copy() {
        free_copies_.push_back(static_cast<std::uint32_t>(full_copies_.size() / full_size_));
        full_copies_.resize(full_copies_.size() + full_size_);
    }

    template <class Visit>
    void drop(Tick tick, Visit&& visit) {
        Cell* const cells = cells_of(tick);
        std::uint32_t block = std::exchange(first_block_[slot(tick)], kNone);
        while (block != kNone) {
            Cell& cell = cells[block];
            visit(block, cell);
            if (cell.is_full()) free_copies_.push_back(cell.values - kFull);
            block = std::exchange(cell, Cell{}).next_block;
        }
    }
    void restore(std::size_t block, const Cell& cell) {
        const std::uint64_t missing = cell.has & ~restored_[block];
        if (missing == 0) return;
        if (restored_[block] == 0) touched_.push_back(static_cast<std::uint32_t>(block));
        restored_[block] |= cell.has;
        if (!cell.is_full()) {
            for (std::uint32_t place = cell.values; place != kNone; place = links_[place & log_mask_].next)
                if (const PartNumber part = links_[place & log_mask_].part; (missing & bit(part)) != 0)
                    present_[part] = log_[place & log_mask_];
            return;
        }
        const Part* const copy = &full_copies_[(cell.values - kFull) * full_size_];
        if (missing == ~std::uint64_t{0}) {
            std::copy_n(copy, size_of(block), &present_[block * kBlock]);
            return;
        }
        for (std::size_t i = 0; i < size_of(block); ++i)
            if ((missing >> i & 1U) != 0) present_[block * kBlock + i] = copy[i];
    }

    Store store_;
    std::size_t blocks_;
    std::size_t full_size_;  // parts in a full copy
    std::size_t row_mask_;
    std::vector<Part> present_;
    std::vector<Cell> cells_;                 // of all blocks of a row, then of the next
    std::vector<std::uint32_t> first_block_;  // of each row
    std::vector<std::size_t> log_starts_;     // of each row
    std::vector<Tick> unchanged_from_;        // by block: no row from this one on has a cell of it
    // A ring. The values of a row follow each other, except for those that keep() has added.
    std::vector<Part> log_;
    std::vector<Link> links_;  // one for each value
    std::size_t log_mask_ = 0;
    std::size_t log_begin_ = 0;
    std::size_t log_end_ = 0;
    std::size_t patched_ = 0;  // log_end_ after the last keep()
    std::vector<Part> full_copies_;
    std::vector<std::uint32_t> free_copies_;
    std::vector<std::uint32_t> dense_;     // blocks that are copied in full
    std::vector<std::uint64_t> restored_;  // by block, while rewinding: parts that are as they were
    std::vector<std::uint32_t> touched_;   // blocks with any
    std::uint64_t begun_ = 0;              // rows
    Tick oldest_;
    Tick next_;
};

}  // namespace fray
