// What waits for the upload: messages in, once per frame, and whose turn it is.

#include "link/outbound.hpp"
#include "link/quiet_link.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace fray {

namespace {

constexpr unsigned kFormingTurns = 3;  // turns of forming links for one turn of scheduled updates

/// The other side would drop the link, because we are busy with others.
bool is_about_to_be_missed(Instant now, const Link& link, const LinkOptions& options) {
    return !options.early_data && now - link.last_sent >= options.timeout / 2;
}

}  // namespace

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
    until_.blocked = kNever;  // others may be blocked although these bytes fit
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
    if (Link* existing = links_.at(link)) existing->acks.due = true;
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

void Outbound::begin_frame(Instant now, std::uint32_t frame, Duration tick, std::uint32_t upload_kbps) {
    if (budget_.change_rate(upload_kbps)) until_ = {};  // what waited for the former limit may leave
    frame_ = frame;
    pace_.begin_frame(now, tick, budget_.is_paced() ? budget_.usual_bytes(tick) : SIZE_MAX);
    until_.blocked = kNever;  // a new frame's updates may leave
    budget_.begin_round();
    strangers_.begin_frame(now, budget_);
    for (const LinkNumber link : links_.up_links()) {
        Waiting& waiting = waiting_[link];
        if (!waiting.loose.empty()) waiting.loose.drop_frame_messages();
        if (links_.at(link)->is_stuck(now, options_.timeout)) give_up(link);
        links_.at(link)->acks.rare = pace_.resend() != Duration{0};
    }
}

LinkNumber Outbound::find_overloaded() const {
    const auto found =
        std::ranges::find_if(links_.up_links(), [&](LinkNumber link) { return links_.at(link)->overloaded; });
    return found == links_.up_links().end() ? kNoLink : *found;
}

void Outbound::schedule(std::span<const LinkNumber> links, std::size_t before_others) {
    for (const LinkNumber link : left_over()) {
        if (Waiting* waiting = waiting_.find(link)) waiting->scheduled = false;
    }
    scheduled_.clear();
    next_scheduled_ = 0;
    turns_.before_others = before_others;
    for (const LinkNumber link : links) {
        Waiting& waiting = waiting_[link];
        if (waiting.scheduled) continue;
        waiting.scheduled = true;
        scheduled_.push_back(link);
    }
}

void Outbound::wake_due(Instant now, const Waits& waits, const std::function<bool(LinkNumber)>& keep_alive) {
    options_.keep_alive = waits.keep_alive;
    pace_.set_resend(waits.resend);
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
        const bool resend = link.resend_due(now, has_prompt ? pace_.tick() : waits.resend);
        if (is_about_to_be_missed(now, link, options_) && keep_alive(number)) {
            waiting_[number].even_empty = true;
            wake_prompt(number);
        } else if ((resend && has_prompt) || link.channel.out.has_unsent_prompt())
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

Outbound::UpdateBytes Outbound::bytes_for_updates(Instant now, Duration frame) {
    const std::size_t all = budget_.frame_bytes(now, frame);
    std::size_t waiting = 0;  // leaves first, but takes at most half
    for (const LinkNumber link : links_.up_links()) waiting += waiting_[link].loose.bytes_waiting();
    return {.available = all - std::min(all / 2, waiting), .taken = pace_.last_updates()};
}

// --- whose turn it is ---

bool Outbound::has_urgent_messages(const Link& link, const Waiting& waiting) const {
    if (!waiting.loose.empty() || link.channel.out.has_unsent()) return true;
    const auto has_messages = [&](const Writer& w) { return w.part->has_messages(link.ends.local_number); };
    return waiting.writer_due &&
           std::ranges::any_of(std::span{asked_.writers}.first(asked_.writers.size() - 1), has_messages);
}

LinkNumber Outbound::next_link(Instant now) {
    if (pace_.holds(now)) return kNoLink;
    const bool is_forming = !urgent_.empty() && waiting_[urgent_.front()].forming;
    if (urgent_.empty() || (next_scheduled_ < turns_.before_others && !is_forming)) {
        const LinkNumber first = next_scheduled();
        if (first != kNoLink || urgent_.empty()) return first;
    }
    const LinkNumber first = turns_.scheduled ? next_scheduled() : next_urgent();
    if (first != kNoLink) return first;
    return turns_.scheduled ? next_urgent() : next_scheduled();
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

void Outbound::end_turn(LinkNumber link) {
    turns_.forming_run = std::exchange(waiting_[link].forming, false) ? turns_.forming_run + 1 : 0;
    turns_.scheduled = turns_.forming_run == 0 ? !turns_.scheduled : turns_.forming_run % kFormingTurns == 0;
    // A link with more to send goes to the end of the queue.
    if (urgent_.empty() || urgent_.front() != link) return;
    std::ranges::rotate(urgent_, urgent_.begin() + 1);
}

}  // namespace fray
