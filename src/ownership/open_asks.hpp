#pragma once
// Our requests about entities with changing owners that are not decided yet.

#include "ownership/messages.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace fray {

struct OpenAsk {
    std::uint32_t number = 0;
    std::uint32_t previous = 0;
    EntityId target;
    EntityId by;
    SessionInstant seen{};
    std::vector<std::uint8_t> bytes{};
    std::optional<PeerId> asked{};           ///< the owner that has it
    std::optional<Instant> unasked_since{};  ///< no owner has it
    bool decided = false;                    ///< kept until all before it, about this entity, are decided
};

/// An owner keeps a reply until the asker says that all requests before some number have theirs. So that this
/// is never more than kMaxOpenOfEntity, requests that were decided count until those before them are.
class OpenAsks {
public:
    static constexpr std::size_t kMost = 256;

    /// Numbers begin anew; they differ from those of other incarnations, and from those of requests to owners
    /// that do not change.
    void start(std::uint32_t first) { next_ = kFirstLasting | first; }
    [[nodiscard]] bool has_room(const EntityId& target) const {
        const auto of_one = std::ranges::count(open_, target, &OpenAsk::target);
        return open_.size() < kMost && static_cast<std::size_t>(of_one) < kMaxOpenOfEntity;
    }
    /// Opens a request: gives it a number.
    OpenAsk& open(OpenAsk ask) {
        ask.number = next_++;
        if (ask.previous == 0) ask.previous = ask.number - 1;
        return open_.emplace_back(std::move(ask));
    }
    /// The oldest open one about this entity; the next number if none is open.
    [[nodiscard]] std::uint32_t oldest(const EntityId& target) const {
        const auto found = std::ranges::find(open_, target, &OpenAsk::target);
        return found == open_.end() ? next_ : found->number;
    }
    [[nodiscard]] OpenAsk* find(std::uint32_t number) {
        const auto found = std::ranges::find(open_, number, &OpenAsk::number);
        return found == open_.end() || found->decided ? nullptr : &*found;
    }
    void close(std::uint32_t number) {
        const auto closed = std::ranges::find(open_, number, &OpenAsk::number);
        closed->decided = true;
        closed->bytes = {};
        const EntityId target = closed->target;
        bool is_first = true;
        std::erase_if(open_, [&](const OpenAsk& ask) {
            if (ask.target != target) return false;
            is_first = is_first && ask.decided;
            return is_first;
        });
    }
    /// Those that were decided included.
    [[nodiscard]] std::vector<OpenAsk>& all() { return open_; }
    [[nodiscard]] std::size_t heap_bytes() const {
        std::size_t sum = open_.capacity() * sizeof(OpenAsk);
        for (const OpenAsk& ask : open_) sum += ask.bytes.capacity();
        return sum;
    }

private:
    std::vector<OpenAsk> open_;  // ordered by number
    std::uint32_t next_ = kFirstLasting;
};

}  // namespace fray
