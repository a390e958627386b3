#include "interest/focus_set.hpp"

#include "interest/attention_message.hpp"

#include <algorithm>
#include <span>
#include <tuple>
#include <utility>

namespace fray {

namespace {

constexpr std::uint32_t kHelpShare = 4;  // a forward that merely helps ages more slowly by this factor
constexpr int kStay = 8;                 // steps by which another peer must surpass one in the focus set
// Frames that a forward may wait for the bytes that frames leave: it may be as long as half of one.
constexpr std::uint32_t kForwardPatience = 4;
constexpr std::uint8_t kVeryLate = 2;  // frames in which an update was chosen and did not leave
constexpr double kMuchAttention = 1;   // attention: aimed at, close by, or an interaction of late
constexpr std::uint32_t kHeadStart =
    20;  // frames by which an update that carries an urgent attention is older

}  // namespace

FocusSetPolicy::FocusSetPolicy(const PartContext& context, const FocusSet& options)
    : context_{context}, options_{options}, attention_{context, options}, exchange_{context, attention_} {}

void FocusSetPolicy::begin_frame(Instant now) {
    attention_.run_frame(now);
    exchange_.run_frame();
    if (overlay_ != nullptr) tell_overlay(now);
}

void FocusSetPolicy::tell_overlay(Instant now) {
    attention_.list_most(std::max<std::size_t>(1, options_.least_focus), kMuchAttention, watched_);
    for (const LinkNumber number : watched_) overlay_->want(now, context_.links.peer(number));
}

std::size_t FocusSetPolicy::choose(std::span<Candidate> candidates, std::size_t budget_bytes) {
    ++frame_;
    judge(candidates);
    if (budget_bytes == 0) return 0;
    prices_.begin(candidates);
    const std::size_t chosen = fill(choose_focus(budget_bytes), budget_bytes);
    serve(chosen);
    put_late_first(chosen);
    std::ranges::transform(items_, candidates.begin(), &Item::candidate);
    tell_attention(chosen);
    return chosen;
}

void FocusSetPolicy::judge(std::span<const Candidate> candidates) {
    items_.clear();
    for (const Candidate& c : candidates) {
        Receiver& to = receivers_[c.link];
        to.offered = frame_;
        if (c.primary >= kForwards && std::exchange(to.forwards_offered, frame_) + 1 < frame_)
            to.forwards_due = frame_;
        items_.push_back({.candidate = c,
                          .offered = static_cast<std::uint32_t>(items_.size()),
                          .turn = static_cast<std::uint32_t>((items_.size() + frame_) % candidates.size()),
                          .age = age(c, to),
                          .heard = exchange_.heard(c.link) + (to.in_focus ? kStay : 0),
                          .is_own = c.primary < kForwards,
                          .is_late = to.late >= kVeryLate});
    }
    for (Receiver& to : receivers_) to.was_late = std::exchange(to.late, std::uint8_t{0});
}

std::uint32_t FocusSetPolicy::age(const Candidate& c, Receiver& to) const {
    if (c.primary >= kForwards) return (frame_ - to.forwards.last) / (c.is_help ? kHelpShare : 1);
    if (c.primary >= to.entities.size()) to.entities.resize(c.primary + std::size_t{1});
    const std::uint32_t waited = frame_ - to.entities[c.primary].last;
    return waited + (exchange_.is_urgent(c.link) ? kHeadStart : 0);
}

// --- the focus set ---

std::size_t FocusSetPolicy::end_of_receiver(std::size_t begin) const {
    std::size_t end = begin;
    while (end < items_.size() && items_[end].is_own &&
           items_[end].candidate.link == items_[begin].candidate.link)
        ++end;
    return end;
}

std::size_t FocusSetPolicy::attention_bytes(std::size_t i) const {
    return items_[i].is_own && exchange_.is_due(items_[i].candidate.link) ? AttentionExchange::kMessageBytes
                                                                          : 0;
}

std::size_t FocusSetPolicy::add(std::size_t begin, std::size_t end) {
    std::size_t bytes = 0;
    for (std::size_t i = begin; i < end; ++i) bytes += prices_.add(items_[i].candidate) + attention_bytes(i);
    return bytes;
}

std::size_t FocusSetPolicy::remove(std::size_t begin, std::size_t end) {
    std::size_t bytes = 0;
    for (std::size_t i = begin; i < end; ++i)
        bytes += prices_.remove(items_[i].candidate) + attention_bytes(i);
    return bytes;
}

std::size_t FocusSetPolicy::focus_bytes(std::size_t budget_bytes) {
    const auto budget = static_cast<double>(budget_bytes);
    const double share = budget * static_cast<double>(options_.bandwidth_share);
    if (options_.most_gap == Duration{0}) return static_cast<std::size_t>(share);
    double all = 0;
    for (const Item& item : items_) all += item.candidate.bytes;
    return size_.bytes({.budget = budget, .all = all, .most = share, .tick = context_.world().tick},
                       best_effort_gap(), options_.most_gap);
}

std::size_t FocusSetPolicy::choose_focus(std::size_t budget_bytes) {
    std::ranges::sort(items_, [](const Item& a, const Item& b) {
        const auto key = [](const Item& i) { return std::tuple{!i.is_own, -i.heard, i.offered}; };
        return key(a) < key(b);
    });
    spent_ = 0;
    if (!has_focus_) return 0;
    const std::size_t share = focus_bytes(budget_bytes);
    std::size_t receivers = 0;
    std::size_t focus = 0;
    for (auto left = items_.size(); focus < left && items_[focus].is_own;) {
        const std::size_t end = end_of_receiver(focus);
        const std::size_t bytes = add(focus, end);
        const std::size_t most = receivers < options_.least_focus ? budget_bytes : share;
        if (spent_ + bytes <= most) {
            spent_ += bytes;
            focus = end;
            ++receivers;
            continue;
        }
        (void)remove(focus, end);
        if (bytes <= most) break;
        left -= end - focus;  // its updates are too long for any focus set: they must not block the others
        std::rotate(at(focus), at(end), items_.end());
    }
    return focus;
}

// --- the others ---

std::size_t FocusSetPolicy::fill(std::size_t focus, std::size_t budget_bytes) {
    // The focus set must give way to it.
    const auto is_overdue = [this](const Item& item) {
        return item.is_own || frame_ - receivers_.find(item.candidate.link)->forwards_due >= kForwardPatience;
    };
    sort_by_age(focus);
    while (focus != 0 && focus < items_.size() && is_overdue(items_[focus]) && !fits(focus, budget_bytes)) {
        const std::size_t begin = last_receiver(focus);
        spent_ -= remove(begin, focus);
        focus = begin;
        sort_by_age(focus);
    }
    focus_end_ = focus;
    std::size_t chosen = focus;
    for (; chosen < items_.size() && (chosen == 0 || fits(chosen, budget_bytes)); ++chosen)
        spent_ += add(chosen, chosen + 1);
    return chosen;
}

void FocusSetPolicy::sort_by_age(std::size_t begin) {
    std::sort(at(begin), items_.end(),
              [](const Item& a, const Item& b) { return a.age != b.age ? a.age > b.age : a.turn < b.turn; });
}

bool FocusSetPolicy::fits(std::size_t i, std::size_t budget_bytes) {
    const std::size_t bytes = add(i, i + 1);
    (void)remove(i, i + 1);
    return spent_ + bytes <= budget_bytes;
}

std::size_t FocusSetPolicy::last_receiver(std::size_t end) const {
    std::size_t begin = end - 1;
    while (begin > 0 && items_[begin - 1].candidate.link == items_[end - 1].candidate.link) --begin;
    return begin;
}

// --- what was chosen ---

void FocusSetPolicy::serve(std::size_t chosen) {
    std::size_t waiting = 0;
    std::size_t served = 0;
    for (std::size_t i = 0; i < items_.size(); ++i) {
        const Candidate& c = items_[i].candidate;
        Receiver& to = *receivers_.find(c.link);
        if (i < chosen) (items_[i].is_own ? to.entities[c.primary] : to.forwards).serve(frame_);
        if (!items_[i].is_own) continue;
        to.in_focus = i < focus_end_;
        if (i < focus_end_) continue;
        ++waiting;
        served += i < chosen ? 1 : 0;
    }
    if (!items_.empty()) gap_.count(waiting, served, std::exchange(riders_, 0));
}

void FocusSetPolicy::put_late_first(std::size_t chosen) {
    const auto late_others = std::ranges::count_if(at(focus_end_), at(chosen), &Item::is_late);
    before_others_ = focus_end_ + static_cast<std::size_t>(late_others);
    if (std::ranges::none_of(items_, &Item::is_late)) return;
    for (std::size_t i = 0; i < chosen; ++i) items_[i].turn = static_cast<std::uint32_t>(i);
    std::sort(at(0), at(chosen), [](const Item& a, const Item& b) {
        if (a.is_late != b.is_late) return a.is_late;
        if (a.is_late && a.age != b.age) return a.age > b.age;
        return a.turn < b.turn;
    });
}

void FocusSetPolicy::tell_attention(std::size_t chosen) {
    for (const Item& item : std::span{items_}.first(chosen)) {
        if (item.is_own && exchange_.is_due(item.candidate.link)) exchange_.tell(item.candidate.link);
    }
    for (const LinkNumber link : context_.links.up_links()) {  // no update of ours leaves to these
        if (receivers_[link].offered != frame_ && exchange_.is_urgent(link)) exchange_.tell(link);
    }
}

void FocusSetPolicy::resume(LinkNumber link, std::uint16_t) {
    Receiver* to = receivers_.find(link);  // none of its updates left
    if (to == nullptr) return;
    to->late = static_cast<std::uint8_t>(std::min(to->was_late + 1, int{kVeryLate}));
    if (!to->in_focus) gap_.undo();
    to->forwards.undo(frame_);
    for (Served& entity : to->entities) entity.undo(frame_);
    exchange_.undo(link);
}

void FocusSetPolicy::handle_rider(LinkNumber link, std::uint16_t primary) {
    Receiver* to = receivers_.find(link);
    if (to == nullptr || primary >= to->entities.size()) return;
    to->entities[primary].serve(frame_);
    ++riders_;
}

Rate FocusSetPolicy::rate(LinkNumber link) const {
    const Receiver* to = receivers_.find(link);
    const bool all_get_every_frame = best_effort_gap() * 4 <= context_.world().tick * 5;
    return all_get_every_frame || (to != nullptr && to->in_focus) ? Rate::every_frame : Rate::best_effort;
}

FocusStats FocusSetPolicy::stats() const {
    const auto in_focus = std::ranges::count_if(context_.links.up_links(), [this](LinkNumber link) {
        const Receiver* to = receivers_.find(link);
        return to != nullptr && to->in_focus;
    });
    return {.in_focus = static_cast<std::uint32_t>(in_focus),
            .watched = static_cast<std::uint32_t>(watched_.size()),
            .best_effort_gap = best_effort_gap(),
            .attentions_told = exchange_.told_count(),
            .attentions_heard = exchange_.heard_count()};
}

void FocusSetPolicy::add_stats(LinkNumber link, LinkStats& stats) const {
    const Receiver* to = receivers_.find(link);
    stats.attention = static_cast<float>(attention_.value(link));
    stats.attention_heard = static_cast<float>(exchange_.heard(link) / kAttentionSteps);
    stats.in_focus = to != nullptr && to->in_focus;
    stats.watched = std::ranges::find(watched_, link) != watched_.end();
}

// --- life-cycle ---

Receipt FocusSetPolicy::handle_message(const Arrival& arrival, MessageKind, BitReader& in) {
    return exchange_.handle_message(arrival, in);
}

void FocusSetPolicy::forget_link(LinkNumber link) {
    receivers_.erase(link);
    exchange_.forget_link(link);
    attention_.forget_link(link);
}

void FocusSetPolicy::reset() {
    receivers_.clear();
    exchange_.reset();
    attention_.reset();
}

std::size_t FocusSetPolicy::memory_bytes() const {
    std::size_t sum = sizeof(*this) + receivers_.heap_bytes() + exchange_.heap_bytes() +
                      attention_.heap_bytes() + prices_.heap_bytes() + items_.capacity() * sizeof(Item);
    for (const Receiver& r : receivers_) sum += r.entities.capacity() * sizeof(Served);
    return sum;
}

}  // namespace fray
