#include "trade/trade_journal.hpp"

#include <fray/fingerprint.hpp>

#include "trade/holdings.hpp"
#include "trade/items.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace fray {

namespace {

constexpr std::uint16_t kVersion = 2;
constexpr std::size_t kHeadBytes = 10;

template <class Stream>
void serialize(Stream& s, TradeJournal& journal) {
    fray::serialize(s, journal.owner);
    s.whole(journal.seed.value);
    s.whole(journal.stay);
    serialize_list(s, journal.items, kMostItems);
    serialize_list(s, journal.trades, kMostTrades);
    serialize_list(s, journal.closed, kMostClosed);
    serialize_list(s, journal.forgotten, kMostForgotten);
}

std::uint64_t checksum(std::span<const std::uint8_t> body) { return Fingerprint{}.add(body).value(); }

/// Whether a desk of this owner can have recorded this trade.
bool possible(const Trade& trade, const PeerId& owner) {
    const bool decided = trade.verdict.decided().has_value();
    return trade.name.three_peers() && trade.name.role_of(owner) == trade.role && trade.name.key != 0 &&
           well_formed(trade.give) && well_formed(trade.want) &&
           decided == (trade.stage == TradeStage::decided) && (decided || !trade.shown);
}

/// Room is checked for either end of every undecided trade.
bool covered(const TradeJournal& journal) {
    const auto fits = [&](const Stack& stack) {
        const std::uint64_t owned = count_of(journal.items, stack.item);
        return locked(journal.trades, stack.item) <= owned &&
               owned + incoming(journal.trades, stack.item) <= std::numeric_limits<std::uint32_t>::max();
    };
    return std::ranges::all_of(journal.trades,
                               [&](const Trade& trade) {
                                   return std::ranges::all_of(trade.give, fits) &&
                                          std::ranges::all_of(trade.want, fits);
                               }) &&
           kinds(journal.items, journal.trades) <= kMostItems;
}

bool possible(const TradeJournal& journal) {
    for (auto trade = journal.trades.begin(); trade != journal.trades.end(); ++trade) {
        const auto same = [&](const Trade& other) { return other.name == trade->name; };
        if (!possible(*trade, journal.owner) || std::any_of(journal.trades.begin(), trade, same))
            return false;
    }
    return well_formed(journal.items) && covered(journal) && std::ranges::is_sorted(journal.forgotten);
}

}  // namespace

std::vector<std::uint8_t> encode(const TradeJournal& journal) {
    MeasureStream size;
    serialize(size, const_cast<TradeJournal&>(journal));  // measuring never changes the value
    std::vector<std::uint8_t> bytes(kHeadBytes + (size.bits() + 7) / 8);
    const auto body = std::span{bytes}.subspan(kHeadBytes);
    BitWriter out{body};
    WriteStream stream{out};
    serialize(stream, const_cast<TradeJournal&>(journal));  // nor does writing
    (void)out.finish();
    BitWriter head{std::span{bytes}.first(kHeadBytes)};
    head.bits(kVersion, 16);
    head.bits(checksum(body), 64);
    (void)head.finish();
    return bytes;
}

Result<TradeJournal> decode_journal(std::span<const std::uint8_t> bytes, const PeerId& owner) {
    if (bytes.size() < kHeadBytes)
        return Error{"the journal is cut off: it has " + std::to_string(bytes.size()) +
                     " bytes, and its header alone has " + std::to_string(kHeadBytes)};
    const auto body = bytes.subspan(kHeadBytes);
    BitReader head{bytes.first(kHeadBytes)};
    const std::uint64_t version = head.bits(16);
    if (version != kVersion) {
        return Error{"the journal has version " + std::to_string(version) + ", and must have version " +
                     std::to_string(kVersion)};
    }
    if (head.bits(64) != checksum(body)) return Error{"the journal is damaged: checksum mismatch"};
    BitReader in{body};
    ReadStream stream{in};
    TradeJournal journal;
    serialize(stream, journal);
    if (!stream.ok() || in.bits_left() >= 8) return Error{"the journal is damaged: it cannot be decoded"};
    if (journal.owner != owner)
        return Error{"the journal belongs to peer " + to_string(journal.owner) + ", not to " +
                     to_string(owner)};
    if (!possible(journal)) return Error{"the journal is damaged: it contains invalid values"};
    return journal;
}

}  // namespace fray
