// Which moment of an entity is on the screen: ours, and the others'.

#include "consistency/adaptive.hpp"
#include "consistency/consistency_word.hpp"
#include "session/session.hpp"

#include <algorithm>
#include <array>

namespace fray {

namespace {

constexpr Duration kReview{500ms};        // how often lags that follow the network are looked at
constexpr Duration kWorthTelling{5ms};    // a smaller change of the lag is no change
constexpr std::size_t kWordBytes = 64;    // of a choice, generously
constexpr std::size_t kViewsInFull = 64;  // of one peer's; the further ones remember less

/// What replicas do anyway: go on as the motion model says. It needs no memory of the past.
bool is_plain(const Consistency& consistency) {
    const auto* everquest = std::get_if<EverQuest>(&consistency.algorithm);
    return everquest != nullptr && *everquest == EverQuest{} && consistency.horizon == Consistency{}.horizon;
}

}  // namespace

std::optional<LocalView> Session::local_view(Instant now, const EntityId& id) const {
    const auto found = std::ranges::lower_bound(primaries_, id.number, {}, &Primary::number);
    if (id.owner != id_ || found == primaries_.end() || found->number() != id.number) return std::nullopt;
    LocalView view{{found->state()}, found->set_at(), found->set_at()};
    const OwnView& own = own_views_[static_cast<std::size_t>(found - primaries_.begin())];
    if (!own.showing || own.showing->empty()) return view;
    const Shown shown = own.showing->shown(session_time(now));
    view.pose = shown.pose;
    view.moment = shown.moment;
    view.told = shown.told;
    return view;
}

void Session::show(Replica& replica, const LinkSlot& slot, SessionInstant now) const {
    const RemoteView* view = slot.view(replica.id.number);
    if (view == nullptr || view->showing->empty()) return;
    const Showing& showing = *view->showing;
    const Shown target = showing.target(now);
    replica.target = target.pose;
    replica.pose = target.pose;
    replica.pose.position = showing.blended(now, target.pose.position);
    replica.moment = target.moment;
    replica.told = target.told;
    replica.corrections = showing.corrections();
    if (!showing.algorithm().through()) return;
    // What its owner tells us itself does not count: all of it is as it came from there.
    const Moment& newest = showing.timeline().newest();
    replica.received = newest.pose;
    replica.stamp = newest.when;
    replica.age = now - newest.when;
    replica.payload = newest.payload;
    replica.input = newest.input;
}

Result<void> Session::set_consistency(Instant now, const EntityId& id, const Consistency& consistency) {
    start(now);
    Primary* primary = find_primary(id);
    if (primary == nullptr) return Error{"no such entity of ours: " + std::to_string(id.number)};
    if (auto checked = consistency.check(); !checked) return checked;
    OwnView& view = own_views_[static_cast<std::size_t>(primary - primaries_.data())];
    Consistency chosen = consistency;
    if (const auto* before = std::get_if<Adaptive>(&view.consistency.algorithm)) {
        // The lag is ours to find, and was: choosing the same again does not begin anew.
        if (auto* adaptive = std::get_if<Adaptive>(&chosen.algorithm))
            adaptive->lag = std::clamp(before->lag, adaptive->least_lag, adaptive->most_lag);
    }
    choose(now, view, *primary, chosen);
    show_own(now, view, *primary);
    return {};
}

void Session::choose(Instant now, OwnView& view, const Primary& primary, const Consistency& consistency) {
    if (view.consistency == consistency) return;
    if (!view.showing && !is_plain(consistency)) {
        view.showing =
            std::make_unique<Showing>(Showing::Whose::own, options_.world, primary.type(), view.consistency);
        show_own(now, view, primary);  // as it stood on the screen until now
    }
    view.consistency = consistency;
    view.next_update = std::min(view.next_update, now + consistency.interval);
    if (!view.showing) return;
    ++view.version;
    view.showing->choose(session_time(now), consistency);
    for (const LinkNumber number : links_.up_links()) tell_consistency(*links_.at(number), view);
}

bool Session::waits_for_echo(const OwnView& view) const {
    const ConsistencyAlgorithm& algorithm = view.showing->algorithm();
    if (algorithm.optimistic() || view.showing->empty()) return false;
    const auto through = algorithm.through();
    return through && *through != id_ && links_.up(*through) != nullptr;
}

void Session::show_own(Instant now, OwnView& view, const Primary& primary) {
    if (!view.showing || waits_for_echo(view)) return;
    word_.when = primary.set_at();
    word_.pose = primary.state().pose;
    word_.payload = primary.state().payload;
    word_.input = primary.state().input;
    view.showing->hear(session_time(now), word_);
}

void Session::commit_primaries(Instant now) {
    for (std::size_t i = 0; i < primaries_.size(); ++i) {
        OwnView& view = own_views_[i];
        // Frames do not fall on the interval exactly: the nearest one it is.
        if (now < view.next_update || !primaries_[i].commit(frame_, codec_)) continue;
        view.next_update = now + view.consistency.interval - options_.world.tick / 2;
    }
}

void Session::run_views(Instant now) {
    for (std::size_t i = 0; i < own_views_.size(); ++i) {
        follow_network(now, own_views_[i], primaries_[i]);
    }
    settle_views(now);
    release_held(now);
}

void Session::follow_network(Instant now, OwnView& view, const Primary& primary) {
    const auto* adaptive = std::get_if<Adaptive>(&view.consistency.algorithm);
    if (adaptive == nullptr || now < view.next_review || links_.up_links().empty()) return;
    view.next_review = now + kReview;
    std::vector<SeenNetwork> ways;
    for (const LinkNumber number : links_.up_links()) {
        const LinkStats stats = links_.at(number)->link.stats();
        if (stats.rtt > Duration{0}) ways.push_back({stats.rtt / 2, stats.jitter / 2, stats.loss});
    }
    if (ways.empty()) return;
    const auto middle = ways.begin() + static_cast<std::ptrdiff_t>(ways.size() / 2);
    std::ranges::nth_element(ways, middle, {}, &SeenNetwork::delay);
    const Duration interval = std::max(view.consistency.interval, options_.world.tick);
    const Duration best = best_lag(*middle, interval, *adaptive);
    // A burst is over before a longer lag would help: only what is still wanted at the next look is chosen.
    const Duration lasting = std::max(std::min(best, view.best_lag), adaptive->least_lag);
    const Duration wanted = std::chrono::round<std::chrono::milliseconds>(lasting);
    view.best_lag = best;
    if (wanted < adaptive->lag + kWorthTelling && adaptive->lag < wanted + kWorthTelling) return;
    Consistency changed = view.consistency;
    std::get<Adaptive>(changed.algorithm).lag = wanted;
    choose(now, view, primary, changed);
}

void Session::tell_consistency(LinkSlot& slot, const OwnView& view) {
    std::array<std::uint8_t, kWordBytes> bytes{static_cast<std::uint8_t>(ReliableKind::consistency)};
    BitWriter out{std::span{bytes}.subspan(1)};
    write(out, ConsistencyWord{view.number, view.version, view.consistency});
    const std::size_t size = 1 + out.finish().size();
    // A game may choose anew in every frame, and nobody may acknowledge any of it: only the last one counts.
    slot.link.channel.out.queue_last_word(view.number, std::span{bytes}.first(size), Purpose::reliable);
    make_urgent(slot);
}

bool Session::read_consistency(Instant now, LinkSlot& slot, BitReader& in) {
    ConsistencyWord word;
    if (!read(in, word) || !word.consistency.check()) return reject(Rejection::malformed);
    RemoteView* view = slot.view(word.number);
    if (view != nullptr && view->version && static_cast<std::int16_t>(word.version - *view->version) <= 0)
        return true;
    if (view == nullptr) {
        if (slot.replicas.withdrew(word.number)) return true;  // it was overtaken by that
        if (slot.views.size() >= kMaxRemoteEntities) return reject(Rejection::no_room);
        // Until now it was shown the plain way, from what was heard last.
        const bool there = slot.replicas.find(word.number).has_value();
        view = &add_view(slot, word.number, there ? Consistency{} : word.consistency);
        hear_again(now, slot, *view);
    }
    view->version = word.version;
    view->showing->choose(session_time(now), word.consistency);
    hear_again(now, slot, *view);
    // From now on it goes through us, even where it stands still.
    if (view->showing->algorithm().through() == id_) pass_on(now, slot, *view, false);
    return true;
}

RemoteView& Session::add_view(LinkSlot& slot, std::uint32_t number, const Consistency& consistency) {
    RemoteView view{.number = number, .showing = {}};
    view.showing =
        std::make_unique<Showing>(Showing::Whose::others, options_.world, EntityTypeId{}, consistency);
    if (slot.views.size() >= kViewsInFull) view.showing->keep_few();
    const auto place = std::ranges::lower_bound(slot.views, number, {}, &RemoteView::number);
    return *slot.views.insert(place, std::move(view));
}

void Session::hear_passed_on(Instant now, LinkSlot& slot, std::uint32_t number) {
    if (RemoteView* view = view_of(slot, number)) hear_again(now, slot, *view);
}

RemoteView* Session::view_of(LinkSlot& slot, std::uint32_t number) {
    RemoteView* view = slot.view(number);
    if (view != nullptr || !options_.count_corrections || slot.views.size() >= kMaxRemoteEntities)
        return view;
    return &add_view(slot, number, {});
}

void Session::hear_again(Instant now, LinkSlot& slot, RemoteView& view) {
    // The last word came with the choice, and was read before it.
    const auto at = slot.replicas.find(view.number);
    if (!at) return;
    Showing& showing = *view.showing;
    showing.set_type(slot.replicas.type_at(*at));
    if (comes_by_others(slot, view)) return;
    const Replica last = slot.replicas.show(*at, options_.world, codec_, session_time(now));
    if (!showing.empty() && last.stamp <= showing.timeline().newest().when) return;
    word_.when = std::min(last.stamp, session_time(now) + kPassedOnAhead / 2);
    word_.pose = last.received;
    word_.payload.assign(last.payload.begin(), last.payload.end());
    word_.input.assign(last.input.begin(), last.input.end());
    if (showing.algorithm().through() == id_ && !is_valid(now, slot, view, word_)) return;
    showing.hear(session_time(now), word_);
}

}  // namespace fray
