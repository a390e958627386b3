#include "consistency/own_views.hpp"

#include "consistency/adaptive.hpp"
#include "consistency/consistency_choice.hpp"

#include <algorithm>

namespace fray {

namespace {

constexpr Duration kReview{500ms};      // between two reviews of a lag that is adapted to the network
constexpr Duration kWorthTelling{5ms};  // a smaller change of the lag is not sent

/// The default algorithm extrapolates from the newest state and needs no timeline.
bool remembers_nothing(const Consistency& consistency) {
    const auto* everquest = std::get_if<EverQuest>(&consistency.algorithm);
    return everquest != nullptr && *everquest == EverQuest{} && consistency.horizon == Consistency{}.horizon;
}

}  // namespace

void OwnViews::publish(Instant now, std::uint32_t number) {
    const auto place = std::ranges::lower_bound(views_, number, {}, &View::number);
    View& view = *views_.insert(place, View{.number = number, .consistency = {}, .showing = {}});
    choose(now, view, context_.options.consistency);
    show(now, view);
}

void OwnViews::choose(Instant now, std::size_t i, const Consistency& consistency) {
    Consistency chosen = consistency;
    if (const auto* before = std::get_if<Adaptive>(&views_[i].consistency.algorithm)) {
        // The lag was adapted to the network: choosing Adaptive again keeps it.
        if (auto* adaptive = std::get_if<Adaptive>(&chosen.algorithm))
            adaptive->lag = std::clamp(before->lag, adaptive->least_lag, adaptive->most_lag);
    }
    choose(now, views_[i], chosen);
    show(now, views_[i]);
}

void OwnViews::choose(Instant now, View& view, const Consistency& consistency) {
    if (view.consistency == consistency) return;
    if (!view.showing && !remembers_nothing(consistency)) {
        const EntityTypeId type = own_.own_state(view.number)->type;
        view.showing =
            std::make_unique<Showing>(Showing::Whose::own, context_.world(), type, view.consistency);
        show(now, view);  // as the screen showed it until now
    }
    view.consistency = consistency;
    view.next_update = std::min(view.next_update, now + consistency.interval);
    if (!view.showing) return;
    ++view.version;
    view.showing->choose(context_.session_time(now), consistency);
    for (const LinkNumber link : context_.links.up_links()) tell(link, view);
}

LocalView OwnViews::shown(Instant now, std::size_t i) const {
    const View& own = views_[i];
    const SessionInstant set_at = own_.own_set_at(own.number);
    LocalView view{{*own_.own_state(own.number)}, set_at, set_at};
    if (!own.showing || own.showing->empty()) return view;
    const Shown shown = own.showing->shown(context_.session_time(now));
    view.pose = shown.pose;
    view.moment = shown.moment;
    view.told = shown.told;
    return view;
}

bool OwnViews::waits_for_echo(const View& view) const {
    const ConsistencyAlgorithm& algorithm = view.showing->algorithm();
    if (algorithm.optimistic() || view.showing->empty()) return false;
    const auto through = algorithm.through();
    return through && *through != context_.self && context_.is_linked(*through);
}

void OwnViews::show(Instant now, View& view) {
    if (!view.showing || waits_for_echo(view)) return;
    const State& state = *own_.own_state(view.number);
    moment_.when = own_.own_set_at(view.number);
    moment_.pose = state.pose;
    moment_.payload = state.payload;
    moment_.input = state.input;
    view.showing->add_update(context_.session_time(now), moment_);
}

void OwnViews::note_update(Instant now, std::size_t i) {
    // The interval is no multiple of a frame: the nearest frame is taken.
    views_[i].next_update = now + views_[i].consistency.interval - context_.world().tick / 2;
}

bool OwnViews::goes_to(std::size_t i, const PeerId& peer, bool told) const {
    const View& view = views_[i];
    if (!view.showing) return true;
    const auto through = view.showing->algorithm().through();
    // An owner that serializes its own entity, or has no link with its serializer, sends to all peers itself.
    // The first update of an entity always comes from its owner.
    if (!through || *through == context_.self || *through == peer || !told) return true;
    return !context_.is_linked(*through);
}

const OwnViews::View* OwnViews::find(std::uint32_t number) const {
    const auto found = std::ranges::lower_bound(views_, number, {}, &View::number);
    return found != views_.end() && found->number == number ? &*found : nullptr;
}

std::optional<PeerId> OwnViews::through(std::uint32_t number) const {
    const View* view = find(number);
    return view != nullptr && view->showing ? view->showing->algorithm().through() : std::nullopt;
}

bool OwnViews::handle_echo(Instant now, const PeerId& from, std::uint32_t number, const Moment& moment) {
    const View* view = find(number);
    if (view == nullptr || !view->showing || view->showing->algorithm().through() != from) return false;
    if (!view->showing->algorithm().optimistic())
        view->showing->add_update(context_.session_time(now), moment);
    return true;
}

void OwnViews::run_frame(Instant now) {
    for (View& view : views_) follow_network(now, view);
}

void OwnViews::follow_network(Instant now, View& view) {
    const auto* adaptive = std::get_if<Adaptive>(&view.consistency.algorithm);
    if (adaptive == nullptr || now < view.next_review || context_.links.up_links().empty()) return;
    view.next_review = now + kReview;
    std::vector<SeenNetwork> ways;
    for (const LinkNumber link : context_.links.up_links()) {
        const LinkStats stats = context_.links.stats(link);
        if (stats.rtt > Duration{0}) ways.push_back({stats.rtt / 2, stats.jitter / 2, stats.loss});
    }
    if (ways.empty()) return;
    const auto middle = ways.begin() + static_cast<std::ptrdiff_t>(ways.size() / 2);
    std::ranges::nth_element(ways, middle, {}, &SeenNetwork::delay);
    const Duration interval = std::max(view.consistency.interval, context_.world().tick);
    const Duration best = best_lag(*middle, interval, *adaptive);
    // A burst is over before a longer lag would help: a lag is raised only if two reviews in a row ask for
    // it.
    const Duration lasting = std::max(std::min(best, view.best_lag), adaptive->least_lag);
    const Duration wanted = std::chrono::round<std::chrono::milliseconds>(lasting);
    view.best_lag = best;
    if (wanted < adaptive->lag + kWorthTelling && adaptive->lag < wanted + kWorthTelling) return;
    Consistency changed = view.consistency;
    std::get<Adaptive>(changed.algorithm).lag = wanted;
    choose(now, view, changed);
}

void OwnViews::tell(LinkNumber link, const View& view) const {
    // A game may choose in every frame, and a peer may acknowledge none of it: a newer choice replaces an
    // unsent one.
    context_.out.send(link, MessageKind::consistency,
                      ConsistencyChoice{view.number, view.version, view.consistency},
                      {Delivery::reliable, Purpose::reliable, false, view.number});
}

void OwnViews::tell_all(LinkNumber link) const {
    for (const View& view : views_) {
        if (view.showing) tell(link, view);
    }
}

void OwnViews::forget_past() {
    for (const View& view : views_) {
        if (view.showing) view.showing->forget();
    }
}

std::size_t OwnViews::memory_bytes() const {
    std::size_t sum =
        views_.capacity() * sizeof(View) + moment_.payload.capacity() + moment_.input.capacity();
    for (const View& view : views_) {
        if (view.showing) sum += sizeof(Showing) + view.showing->heap_bytes();
    }
    return sum;
}

}  // namespace fray
