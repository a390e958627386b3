#pragma once
// A whole state on its way to another member, in pieces: a few per frame, so that it fits beside the game.

#include <fray/fingerprint.hpp>

#include "time_warp/stream_messages.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

namespace fray {

class StateSender {
public:
    void add(const PeerId& to, Tick tick, std::vector<std::uint8_t> bytes) {
        std::erase_if(jobs_, [&](const Job& job) { return job.to == to; });
        if (bytes.size() > kMostStateBytes || jobs_.size() >= kMostSeats) return;
        const std::uint64_t hash = Fingerprint{}.add(bytes).value();
        jobs_.push_back({to, tick, hash, std::move(bytes), 0});
    }
    void forget(const PeerId& to) {
        std::erase_if(jobs_, [&](const Job& job) { return job.to == to; });
    }
    /// The next piece, one of each receiver's state in turn.
    [[nodiscard]] std::optional<std::pair<PeerId, StreamNote>> next() {
        if (jobs_.empty()) return std::nullopt;
        Job job = std::move(jobs_.front());
        jobs_.pop_front();
        const std::size_t size = std::min(kPieceBytes, job.bytes.size() - job.sent);
        StreamNote note{.kind = StreamNote::Kind::piece, .tick = job.tick};
        note.number = static_cast<std::uint32_t>(job.sent);
        note.total = static_cast<std::uint32_t>(job.bytes.size());
        note.hash = job.hash;
        const auto first = job.bytes.begin() + static_cast<std::ptrdiff_t>(job.sent);
        note.bytes.assign(first, first + static_cast<std::ptrdiff_t>(size));
        job.sent += size;
        const PeerId to = job.to;
        if (job.sent < job.bytes.size()) jobs_.push_back(std::move(job));
        return std::pair{to, std::move(note)};
    }

private:
    struct Job {
        PeerId to;
        Tick tick;
        std::uint64_t hash;
        std::vector<std::uint8_t> bytes;
        std::size_t sent;
    };
    std::deque<Job> jobs_;
};

class StateReceiver {
public:
    enum class Taken : std::uint8_t { more, complete, refused };
    struct Wish {
        PeerId from;
        Tick tick = 0;
        bool exact = false;
        std::optional<std::uint64_t> hash{};  ///< that the state must have, if it is known
        Instant progressed{};                 ///< when it was asked for, or the last piece came
    };

    void ask(const Wish& wish) {
        wish_ = wish;
        bytes_.clear();
    }
    void stop() { wish_.reset(); }
    [[nodiscard]] const std::optional<Wish>& wish() const { return wish_; }
    [[nodiscard]] std::vector<std::uint8_t> take() {
        wish_.reset();
        return std::exchange(bytes_, {});
    }

    /// Pieces come in order; a piece at offset 0 begins anew.
    Taken add(Instant now, const PeerId& from, const StreamNote& note) {
        const bool fits = wish_ && wish_->from == from && note.total <= kMostStateBytes &&
                          (wish_->exact ? note.tick == wish_->tick : note.tick >= wish_->tick);
        if (!fits) return Taken::refused;
        if (note.number == 0) bytes_.clear();
        if (note.number != bytes_.size() || bytes_.size() + note.bytes.size() > note.total)
            return Taken::refused;
        bytes_.insert(bytes_.end(), note.bytes.begin(), note.bytes.end());
        if (!note.bytes.empty()) wish_->progressed = now;
        if (bytes_.size() < note.total) return Taken::more;
        const std::uint64_t hash = Fingerprint{}.add(bytes_).value();
        if (hash == note.hash && (!wish_->hash || *wish_->hash == hash)) return Taken::complete;
        bytes_.clear();
        return Taken::refused;
    }

private:
    std::optional<Wish> wish_;
    std::vector<std::uint8_t> bytes_;
};

}  // namespace fray
