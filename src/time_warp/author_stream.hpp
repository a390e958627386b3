#pragma once
// The lines of one author, as far as they are known here.

#include <fray/time_warp/tick_streams.hpp>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace fray {

class AuthorStream {
public:
    /// A stream of which lines for ticks from `base` on matter.
    explicit AuthorStream(Tick base = 0) : base_{base}, through_{base} {}

    /// The number of the next line that is not known.
    [[nodiscard]] std::uint32_t next() const { return next_; }
    /// All lines for earlier ticks are known.
    [[nodiscard]] Tick through() const { return through_; }
    [[nodiscard]] bool has_begun() const { return has_begun_; }
    /// From this tick on, all lines before through() are still kept.
    [[nodiscard]] Tick base() const { return base_; }
    /// Whether lines from this number on, for this tick or later ones, were forgotten.
    [[nodiscard]] bool has_forgotten(std::uint32_t number, Tick tick) const {
        return tick < base_ && number < next_ - lines_.size();
    }
    /// Known lines from this number on; none if some of them were forgotten.
    [[nodiscard]] std::vector<StreamLine> from(std::uint32_t number, std::size_t most) const {
        const auto oldest = next_ - static_cast<std::uint32_t>(lines_.size());
        if (number < oldest || number >= next_) return {};
        const auto first = lines_.begin() + static_cast<std::ptrdiff_t>(number - oldest);
        return {first, first + static_cast<std::ptrdiff_t>(std::min<std::size_t>(most, next_ - number))};
    }
    /// The first line for this tick or a later one; next() if there is none.
    [[nodiscard]] std::uint32_t first_since(Tick tick) const {
        for (const StreamLine& line : lines_) {
            if (line.tick >= tick) return line.number;
        }
        return next_;
    }

    /// The first message of a stream says at which number the lines from the base on begin.
    void begin(std::uint32_t first) {
        if (has_begun_) return;
        has_begun_ = true;
        next_ = first;
    }
    /// False if it is not the next one, or lies before the promise.
    bool append(const StreamLine& line) {
        if (line.number != next_ || line.tick < through_) return false;
        lines_.push_back(line);
        through_ = line.tick;
        ++next_;
        return true;
    }
    void promise(Tick through) {
        if (through > through_) through_ = through;
    }
    /// Keeps the newest lines for others that may lack them.
    void trim() {
        for (; lines_.size() > kKept; lines_.pop_front()) base_ = std::max(base_, lines_.front().tick + 1);
    }

private:
    static constexpr std::size_t kKept = 1024;
    Tick base_;
    Tick through_;
    std::uint32_t next_ = 1;
    bool has_begun_ = false;
    std::deque<StreamLine> lines_;
};

}  // namespace fray
