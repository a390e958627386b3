#pragma once
// The lines of one author, as far as they are known here.

#include <fray/time_warp/tick_streams.hpp>

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace fray {

class AuthorStream {
public:
    /// A stream of which lines for ticks from `base` on matter.
    explicit AuthorStream(Tick base = 0) : through_{base} {}

    /// The number of the next line that is not known.
    [[nodiscard]] std::uint32_t next() const { return next_; }
    /// All lines for earlier ticks are known.
    [[nodiscard]] Tick through() const { return through_; }
    [[nodiscard]] bool has_begun() const { return has_begun_; }
    /// Known lines from this number on; those that were forgotten are left out.
    [[nodiscard]] std::vector<StreamLine> from(std::uint32_t number, std::size_t most) const {
        std::vector<StreamLine> found;
        for (const StreamLine& line : lines_) {
            if (line.number >= number && found.size() < most) found.push_back(line);
        }
        return found;
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
        while (lines_.size() > kKept) lines_.pop_front();
    }

private:
    static constexpr std::size_t kKept = 1024;
    Tick through_;
    std::uint32_t next_ = 1;
    bool has_begun_ = false;
    std::deque<StreamLine> lines_;
};

}  // namespace fray
