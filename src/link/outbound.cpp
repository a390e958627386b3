#include "link/outbound.hpp"

#include <fray/assert.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace fray {

namespace {

constexpr unsigned kFormingTurns = 3;  // turns of forming links for one turn of scheduled updates
// Of what the upload carries in a frame:
constexpr std::size_t kSpareShare = 8;     // an eighth is spare, for prompt messages, ...
constexpr std::size_t kReliableShare = 3;  // a third goes to the reliable messages of one link at a time, ...
constexpr std::size_t kPaceSteps = 4;      // ... and a quarter of the updates leaves in steps, ...
constexpr std::size_t kPacedShare = 4;     // ... because what leaves in one burst is blocked in one burst
constexpr int kDoubtShare = 2;   // a link is in doubt after timeout / 2 without an acknowledgement, ...
constexpr int kProbeShare = 20;  // ... and then sends a probe every timeout / 20

UploadBudget make_budget(const LinkOptions& options) {
    if (options.upload_bytes_per_round != 0) return UploadBudget::per_round(options.upload_bytes_per_round);
    if (options.upload_kbps != 0) return UploadBudget::rate(options.upload_kbps);
    return UploadBudget::unlimited();
}

/// The other side has acknowledged nothing for long: it may be gone, or losses come in a burst. With early
/// data links come and go all the time, and the overlay itself watches for silence: probes would take the
/// upload of peers that have little.
bool is_in_doubt(Instant now, const Link& link, const LinkOptions& options) {
    return !options.early_data && now - link.last_acked >= options.timeout / kDoubtShare &&
           link.last_sent > link.last_acked && now - link.last_sent >= options.timeout / kProbeShare;
}

/// The other side would drop the link, because we are busy with others.
bool is_about_to_be_missed(Instant now, const Link& link, const LinkOptions& options) {
    return !options.early_data && now - link.last_sent >= options.timeout / 2;
}

/// Nothing was sent or acknowledged for too long.
bool is_quiet(Instant now, const Link& link, const LinkOptions& options) {
    return now - link.last_sent >= options.keep_alive || is_in_doubt(now, link, options);
}

/// Returns the number of messages written.
std::size_t write_loose(const LooseQueue& loose, DatagramBuilder& datagram) {
    std::size_t written = 0;
    for (const LooseQueue::Message& message : loose.messages()) {
        if (kind_bits(message.kind) + message.bits > datagram.bits_left()) break;
        write_kind(datagram.out(), message.kind);
        datagram.out().copy(loose.bytes(message), message.bits);
        datagram.book(message.purpose);
        ++written;
    }
    return written;
}

void write_all(const auto& writers, Instant now, const Link& link, DatagramBuilder& datagram) {
    for (const auto& writer : writers) {
        writer.part->write_messages(now, link.ends.local_number, link.window.next_sequence(), datagram.out());
        datagram.book(writer.purpose);
    }
}

/// Asks for an acknowledgement.
void write_keep_alive(DatagramBuilder& datagram) {
    if (datagram.bits_left() >= kMessageKindBits) write_kind(datagram.out(), MessageKind::keep_alive);
}

}  // namespace

Outbound::Outbound(LinkTable& links, const LinkOptions& options, RejectionCounts& rejections)
    : links_{links}, options_{options}, rejections_{rejections}, budget_{make_budget(options)} {}

// --- messages in ---

bool Outbound::send_bits(LinkNumber link, MessageKind kind, std::span<const std::uint8_t> bytes,
                         std::size_t bits, const Sending& how) {
    if (how.delivery == Delivery::unreliable) {
        if (waiting_[link].loose.queue(kind, bytes, bits, how, largest_datagram()))
            wake(link);
        else
            rejections_.count(Rejection::no_room);
        return true;
    }
    if (links_.at(link)->overloaded) return true;
    const auto body = bytes.first((bits + 7) / 8);
    reliable_.assign(1, static_cast<std::uint8_t>(kind));
    reliable_.insert(reliable_.end(), body.begin(), body.end());
    ReliableSender& channel = links_.at(link)->channel.out;
    const bool fits_one = reliable_.size() <= kFragmentBytes;
    const Haste haste = rides(kind) && fits_one ? Haste::rides : how.prompt ? Haste::prompt : Haste::usual;
    if (haste == Haste::prompt)
        wake_prompt(link);
    else if (haste == Haste::usual)
        wake(link);
    if (how.replaces) {
        const std::uint64_t about = std::uint64_t{static_cast<std::uint8_t>(kind)} << 32U | *how.replaces;
        if (!channel.queue_latest(about, reliable_, how.purpose)) give_up(link);
        return true;
    }
    return channel.queue(reliable_, how.delivery == Delivery::ordered, how.purpose, haste);
}

void Outbound::wake(LinkNumber link) {
    Waiting& waiting = waiting_[link];
    waiting.writer_due = true;
    if (waiting.urgent) return;
    waiting.urgent = true;
    urgent_.push_back(link);
}

void Outbound::wake_prompt(LinkNumber link) {
    Waiting& waiting = waiting_[link];
    blocked_until_ = kNever;  // others may be blocked although these bytes fit
    if (std::exchange(waiting.prompt, true)) return;
    prompt_.push_back(link);
}

void Outbound::wake_first(LinkNumber link) {
    // With early data the updates carry the hellos, so the update policy alone decides which link goes first.
    if (options_.early_data) return wake(link);
    Waiting& waiting = waiting_[link];
    if (waiting.forming) return;
    if (waiting.urgent) std::erase(urgent_, link);
    std::erase(skipped_, link);
    waiting.urgent = true;
    waiting.forming = true;
    const auto is_forming = [&](LinkNumber l) { return waiting_[l].forming; };
    urgent_.insert(std::ranges::find_if_not(urgent_, is_forming), link);
}

void Outbound::wake_empty(LinkNumber link, bool probe) {
    Waiting& waiting = waiting_[link];
    waiting.even_empty = true;
    waiting.probe = waiting.probe || probe;
    wake(link);
}

void Outbound::forget(LinkNumber link) {
    waiting_.erase(link);
    strangers_.forget(link);
    std::erase(prompt_, link);
    std::erase(urgent_, link);
    std::erase(skipped_, link);
}

void Outbound::clear() {
    waiting_.clear();
    prompt_.clear();
    urgent_.clear();
    skipped_.clear();
    scheduled_.clear();
    strangers_.forget_links();
    next_scheduled_ = 0;
}

// --- once per frame ---

void Outbound::begin_frame(Instant now, std::uint32_t frame, Duration tick) {
    frame_ = frame;
    tick_ = tick;
    frame_began_ = now;
    paced_bytes_ = 0;
    blocked_until_ = kNever;  // a new frame's updates may leave
    budget_.begin_round();
    strangers_.begin_frame(now, budget_);
    for (const LinkNumber link : links_.up_links()) {
        Waiting& waiting = waiting_[link];
        if (!waiting.loose.empty()) waiting.loose.drop_frame_messages();
        if (links_.at(link)->is_stuck(now, options_.timeout)) give_up(link);
    }
}

LinkNumber Outbound::find_overloaded() const {
    const auto found =
        std::ranges::find_if(links_.up_links(), [&](LinkNumber link) { return links_.at(link)->overloaded; });
    return found == links_.up_links().end() ? kNoLink : *found;
}

void Outbound::schedule(std::span<const LinkNumber> links) {
    for (const LinkNumber link : left_over()) {
        if (Waiting* waiting = waiting_.find(link)) waiting->scheduled = false;
    }
    scheduled_.clear();
    next_scheduled_ = 0;
    for (const LinkNumber link : links) {
        Waiting& waiting = waiting_[link];
        if (waiting.scheduled) continue;
        waiting.scheduled = true;
        scheduled_.push_back(link);
    }
}

void Outbound::wake_due(Instant now, const Waits& waits, const std::function<bool(LinkNumber)>& keep_alive) {
    options_.keep_alive = waits.keep_alive;
    resend_ = waits.resend;
    for (const LinkNumber number : links_.up_links()) {
        const Link& link = *links_.at(number);
        const Waiting& waiting = waiting_[number];
        const Duration update_ack = waits.update_ack_of(number).value_or(waits.update_ack);
        const std::array delays{Duration{0}, waits.ack, update_ack};
        const Duration ack_delay = delays[static_cast<std::size_t>(link.ack_wait)];
        const bool owes_ack = link.ack_owed_since != kNever && now - link.ack_owed_since >= ack_delay;
        const bool quiet = is_quiet(now, link, options_) && keep_alive(number);
        // The other side has answered our call, and cannot use the link before it gets data from us.
        const bool unconfirmed = !options_.early_data && link.open() && !link.arrivals.any() &&
                                 now - link.last_sent >= link.window.rtt().patience();
        const bool has_prompt = link.channel.out.has_prompt();
        const bool resend = link.resend_due(now, has_prompt ? tick_ : waits.resend);
        if (is_about_to_be_missed(now, link, options_) && keep_alive(number)) {
            waiting_[number].even_empty = true;
            wake_prompt(number);
        } else if (resend && has_prompt)
            wake_prompt(number);
        else if (owes_ack || quiet || unconfirmed || resend)
            wake_empty(number);
        else if (!waiting.urgent && has_urgent_messages(link, waiting))
            wake(number);
    }
}

void Outbound::end_frame() {
    std::erase_if(skipped_, [&](LinkNumber link) { return !waiting_[link].urgent; });
    urgent_.insert(urgent_.begin(), skipped_.begin(), skipped_.end());
    skipped_.clear();
    // Forming links go first: all others work already.
    auto front = urgent_.begin();
    for (auto at = urgent_.begin(); at != urgent_.end(); ++at) {
        if (links_.at(*at) == nullptr || !waiting_[*at].forming) continue;
        std::rotate(front, at, at + 1);
        ++front;
    }
}

std::size_t Outbound::bytes_for_updates(Instant now, Duration frame) {
    const std::size_t all = budget_.frame_bytes(now, frame);
    std::size_t waiting = 0;  // leaves first, but takes at most half
    for (const LinkNumber link : links_.up_links()) waiting += waiting_[link].loose.bytes_waiting();
    return all - std::min(all / 2, waiting);
}

// --- whose turn it is ---

bool Outbound::has_urgent_messages(const Link& link, const Waiting& waiting) const {
    if (!waiting.loose.empty() || link.channel.out.has_unsent()) return true;
    const auto has_messages = [&](const Writer& w) { return w.part->has_messages(link.ends.local_number); };
    return waiting.writer_due &&
           std::ranges::any_of(std::span{asked_.writers}.first(asked_.writers.size() - 1), has_messages);
}

LinkNumber Outbound::next_prompt() {
    while (!prompt_.empty()) {
        const LinkNumber number = prompt_.front();
        const Link* link = links_.at(number);
        const Waiting& waiting = waiting_[number];
        const bool is_due =
            waiting.prompt && (waiting.even_empty || (link != nullptr && link->channel.out.has_prompt()));
        if (link != nullptr && links_.is_up(number) && is_due) return number;
        waiting_[number].prompt = false;
        prompt_.erase(prompt_.begin());
    }
    return kNoLink;
}

std::size_t Outbound::step_of(Instant now) const {
    if (tick_ <= Duration{0}) return kPaceSteps;
    const std::int64_t since = std::clamp<std::int64_t>(micros(now - frame_began_), 0, micros(tick_));
    return static_cast<std::size_t>(since * std::int64_t{kPaceSteps} / micros(tick_));
}

Instant Outbound::next_step(Instant now) const {
    return frame_began_ + tick_ * (step_of(now) + 1) / kPaceSteps + Duration{1};
}

bool Outbound::paces(Instant now) const {
    const std::size_t step = step_of(now);
    if (!budget_.is_paced() || step + 1 >= kPaceSteps) return false;
    const std::size_t usual = budget_.usual_bytes(tick_);
    const std::size_t paced = usual / kPacedShare;
    return paced_bytes_ >= usual - paced + paced * step / (kPaceSteps - 1);
}

inline LinkNumber Outbound::next_link(Instant now) {
    if (paces(now)) return next_urgent();
    if (urgent_.empty()) return next_scheduled();
    const LinkNumber first = scheduled_turn_ ? next_scheduled() : next_urgent();
    if (first != kNoLink) return first;
    return scheduled_turn_ ? next_urgent() : next_scheduled();
}

LinkNumber Outbound::next_urgent() {
    while (!urgent_.empty()) {
        const LinkNumber number = urgent_.front();
        if (const Link* link = links_.at(number)) {
            Waiting& waiting = waiting_[number];
            const auto has_something = [&] {
                return waiting.even_empty || has_urgent_messages(*link, waiting) ||
                       asked_.writers.back().part->has_messages(number);
            };
            if (waiting.urgent && (hellos_->hello_due(number) || (links_.is_up(number) && has_something())))
                return number;
            waiting.urgent = waiting.forming = false;
        }
        urgent_.erase(urgent_.begin());
    }
    return kNoLink;
}

LinkNumber Outbound::next_scheduled() {
    for (; next_scheduled_ < scheduled_.size(); ++next_scheduled_) {
        const LinkNumber link = scheduled_[next_scheduled_];
        if (links_.at(link) == nullptr) continue;
        Waiting& waiting = waiting_[link];
        if (waiting.scheduled && asked_.writers.back().part->has_messages(link)) return link;
        waiting.scheduled = false;
    }
    return kNoLink;
}

inline void Outbound::end_turn(LinkNumber link) {
    forming_run_ = std::exchange(waiting_[link].forming, false) ? forming_run_ + 1 : 0;
    scheduled_turn_ = forming_run_ == 0 ? !scheduled_turn_ : forming_run_ % kFormingTurns == 0;
    // A link with more to send goes to the end of the queue.
    if (urgent_.empty() || urgent_.front() != link) return;
    std::ranges::rotate(urgent_, urgent_.begin() + 1);
}

void Outbound::skip_until_next_frame(LinkNumber link) {
    Waiting& waiting = waiting_[link];
    waiting.scheduled = false;
    if (!waiting.urgent) return;
    std::erase(urgent_, link);
    skipped_.push_back(link);
}

// --- datagrams out ---

std::optional<Datagram> Outbound::poll_queued(Instant now, std::span<std::uint8_t> buffer) {
    FRAY_ASSERT(buffer.size() >= kMaxDatagram);
    if (!farewells_.empty()) return poll_farewell(now, buffer);
    if (auto datagram = poll_prompt(now, buffer)) return datagram;
    if (blocked_until_ != kNever) return std::nullopt;
    if (stranger_turn_ && !strangers_.empty()) {
        if (auto datagram = poll_stranger(now, buffer)) return datagram;
        if (blocked_until_ != kNever) return std::nullopt;
    }
    for (LinkNumber link = next_link(now); link != kNoLink; link = next_link(now)) {
        if (auto datagram = write_datagram(now, *links_.at(link), buffer)) {
            end_turn(link);
            stranger_turn_ = true;
            return datagram;
        }
        if (blocked_until_ != kNever) return std::nullopt;
        skip_until_next_frame(link);
    }
    auto datagram = poll_stranger(now, buffer);
    if (!datagram && !left_over().empty()) paced_until_ = next_step(now);
    return datagram;
}

std::optional<Datagram> Outbound::poll_prompt(Instant now, std::span<std::uint8_t> buffer) {
    for (LinkNumber link = next_prompt(); link != kNoLink; link = next_prompt()) {
        is_prompt_turn_ = true;
        auto datagram = write_datagram(now, *links_.at(link), buffer);
        is_prompt_turn_ = false;
        if (!datagram && blocked_until_ != kNever) return std::nullopt;
        prompt_.erase(prompt_.begin());
        waiting_[link].prompt = false;
        if (!datagram) continue;  // too long for this frame
        if (links_.at(link)->channel.out.has_unsent_prompt()) wake_prompt(link);
        return datagram;
    }
    return std::nullopt;
}

/// Links wait for each other: with a short upload, one that has much to send must not keep the others silent.
std::size_t Outbound::most_reliable_bits() const {
    return budget_.is_paced() ? budget_.usual_bytes(tick_) * 8 / kReliableShare : SIZE_MAX;
}

bool Outbound::repeats(Instant now, const Link& link) const {
    if (resend_ == Duration{0}) return true;
    const Duration wait = link.channel.out.has_prompt() ? tick_ : resend_;
    return now - link.repeated_at >= link.window.rtt().patience() + wait;
}

std::size_t Outbound::spare() const {
    if (is_prompt_turn_ || !budget_.is_paced()) return 0;
    return budget_.usual_bytes(tick_) / kSpareShare;
}

inline bool Outbound::spend(Instant now, std::size_t bytes) {
    if (!budget_.allows(now, bytes, spare())) {
        blocked_until_ = budget_.next_chance(now, bytes, spare());
        return false;
    }
    budget_.spend(now, bytes);
    return true;
}

std::optional<Datagram> Outbound::poll_farewell(Instant now, std::span<std::uint8_t> buffer) {
    const Farewell& last = farewells_.back();
    DatagramBuilder datagram{buffer, DatagramKind::data};
    write_varint(datagram.out(), last.ends.remote_number);
    Link::write_header(now, last.sequence, last.arrivals, datagram);
    write_kind(datagram.out(), MessageKind::goodbye);
    if (!spend(now, datagram.network_bytes(last.ends.address))) return std::nullopt;
    const Address to = last.ends.address;
    const auto sealed = datagram.finish(last.ends.remote_token, to, ledger_);
    farewells_.pop_back();
    return Datagram{to, sealed};
}

std::optional<Datagram> Outbound::poll_stranger(Instant now, std::span<std::uint8_t> buffer) {
    const auto write_reply = [&](const StrangerReply& reply) -> std::optional<Datagram> {
        DatagramBuilder datagram{buffer, DatagramKind::refusal};
        write(datagram.out(), reply.refusal);
        datagram.book(Purpose::overlay);
        if (!spend(now, datagram.network_bytes(reply.to))) return std::nullopt;
        return Datagram{reply.to, datagram.finish(reply.token, reply.to, ledger_)};
    };
    for (auto next = strangers_.next(now); !next.is_nothing(); next = strangers_.next(now)) {
        if (next.reply == nullptr && !hellos_->hello_due(next.link)) {
            strangers_.forget(next.link);
            continue;
        }
        const auto datagram = next.reply != nullptr ? write_reply(*next.reply)
                                                    : write_datagram(now, *links_.at(next.link), buffer);
        if (!datagram) return std::nullopt;
        stranger_turn_ = false;
        strangers_.sent(next, datagram->bytes.size() + header_bytes(datagram->to));
        return datagram;
    }
    return std::nullopt;
}

std::optional<Datagram> Outbound::write_datagram(Instant now, Link& link, std::span<std::uint8_t> buffer) {
    const LinkNumber number = link.ends.local_number;
    const bool hello_due = hellos_->hello_due(number);
    const bool as_data = link.open() && !hello_due;
    buffer =
        buffer.first(std::min(buffer.size(), budget_.largest_datagram() - header_bytes(link.ends.address)));
    DatagramBuilder datagram{buffer, as_data ? DatagramKind::data : DatagramKind::hello};
    if (as_data) {
        write_varint(datagram.out(), link.ends.remote_number);
    } else {
        const bool messages_follow = hellos_->write_hello(now, link, datagram);
        datagram.book(Purpose::overlay);
        if (!messages_follow) return finish(now, link.ends, hello_due, datagram);
    }
    link.write_header(now, datagram);
    Waiting& waiting = waiting_[number];
    SentRecord record{.frame = frame_};
    const std::size_t before = datagram.out().bit_count();
    const auto writers = std::span{asked_.writers}.last(waiting.writer_due ? asked_.writers.size() : 1);
    write_all(writers.first(writers.size() - 1), now, link, datagram);
    if (is_prompt_turn_) link.write_prompt(datagram, record);
    write_all(writers.last(1), now, link, datagram);
    const std::size_t loose_written = write_loose(waiting.loose, datagram);
    const bool repeats = this->repeats(now, link);
    const bool begins = repeats || link.channel.out.all_unsent();
    link.write_reliable(datagram, record, {repeats, most_reliable_bits()});
    const bool is_empty = datagram.out().bit_count() == before;
    if (is_empty && !waiting.even_empty && as_data) return std::nullopt;  // none of its messages fits
    if (waiting.probe || (is_empty && is_quiet(now, link, options_))) write_keep_alive(datagram);
    write_all(asked_.riders, now, link, datagram);
    const std::size_t bytes = datagram.network_bytes(link.ends.address);
    auto sent = finish(now, link.ends, hello_due, datagram);
    if (!sent) return sent;
    link.sent(now, record);
    if (begins) link.repeated_at = now;
    if (waiting.scheduled) paced_bytes_ += bytes;
    for (const Writer& rider : asked_.riders) (void)rider.part->handle_sent(now, number);
    waiting.writer_due = waiting.even_empty = waiting.probe = false;
    for (const Writer& writer : writers.first(writers.size() - 1)) {
        if (writer.part->handle_sent(now, number)) waiting.writer_due = true;
    }
    if (!writers.back().part->handle_sent(now, number)) waiting.scheduled = false;
    if (loose_written > 0) waiting.loose.pop(loose_written);
    return sent;
}

inline std::optional<Datagram> Outbound::finish(Instant now, const LinkEnds& ends, bool hello_due,
                                                DatagramBuilder& datagram) {
    if (!spend(now, datagram.network_bytes(ends.address))) return std::nullopt;
    if (hello_due) hellos_->handle_hello_sent(now, ends.local_number);
    return Datagram{ends.address, datagram.finish(ends.remote_token, ends.address, ledger_)};
}

std::size_t Outbound::memory_bytes() const {
    std::size_t sum = sizeof(*this) + waiting_.heap_bytes() + farewells_.capacity() * sizeof(Farewell) +
                      strangers_.heap_bytes() + reliable_.capacity() +
                      (asked_.writers.capacity() + asked_.riders.capacity()) * sizeof(Writer) +
                      (urgent_.capacity() + skipped_.capacity() + scheduled_.capacity()) * sizeof(LinkNumber);
    for (const Waiting& waiting : waiting_) sum += waiting.loose.heap_bytes();
    return sum;
}

}  // namespace fray
