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
#include <fray/detail/part_pools.hpp>
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
    static constexpr std::size_t kBlock = detail::kPartBlock;

    /// tick: number of the state `present`; most_rows: rows held at a time.
    PartHistory(std::span<const Part> present, Tick tick, std::size_t most_rows,
                Store store = Store::undo_log)
        : parts_{present.size()},
          blocks_{(parts_ + kBlock - 1) / kBlock},
          row_mask_{std::bit_ceil(most_rows) - 1},
          present_(present.begin(), present.end()),
          cells_(blocks_ * (row_mask_ + 1)),
          rows_(row_mask_ + 1),
          unchanged_from_(blocks_, tick),
          full_copies_{std::min(kBlock, parts_)},
          dense_{blocks_, store == Store::full_copy},
          copies_(blocks_, kNone),
          oldest_{tick},
          next_{tick},
          full_from_{tick},
          spare_end_{tick} {
        to_copy_.reserve(blocks_);
    }

    /// Forgets everything: `present` is state number `tick`. It has as many parts as before.
    void reset(std::span<const Part> present, Tick tick) {
        FRAY_ASSERT(present.size() == parts_);
        forget_before(next_);
        drop_spare();
        std::copy(present.begin(), present.end(), present_.begin());
        oldest_ = next_ = spare_end_ = full_from_ = tick;
        std::fill(unchanged_from_.begin(), unchanged_from_.end(), tick);
    }

    /// The newest row, while its tick is executed. Valid until any other call that changes the history.
    class Row {
    public:
        /// A part's present value, to be written. The row keeps what it was.
        Part& change(PartNumber part) {
            if (!is_full_ && (cells_[part / kBlock].has & bit(part)) == 0)
                history_->keep_present(cells_[part / kBlock], part);
            return present_[part];
        }

    private:
        friend PartHistory;
        Row(PartHistory& history, Cell* cells)
            : history_{&history},
              cells_{cells},
              present_{history.present_.data()},
              is_full_{history.dense_.has_all()} {}

        // Copies, so that the compiler can hold them in registers.
        PartHistory* history_;
        Cell* cells_;
        Part* present_;
        bool is_full_;
    };
    /// Begins the row of the tick that is executed next.
    Row begin() {
        FRAY_ASSERT(static_cast<std::size_t>(next_ - oldest_) <= row_mask_);
        if (dense_.begin_row()) count_changes();
        const std::size_t row = slot(next_);
        rows_[row].log_start = log_.end();
        Cell* const cells = &cells_[row * blocks_];
        ++next_;
        for (const std::uint32_t block : dense_.blocks()) copy_block(cells[block], block);
        if (!dense_.has_all()) full_from_ = next_;
        is_ready_ = false;
        return Row{*this, cells};
    }
    /// Writes a value that row `tick` is to have, whether or not it had one. Later rows stay as they are.
    void keep(Tick tick, PartNumber part, Part value) {
        Cell& cell = cells_of(tick)[part / kBlock];
        if (const Part* kept = find(cell, part)) {
            *const_cast<Part*>(kept) = value;
            return;
        }
        list(cell, tick, part / kBlock);
        push(cell, tick, part, value);
        log_.pin();
    }
    /// Writes a present value without keeping the old one: the newest row has to have it.
    void set_present(PartNumber part, const Part& value) {
        is_ready_ = false;
        present_[part] = value;
    }

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
        if (dense_.has_all() && tick >= full_from_) {
            for (const std::uint32_t block : dense_.blocks()) copy_back(block, cells_of(tick)[block].values);
        } else {
            fetch(tick);
            for (Tick row = next_ - 1; row >= tick; --row) drop<true>(row);
            for (const std::uint32_t block : to_copy_) copy_back(block, std::exchange(copies_[block], kNone));
            to_copy_.clear();
        }
        is_ready_ = true;
        spare_end_ = std::max(spare_end_, next_);
        log_.drop_from(rows_[slot(tick)].log_start);
        next_ = tick;
        full_from_ = std::min(full_from_, tick);
    }
    /// Drops the rows before `tick`.
    void forget_before(Tick tick) {
        for (; oldest_ < std::min(tick, next_); ++oldest_) drop<false>(oldest_);
        log_.drop_before(oldest_ < next_ ? rows_[slot(oldest_)].log_start : log_.end());
    }

private:
    // The values of a cell: a place in the log, kFull and the number of a full copy, or kNone.
    static constexpr std::uint32_t kFull = 0x8000'0000;
    static constexpr std::uint32_t kNone = 0x7FFF'FFFF;
    static constexpr std::uint32_t kUnlisted = 0x7FFF'FFFE;

    /// A block in a row.
    struct Cell {
        std::uint64_t has = 0;  // parts that have a value here
        std::uint32_t values = kNone;
        std::uint32_t next_block = kUnlisted;
        [[nodiscard]] bool is_full() const { return values >= kFull; }
    };
    struct RowState {
        std::size_t log_start = 0;
        // Cells that have a full copy or a value from keep(). Others are known by the row's log.
        std::uint32_t first_block = kNone;
    };

    static std::uint64_t bit(PartNumber part) { return std::uint64_t{1} << (part % kBlock); }
    std::size_t slot(Tick tick) const { return static_cast<std::size_t>(tick) & row_mask_; }
    Cell* cells_of(Tick tick) { return &cells_[slot(tick) * blocks_]; }
    const Cell* cells_of(Tick tick) const { return &cells_[slot(tick) * blocks_]; }
    std::size_t size_of(std::size_t block) const { return std::min(kBlock, parts_ - block * kBlock); }

    const Part* find(const Cell& cell, PartNumber part) const {
        if ((cell.has & bit(part)) == 0) return nullptr;
        if (cell.is_full()) return full_copies_.at(cell.values - kFull) + part % kBlock;
        std::uint32_t place = cell.values;
        while (log_.link(place).part != part) place = log_.link(place).next;
        return &log_.value(place);
    }

    /// Not inlined: a loop of changes is then small enough for a version of its own where the row is full.
    [[gnu::noinline]] void keep_present(Cell& cell, PartNumber part) {
        push(cell, next_ - 1, part, present_[part]);
    }
    void push(Cell& cell, Tick tick, PartNumber part, const Part& value) {
        cell.values = log_.push({cell.values, part, static_cast<std::uint32_t>(slot(tick))}, value);
        cell.has |= bit(part);
        unchanged_from_[part / kBlock] = next_;
    }
    void list(Cell& cell, Tick tick, std::size_t block) {
        if (cell.next_block != kUnlisted) return;
        cell.next_block = std::exchange(rows_[slot(tick)].first_block, static_cast<std::uint32_t>(block));
    }

    [[gnu::noinline]] void count_changes() {
        if (dense_.begin_anew()) return drop_spare();
        if (next_ == oldest_) return;
        const Cell* const cells = cells_of(next_ - 1);
        for (std::size_t place = rows_[slot(next_ - 1)].log_start; place < log_.end(); ++place) {
            const auto block = static_cast<std::uint32_t>(log_.link(place).part / kBlock);
            dense_.count(block, cells[block].has);
        }
        dense_.end_count();
    }
    /// The newest row keeps all of a block.
    void copy_block(Cell& cell, std::size_t block) {
        if (!cell.is_full())
            take_copy(cell, block);
        else if (is_ready_)
            return;
        unchanged_from_[block] = next_;
        std::copy_n(&present_[block * kBlock], size_of(block), copy_of(cell.values));
    }
    [[gnu::noinline]] void take_copy(Cell& cell, std::size_t block) {
        list(cell, next_ - 1, block);
        cell.values = kFull + full_copies_.take();
        cell.has = ~std::uint64_t{0};
    }
    Part* copy_of(std::uint32_t values) { return full_copies_.at(values - kFull); }

    /// Asks for the memory that dropping the rows from `tick` on will touch. It is scattered: one at a time,
    /// most of a rollback would be waiting.
    void fetch(Tick tick) const {
        for (std::size_t i = log_.end(); i-- > rows_[slot(tick)].log_start;) {
            const auto& link = log_.link(i);
            __builtin_prefetch(&present_[link.part], 1);
            __builtin_prefetch(&cells_[link.row * blocks_ + link.part / kBlock], 1);
        }
    }
    /// Drops a row. If it `restores`, its values are written to the present, those of later rows before; and
    /// its full copies remain, to be written again.
    template <bool restores>
    void drop(Tick tick) {
        const std::size_t row = slot(tick);
        const std::size_t end = tick + 1 < next_ ? rows_[slot(tick + 1)].log_start : log_.end();
        Cell* const cells = cells_of(tick);
        const bool has_copies = !to_copy_.empty();
        for (std::size_t i = rows_[row].log_start; i < end; ++i) {
            const auto& link = log_.link(i);
            if (restores && link.row == row) {
                if (has_copies) restore_copy(link.part / kBlock);
                present_[link.part] = log_.value(i);
            }
            if (Cell& cell = cells[link.part / kBlock]; cell.next_block == kUnlisted) cell = {};
        }
        drop_listed<restores>(tick);
    }
    template <bool restores>
    void drop_listed(Tick tick) {
        Cell* const cells = cells_of(tick);
        std::uint32_t remaining = kNone;
        for (std::uint32_t block = rows_[slot(tick)].first_block; block != kNone;) {
            Cell& cell = cells[block];
            const std::uint32_t next_block = cell.next_block;
            if (restores) restore(cell, block);
            if (restores && cell.is_full() && dense_.contains(block)) {
                cell.next_block = std::exchange(remaining, block);
            } else {
                if (cell.is_full()) full_copies_.release(cell.values - kFull);
                cell = {};
            }
            block = next_block;
        }
        rows_[slot(tick)].first_block = remaining;
    }
    void restore(const Cell& cell, std::uint32_t block) {
        if (!cell.is_full()) {
            for (auto place = cell.values; place != kNone; place = log_.link(place).next) restore(place);
            return;
        }
        // An older copy may follow: it has all that is needed then.
        if (copies_[block] == kNone) to_copy_.push_back(block);
        copies_[block] = cell.values;
    }
    void restore(std::size_t place) {
        const PartNumber part = log_.link(place).part;
        restore_copy(part / kBlock);
        present_[part] = log_.value(place);
    }
    /// The copy of a later row goes to the present before values of earlier rows.
    void restore_copy(std::size_t block) { copy_back(block, std::exchange(copies_[block], kNone)); }
    void copy_back(std::size_t block, std::uint32_t copy) {
        if (copy != kNone) std::copy_n(copy_of(copy), size_of(block), &present_[block * kBlock]);
    }
    void drop_spare() {
        for (; spare_end_ > next_; --spare_end_) drop_listed<false>(spare_end_ - 1);
        is_ready_ = false;
    }

    std::size_t parts_;
    std::size_t blocks_;
    std::size_t row_mask_;
    std::vector<Part> present_;
    std::vector<Cell> cells_;  // of all blocks of a row, then of the next
    std::vector<RowState> rows_;
    std::vector<Tick> unchanged_from_;  // by block: no row from this one on has a cell of it
    detail::PartLog<Part> log_;         // row by row, except for the values that keep() has added
    detail::BlockCopies<Part> full_copies_;
    detail::DenseBlocks dense_;           // blocks that are copied in full
    std::vector<std::uint32_t> copies_;   // by block, while rewinding: to be copied to the present
    std::vector<std::uint32_t> to_copy_;  // blocks with any
    bool is_ready_ = false;  // the full copies of row next_ are of the present: it was rewound to
    Tick oldest_;
    Tick next_;
    Tick full_from_;  // rows from here on have full copies of all blocks
    Tick spare_end_;  // rows from next_ to here have full copies to be used again
};

}  // namespace fray
