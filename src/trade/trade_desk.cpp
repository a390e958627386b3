#include "trade/items.hpp"
#include "trade/trade_book.hpp"

#include <chrono>
#include <string>
#include <utility>

namespace fray {

Result<void> TradeOptions::check() const {
    const auto within = [](Duration value, Duration low, Duration high) {
        return value >= low && value <= high;
    };
    if (!within(offer, 1s, 1h)) return Error{"TradeOptions::offer must be between 1 s and 1 h"};
    if (!within(vote, 10ms, 10min)) return Error{"TradeOptions::vote must be between 10 ms and 10 min"};
    if (!within(doubt, 10ms, 10min)) return Error{"TradeOptions::doubt must be between 10 ms and 10 min"};
    if (!within(resend, 1ms, 1min)) return Error{"TradeOptions::resend must be between 1 ms and 1 min"};
    return {};
}

Result<TradeDesk> TradeDesk::open_new(Instant now, PeerId self, Seed seed, const TradeOptions& options) {
    if (const auto checked = options.check(); !checked) return checked.error();
    return TradeDesk{std::make_unique<TradeBook>(now, options, TradeJournal{.owner = self, .seed = seed})};
}

Result<TradeDesk> TradeDesk::reopen(Instant now, PeerId self, std::span<const std::uint8_t> journal,
                                    const TradeOptions& options) {
    if (const auto checked = options.check(); !checked) return checked.error();
    auto book = decode_journal(journal, self);
    if (!book) return book.error();
    return TradeDesk{std::make_unique<TradeBook>(now, options, std::move(*book))};
}

TradeDesk::TradeDesk(std::unique_ptr<TradeBook> book) : book_{std::move(book)} {}
TradeDesk::TradeDesk(TradeDesk&&) noexcept = default;
TradeDesk& TradeDesk::operator=(TradeDesk&&) noexcept = default;
TradeDesk::~TradeDesk() = default;

Items TradeDesk::items() const { return book_->items(); }
std::uint32_t TradeDesk::owned(ItemId item) const { return count_of(book_->items(), item); }
std::uint32_t TradeDesk::free(ItemId item) const { return book_->free(item); }
std::size_t TradeDesk::undecided() const { return book_->undecided(); }
std::size_t TradeDesk::witnessing() const { return book_->witnessing(); }
std::size_t TradeDesk::remembered() const { return book_->remembered(); }
std::vector<TradeState> TradeDesk::trades() const { return book_->trades(); }
std::uint64_t TradeDesk::rejected() const { return book_->rejected(); }

void TradeDesk::handle_message(Instant now, const PeerId& from, std::span<const std::uint8_t> bytes) {
    book_->handle_message(now, from, bytes);
}
void TradeDesk::handle_time(Instant now) { book_->handle_time(now); }

Result<void> TradeDesk::add(const Items& items) { return book_->add(items); }
Result<void> TradeDesk::remove(const Items& items) { return book_->remove(items); }
Result<TradeId> TradeDesk::propose(Instant now, const TradeTerms& terms) {
    return book_->propose(now, terms);
}
Result<void> TradeDesk::accept(Instant now, const TradeId& trade) { return book_->accept(now, trade); }
Result<void> TradeDesk::refuse(const TradeId& trade) { return book_->refuse(trade); }
Result<void> TradeDesk::forget(const PeerId& peer) { return book_->forget(peer); }

std::optional<std::vector<std::uint8_t>> TradeDesk::poll_journal() { return book_->poll_journal(); }
std::optional<TradeMessage> TradeDesk::poll_message() { return book_->poll_message(); }
std::optional<TradeEvent> TradeDesk::poll_event() { return book_->poll_event(); }
Instant TradeDesk::poll_wakeup() const { return book_->poll_wakeup(); }

}  // namespace fray
