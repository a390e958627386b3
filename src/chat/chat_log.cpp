#include "chat/chat_log.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace fray {

namespace {

constexpr std::size_t kMostKept = 256;     // lines that members can still request
constexpr std::size_t kMostOwn = 32;       // own lines that wait for a place
constexpr std::size_t kMostQueued = 4096;  // further packets are dropped, as the network may do

/// Value of ChatPacket::next in a `want` of a member that has not seen the term opened.
constexpr std::uint64_t kOpening = kLastPlace;

ChatTerm last_of(const std::vector<ChatEra>& eras) { return eras.empty() ? ChatTerm{} : eras.back().term; }

/// The last era of an `open` is its own term.
bool possible(const ChatPacket& packet) {
    return packet.kind != ChatKind::open || (packet.term.round > 0 && last_of(packet.eras) == packet.term);
}

}  // namespace

ChatLog::ChatLog(Instant now, const PeerId& self, const ChatOptions& options)
    : self_{self}, options_{options}, since_{now}, next_tick_{now + options.resend} {}

// --- getters and commands ---

std::optional<PeerId> ChatLog::serializer() const {
    return opened_ ? std::optional{term_.serializer} : std::nullopt;
}

bool ChatLog::is_member(const PeerId& peer) const { return std::ranges::binary_search(members_, peer); }

Result<void> ChatLog::add_member(const PeerId& peer) {
    if (peer == self_ || is_member(peer)) return {};
    if (members_.size() + 1 >= kMostChatters)
        return Error{"a chat may have at most " + std::to_string(kMostChatters) + " members"};
    members_.insert(std::ranges::lower_bound(members_, peer), peer);
    if (leading()) tell(peer, open_packet());
    return {};
}

void ChatLog::remove_member(Instant now, const PeerId& peer) {
    std::erase(members_, peer);
    answers_.erase(peer);
    if (peer == term_.serializer) {
        opened_ = false;
        since_ = now;
        if (!fresh_ && (members_.empty() || self_ < members_.front())) take_office(now);
    }
}

Result<void> ChatLog::say(std::string_view text) {
    if (text.size() > kMostChatBytes)
        return Error{"the line has " + std::to_string(text.size()) + " bytes, and may have at most " +
                     std::to_string(kMostChatBytes)};
    if (own_.size() >= kMostOwn)
        return Error{"too many lines wait for a place (" + std::to_string(kMostOwn) + "): try again later"};
    const std::uint32_t before = own_.empty() ? said_by(self_) : own_.back().number;
    own_.push_back({self_, before + 1, {text.begin(), text.end()}});
    offer_own();
    return {};
}

void ChatLog::handle_time(Instant now) {
    if (now < next_tick_) return;
    next_tick_ = now + options_.resend;
    const bool office_is_free = !opened_ && (term_.round == 0 || !is_member(term_.serializer));
    const bool waited = now - since_ >= options_.patience;
    if (term_.serializer == self_ && !opened_) {
        if (waited) return open_term();
        for (const PeerId& member : members_) tell(member, {.kind = ChatKind::ask, .next = next_});
    } else if (office_is_free && (waited || !fresh_)) {
        if (members_.empty() || self_ < members_.front() || now - since_ >= 2 * options_.patience)
            take_office(now);
    } else if (leading()) {
        tell_all({.kind = ChatKind::head, .next = next_});
    } else {
        ask_for_missing();
    }
    offer_own();
}

// --- as a member ---

void ChatLog::handle_message(Instant now, const PeerId& from, std::span<const std::uint8_t> bytes) {
    BitReader in{bytes};
    ChatPacket packet;
    const bool well =
        read(in, packet) && in.bits_left() < 8 && possible(packet) && is_plausible(packet) && is_member(from);
    if (!well) {
        ++rejected_;
        return;
    }
    receive(now, from, packet);
}

/// No member is that far ahead of us: its places would soon exceed the last one.
bool ChatLog::is_plausible(const ChatPacket& packet) const {
    if (packet.kind == ChatKind::want && packet.next == kOpening) return true;
    return packet.next <= std::max(next_, announced_) + kMostPlacesAhead;
}

void ChatLog::receive(Instant now, const PeerId& from, const ChatPacket& packet) {
    if (packet.kind == ChatKind::want && leading()) return answer_want(from, packet);
    if (packet.kind == ChatKind::say && leading() && packet.term == term_) return place(from, packet);
    const bool by_serializer = packet.term.serializer == from;
    if (packet.kind == ChatKind::state && packet.term == term_) return receive_state(from, packet);
    if (!by_serializer || packet.term < term_) {
        // The sender follows an earlier term: tell it ours.
        if (by_serializer && leading()) tell(from, open_packet());
        return;
    }
    if (packet.term > term_ || packet.kind == ChatKind::ask || packet.kind == ChatKind::open) {
        return receive_newer(now, from, packet);
    }
    announced_ = std::max(announced_, packet.next);
    if (packet.kind == ChatKind::lines && opened_) receive_lines(packet);
    if (!opened_) ask_for_missing();
}

void ChatLog::receive_newer(Instant now, const PeerId& from, const ChatPacket& packet) {
    if (packet.term > term_) adopt(now, packet.term);
    if (packet.kind == ChatKind::open) return follow(packet);
    if (packet.kind != ChatKind::ask) return ask_for_missing();
    ChatPacket state{
        .kind = ChatKind::state, .next = next_, .begin = packet.next, .eras = eras_, .said = said()};
    state.lines = kept_from(packet.next);
    tell(from, std::move(state));
}

/// From here on, only lines from the new serializer are shown.
void ChatLog::adopt(Instant now, const ChatTerm& term) {
    term_ = term;
    opened_ = false;
    early_.clear();
    answers_.clear();
    since_ = now;
}

void ChatLog::follow(const ChatPacket& open) {
    announced_ = std::max(open.next, opened_ ? announced_ : 0);
    if (!opened_) {
        opened_ = true;
        join_log(open);
    }
    if (next_ < open.oldest) start_afresh(open);
    ask_for_missing();
    offer_own();
}

bool ChatLog::is_beginning_of(const std::vector<ChatEra>& eras) const {
    const auto same = [&](const ChatEra& era) { return era.term == last_of(eras_); };
    const auto ours = std::ranges::find_if(eras, same);
    if (fresh_ || ours == eras.end()) return false;
    // Every later term began at the place that its serializer had reached. Lines of ours beyond it were
    // replaced.
    return std::all_of(ours + 1, eras.end(), [&](const ChatEra& missed) { return next_ <= missed.begin; });
}

/// Continues with another member's log. Starts over if ours may differ from it.
void ChatLog::join_log(const ChatPacket& theirs) {
    if (!is_beginning_of(theirs.eras)) start_afresh(theirs);
    eras_ = theirs.eras;
}

void ChatLog::start_afresh(const ChatPacket& open) {
    const bool first = std::exchange(fresh_, false);
    if (!first) tell_game(ChatReset{open.next});
    next_ = announced_ = open.next;
    kept_.clear();
    early_.clear();
    said_.clear();
    for (const SaidBy& said : open.said) said_[said.author] = said.count;
    const auto placed = [&](const PlacedLine& line) { return !first && line.number <= said_by(self_); };
    std::erase_if(own_, placed);
    for (std::uint32_t number = said_by(self_); PlacedLine & line : own_) line.number = ++number;
}

void ChatLog::receive_lines(const ChatPacket& packet) {
    std::uint64_t place = packet.next;
    for (const PlacedLine& line : packet.lines) {
        if (place >= next_ && place < next_ + kMostKept) early_.try_emplace(place, line);
        announced_ = std::max(announced_, ++place);
    }
    while (!early_.empty() && early_.begin()->first == next_) {
        show(early_.begin()->second);
        early_.erase(early_.begin());
    }
}

void ChatLog::show(const PlacedLine& line) {
    tell_game(ChatLine{next_, line.author, {line.text.begin(), line.text.end()}});
    said_[line.author] = line.number;
    if (said_.size() > kMostAuthors) {
        std::erase_if(said_,
                      [&](const auto& entry) { return entry.first != self_ && !is_member(entry.first); });
    }
    while (!own_.empty() && line.author == self_ && own_.front().number <= line.number) own_.pop_front();
    kept_.push_back(line);
    if (kept_.size() > kMostKept) kept_.pop_front();
    announced_ = std::max(announced_, ++next_);
}

void ChatLog::tell_game(ChatEvent event) {
    events_.push_back(std::move(event));
    if (events_.size() <= kMostUnreadChat) return;
    // Drops the oldest event, and turns the next one into a reset that reports the gap, if it is none
    // already.
    events_.pop_front();
    ChatEvent& oldest = events_.front();
    if (const auto* line = std::get_if<ChatLine>(&oldest)) oldest = ChatReset{line->place + 1};
}

void ChatLog::offer_own() {
    if (own_.empty() || !opened_) return;
    ChatPacket packet{.kind = ChatKind::say, .term = term_};
    const std::size_t count = std::min(own_.size(), kMostLinesAtOnce);
    packet.lines.assign(own_.begin(), own_.begin() + static_cast<std::ptrdiff_t>(count));
    if (leading()) return place(self_, packet);
    tell(term_.serializer, std::move(packet));
}

void ChatLog::ask_for_missing() {
    if (term_.round == 0 || leading() || (opened_ && next_ >= announced_)) return;
    tell(term_.serializer, {.kind = ChatKind::want, .next = opened_ ? next_ : kOpening});
}

// --- as serializer, or about to be ---

void ChatLog::take_office(Instant now) {
    adopt(now, {term_.next_round(), self_});
    if (members_.empty()) return open_term();
    for (const PeerId& member : members_) tell(member, {.kind = ChatKind::ask, .next = next_});
}

void ChatLog::receive_state(const PeerId& from, const ChatPacket& packet) {
    if (term_.serializer != self_ || opened_) return;
    if (last_of(packet.eras) >
        last_of(eras_)) {  // the later log wins; earlier answers referred to another one
        join_log(packet);
        for (auto& [member, next] : answers_) next = 0;
    }
    const bool ours = !eras_.empty() && last_of(packet.eras) == last_of(eras_);
    answers_[from] = ours ? packet.next : 0;
    if (ours) take_lines(from, packet);
    const auto caught_up = [&](const auto& answer) { return answer.second <= next_; };
    if (answers_.size() == members_.size() && std::ranges::all_of(answers_, caught_up)) open_term();
}

/// Takes missing lines from a member with the same log.
void ChatLog::take_lines(const PeerId& from, const ChatPacket& packet) {
    if (packet.next > next_ && packet.lines.empty())
        start_afresh(packet);  // that member no longer keeps what we lack
    for (std::uint64_t place = packet.begin; const PlacedLine& line : packet.lines) {
        if (place++ == next_) show(line);
    }
    if (next_ < packet.next) tell(from, {.kind = ChatKind::ask, .next = next_});
}

void ChatLog::open_term() {
    opened_ = true;
    fresh_ = false;
    announced_ = next_;
    eras_.push_back({term_, next_});
    if (eras_.size() > kMostEras) eras_.erase(eras_.begin());
    answers_.clear();
    tell_all(open_packet());
    offer_own();
}

ChatPacket ChatLog::open_packet() const {
    return {.kind = ChatKind::open, .next = next_, .oldest = oldest(), .eras = eras_, .said = said()};
}

/// Places an author's lines in the order of their numbers, each once.
void ChatLog::place(const PeerId& author, const ChatPacket& packet) {
    ChatPacket placed{.kind = ChatKind::lines, .next = next_};
    for (const PlacedLine& line : packet.lines) {
        if (line.author != author || line.number != said_by(author) + 1 || next_ >= kLastPlace) continue;
        placed.lines.push_back(line);
        show(line);
    }
    if (!placed.lines.empty()) tell_all(placed);
}

void ChatLog::answer_want(const PeerId& from, const ChatPacket& packet) {
    const bool there = packet.term == term_ && packet.next >= oldest() && packet.next < next_;
    if (!there) return tell(from, open_packet());
    tell(from, {.kind = ChatKind::lines, .next = packet.next, .lines = kept_from(packet.next)});
}

// --- out ---

std::vector<PlacedLine> ChatLog::kept_from(std::uint64_t place) const {
    if (place < oldest() || place >= next_) return {};
    const auto first = kept_.begin() + static_cast<std::ptrdiff_t>(place - oldest());
    const auto count = std::min<std::uint64_t>(next_ - place, kMostLinesAtOnce);
    return {first, first + static_cast<std::ptrdiff_t>(count)};
}

std::vector<SaidBy> ChatLog::said() const {
    std::vector<SaidBy> all;
    for (const auto& [author, count] : said_) {
        if (all.size() < kMostAuthors) all.push_back({author, count});
    }
    return all;
}

std::uint32_t ChatLog::said_by(const PeerId& author) const {
    const auto found = said_.find(author);
    return found == said_.end() ? 0 : found->second;
}

void ChatLog::tell(const PeerId& to, ChatPacket packet) {
    packet.term = term_;
    if (messages_.size() < kMostQueued) messages_.push_back({to, to_bytes(packet)});
}

void ChatLog::tell_all(const ChatPacket& packet) {
    for (const PeerId& member : members_) tell(member, packet);
}

std::optional<ChatMessage> ChatLog::poll_message() {
    if (messages_.empty()) return std::nullopt;
    ChatMessage next = std::move(messages_.front());
    messages_.pop_front();
    return next;
}

std::optional<ChatEvent> ChatLog::poll_event() {
    if (events_.empty()) return std::nullopt;
    ChatEvent next = std::move(events_.front());
    events_.pop_front();
    return next;
}

}  // namespace fray
