#pragma once
// What a match on Time Warp keeps of its past: final states at checkpoints, and lines.

#include <fray/fingerprint.hpp>
#include <fray/time_warp/tick_streams.hpp>

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace fray::detail {

/// The last final states, as bytes.
class Checkpoints {
public:
    static constexpr std::size_t kKept = 8;

    void keep(Tick tick, std::vector<std::uint8_t> bytes) {
        states_[tick] = std::move(bytes);
        while (states_.size() > kKept) states_.erase(states_.begin());
    }
    /// A state was replaced: those after it are wrong.
    void forget_after(Tick tick) { states_.erase(states_.upper_bound(tick), states_.end()); }
    [[nodiscard]] const std::vector<std::uint8_t>* find(Tick tick) const {
        const auto found = states_.find(tick);
        return found == states_.end() ? nullptr : &found->second;
    }
    [[nodiscard]] std::optional<std::uint64_t> hash_of(Tick tick) const {
        const auto* bytes = find(tick);
        return bytes == nullptr ? std::nullopt : std::optional{Fingerprint{}.add(*bytes).value()};
    }
    [[nodiscard]] Tick oldest() const { return states_.empty() ? 0 : states_.begin()->first; }
    [[nodiscard]] std::optional<Tick> newest() const {
        return states_.empty() ? std::nullopt : std::optional{states_.rbegin()->first};
    }

private:
    std::map<Tick, std::vector<std::uint8_t>> states_;
};

/// Lines since the oldest checkpoint, for a state that is installed; and, if wanted, final lines in order.
class KeptLines {
public:
    explicit KeptLines(bool keeps_final) : keeps_final_{keeps_final} {}

    void add(const StreamLine& line) {
        if (keeps_final_) open_.try_emplace({line.tick, {line.author, line.number}}, line);
        recent_.push_back(line);
        if (recent_.size() > kMostRecent) recent_.pop_front();
    }
    void forget_before(Tick tick) {
        while (!recent_.empty() && recent_.front().tick < tick) recent_.pop_front();
    }
    /// Everything before this tick is final.
    void finish(Tick tick) {
        while (!open_.empty() && open_.begin()->first.first < tick)
            final_.push_back(std::move(open_.extract(open_.begin()).mapped()));
    }
    [[nodiscard]] std::vector<StreamLine> take_final() { return std::exchange(final_, {}); }
    [[nodiscard]] const std::deque<StreamLine>& recent() const { return recent_; }

private:
    static constexpr std::size_t kMostRecent = 65'536;

    bool keeps_final_;
    std::deque<StreamLine> recent_;
    std::map<std::pair<Tick, MessageName>, StreamLine> open_;
    std::vector<StreamLine> final_;
};

/// Whether the rules can go on from a state of another peer. `first`: the game at its beginning.
template <class Game>
bool accepts(const Game& first, std::span<const typename Game::Part> state) {
    if (state.size() != first.parts()) return false;
    if constexpr (requires { first.accepts(state); }) return first.accepts(state);
    return true;
}

/// How many ticks later an own message takes effect.
class InputDelay {
public:
    /// follows: as many ticks as others' messages are late, at most `most`; otherwise always `most`.
    InputDelay(Tick most, bool follows) : most_{most}, follows_{follows}, delay_{follows ? 0 : most} {}

    void see(Tick late) {
        if (!follows_) return;
        constexpr double kWeight = 1.0 / 32;
        late_ += (static_cast<double>(std::max<Tick>(0, late)) - late_) * kWeight;
        delay_ = std::min(most_, static_cast<Tick>(late_ + 0.5));
    }
    [[nodiscard]] Tick ticks() const { return delay_; }

private:
    Tick most_;
    bool follows_;
    Tick delay_;
    double late_ = 0;  // averaged
};

}  // namespace fray::detail
