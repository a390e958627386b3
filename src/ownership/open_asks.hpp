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
    std::optional<PeerId> asked{};  ///< the owner that has it
};

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
        return found == open_.end() ? nullptr : &*found;
    }
    void close(std::uint32_t number) {
        std::erase_if(open_, [&](const OpenAsk& ask) { return ask.number == number; });
    }
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
