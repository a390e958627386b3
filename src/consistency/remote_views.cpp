#include "consistency/remote_views.hpp"

#include "core/motion.hpp"
#include "wire/limits.hpp"
#include "wire/session_time.hpp"

#include <algorithm>
#include <utility>

namespace fray {

namespace {

constexpr std::size_t kViewsInFull = 64;  // of one peer; further views keep a shorter timeline
constexpr Duration kSettle{
    300ms};  // this long after its last state, an entity is relayed once more, reliably
constexpr Duration kHeldAtMost{1s};  // time that a state from the owner waits for the peer that orders it
constexpr Duration kOverruleAgain{100ms};  // shortest time between two overrules of one entity

bool same(const Moment& a, const Moment& b) {
    return a.pose == b.pose && a.payload == b.payload && a.input == b.input;
}

void assign(Moment& moment, const HeardState& heard) {
    moment.when = heard.when;
    moment.pose = heard.pose;
    moment.payload.assign(heard.payload.begin(), heard.payload.end());
    moment.input.assign(heard.input.begin(), heard.input.end());
}

}  // namespace

// --- what the screen shows ---

Replica RemoteViews::shown(LinkNumber link, const HeardState& heard, SessionInstant now) const {
    Replica replica{.id = {.owner = context_.links.peer(link), .number = heard.number},
                    .owner = context_.links.peer(link),
                    .type = heard.type,
                    .pose = {},
                    .target = {},
                    .received = heard.pose,
                    .received_payload = heard.payload,
                    .stamp = heard.when,
                    .age = now - heard.when,
                    .moment = now,
                    .told = heard.when,
                    .payload = heard.payload,
                    .input = heard.input};
    const View* view = find(link, heard.number);
    const bool by_default = view == nullptr || view->showing->empty();
    const Shown target =
        by_default ? extrapolate({.world = &context_.world(), .horizon = Consistency{}.horizon}, heard, now)
                   : view->showing->target(now);
    replica.target = target.pose;
    replica.pose = target.pose;
    replica.moment = target.moment;
    replica.told = target.told;
    if (by_default) return replica;
    const Showing& showing = *view->showing;
    replica.pose.position = showing.blended(now, target.pose.position);
    replica.corrections = showing.corrections();
    if (!showing.algorithm().through()) return replica;
    // All fields describe the state that came through the other peer, not a newer one from the owner.
    const Moment& newest = showing.timeline().newest();
    replica.received = newest.pose;
    replica.received_payload = newest.payload;
    replica.stamp = newest.when;
    replica.age = now - newest.when;
    replica.payload = newest.payload;
    replica.input = newest.input;
    return replica;
}

// --- views ---

const RemoteViews::View* RemoteViews::find(LinkNumber link, std::uint32_t number) const {
    const Views* views = views_.find(link);
    if (views == nullptr) return nullptr;
    const auto found = std::ranges::lower_bound(*views, number, {}, &View::number);
    return found != views->end() && found->number == number ? &*found : nullptr;
}

RemoteViews::View* RemoteViews::find(LinkNumber link, std::uint32_t number) {
    return const_cast<View*>(std::as_const(*this).find(link, number));  // NOLINT(*-const-cast): it is ours
}

RemoteViews::View* RemoteViews::find_or_count(LinkNumber link, std::uint32_t number) {
    View* view = find(link, number);
    if (view != nullptr || !context_.options.count_corrections) return view;
    if (views_[link].size() >= kMaxRemoteEntities) return nullptr;
    return &add(link, number, {});
}

RemoteViews::View& RemoteViews::add(LinkNumber link, std::uint32_t number, const Consistency& consistency) {
    Views& views = views_[link];
    View view{.number = number, .showing = {}};
    view.showing =
        std::make_unique<Showing>(Showing::Whose::others, context_.world(), EntityTypeId{}, consistency);
    if (views.size() >= kViewsInFull) view.showing->keep_few();
    return *views.insert(std::ranges::lower_bound(views, number, {}, &View::number), std::move(view));
}

Receipt RemoteViews::handle_choice(Instant now, LinkNumber link, const ConsistencyChoice& choice) {
    View* view = find(link, choice.number);
    if (view != nullptr && view->version && static_cast<std::int16_t>(choice.version - *view->version) <= 0)
        return taken();
    if (view == nullptr) {
        if (replicas_.was_withdrawn(link, choice.number)) return taken();  // the withdrawal overtook it
        if (views_[link].size() >= kMaxRemoteEntities) return malformed(Rejection::no_room);
        // Until now it was shown by the default, from the newest state.
        const bool known = replicas_.newest(link, choice.number).has_value();
        view = &add(link, choice.number, known ? Consistency{} : choice.consistency);
        add_newest(now, link, *view);
    }
    view->version = choice.version;
    view->showing->choose(context_.session_time(now), choice.consistency);
    add_newest(now, link, *view);
    // From now on it goes through us. Relay it even if it does not move.
    if (view->showing->algorithm().through() == context_.self) pass_on(now, link, *view, false);
    return taken();
}

void RemoteViews::forget_entity(LinkNumber link, std::uint32_t number) {
    if (Views* views = views_.find(link))
        std::erase_if(*views, [&](const View& view) { return view.number == number; });
}

void RemoteViews::forget_past() {
    for (Views& views : views_) {
        for (const View& view : views) view.showing->forget();
    }
}

// --- states in ---

void RemoteViews::handle_state(Instant now, LinkNumber link, const HeardState& heard, bool newest) {
    View* view = find_or_count(link, heard.number);
    if (view == nullptr) return;  // shown by the default
    view->showing->set_type(heard.type);
    assign(moment_, heard);
    if (comes_through_another(link, *view)) return hold_back(now, *view, moment_.when);
    const bool ours = view->showing->algorithm().through() == context_.self;
    const SessionInstant present = context_.session_time(now);
    // Limits stamps of the future: they give the owner no advantage, and receivers do not reject our relay.
    if (ours) moment_.when = std::min(moment_.when, present + kMostRelayAhead / 2);
    if (ours && !is_valid(now, link, *view, heard.type, moment_)) return;
    view->showing->add_update(present, moment_);
    if (ours && newest) pass_on(now, link, *view, false);
}

void RemoteViews::handle_passed_on(Instant now, LinkNumber link, std::uint32_t number) {
    if (View* view = find_or_count(link, number)) add_newest(now, link, *view);
}

void RemoteViews::add_newest(Instant now, LinkNumber link, View& view) {
    const auto newest = replicas_.newest(link, view.number);
    if (!newest) return;
    Showing& showing = *view.showing;
    showing.set_type(newest->type);
    if (comes_through_another(link, view)) return;
    if (!showing.empty() && newest->when <= showing.timeline().newest().when) return;
    const SessionInstant present = context_.session_time(now);
    assign(moment_, *newest);
    moment_.when = std::min(moment_.when, present + kMostRelayAhead / 2);
    const bool ours = showing.algorithm().through() == context_.self;
    if (ours && !is_valid(now, link, view, newest->type, moment_)) return;
    showing.add_update(present, moment_);
}

// --- through another peer ---

std::optional<PeerId> RemoteViews::through(LinkNumber link, std::uint32_t number) const {
    const View* view = find(link, number);
    return view != nullptr ? view->showing->algorithm().through() : std::nullopt;
}

bool RemoteViews::comes_through_another(LinkNumber link, const View& view) const {
    const auto through = view.showing->algorithm().through();
    if (!through || *through == context_.self || *through == context_.links.peer(link)) return false;
    return !view.direct && !view.showing->empty() && context_.is_linked(*through);
}

void RemoteViews::handle_ordered(Instant now, LinkNumber link, const HeardState& newest,
                                 const Moment& moment) {
    View& view = *find(link, newest.number);
    if (moment.when >= newest.when) {  // the owner sent nothing newer directly
        view.held.reset();
        view.direct = false;
    } else if (view.held) {
        view.held = now;  // more may come
    }
    view.showing->set_type(newest.type);
    view.showing->add_update(context_.session_time(now), moment);
}

void RemoteViews::hold_back(Instant now, View& view, SessionInstant when) {
    if (view.held || when <= view.showing->timeline().newest().when) return;
    view.held = now;
    holds_back_ = true;
}

void RemoteViews::release_held(Instant now) {
    if (!std::exchange(holds_back_, false)) return;
    for (const LinkNumber link : context_.links.up_links()) {
        for (View& view : views_[link]) {
            if (!view.held) continue;
            const auto newest = replicas_.newest(link, view.number);
            if (!newest) continue;
            // The owner seems to have lost its link with the orderer. Types with a validity check still wait:
            // otherwise the owner could evade the validator.
            const auto type = static_cast<std::size_t>(newest->type);
            if (now - *view.held >= kHeldAtMost && context_.world().types[type].valid == nullptr)
                view.direct = true;
            if (comes_through_another(link, view)) {
                holds_back_ = true;
                continue;
            }
            view.held.reset();
            add_newest(now, link, view);
        }
    }
}

// --- through us ---

bool RemoteViews::is_valid(Instant now, LinkNumber link, View& view, EntityTypeId type,
                           const Moment& moment) {
    if (view.showing->empty()) return true;
    const ValidFunction& valid = context_.world().types[static_cast<std::size_t>(type)].valid;
    const Moment& last = view.showing->timeline().newest();
    // An older state does not change the newest one; one with the same stamp would replace it.
    if (valid == nullptr || moment.when < last.when || (moment.when == last.when && same(moment, last)))
        return true;
    if (valid(last.pose, last.payload, moment.pose, moment.payload, moment.when - last.when)) return true;
    const SessionInstant present = context_.session_time(now);
    if (present - view.overruled < kOverruleAgain) return false;
    view.overruled = present;
    overrule(link, view, type);
    return false;
}

void RemoteViews::overrule(LinkNumber link, const View& view, EntityTypeId type) {
    const Moment& last = view.showing->timeline().newest();
    const QuantisedPose pose = context_.codec.quantise(last.pose);
    std::vector<std::uint8_t> bytes(kMaxDatagram + kMaxPayloadBytes);
    BitWriter out{bytes};
    out.bits(wire_time(last.when), kSessionTimeBits);
    write_numbered(out, context_.world(), context_.codec, view.number,
                   {type, pose, last.payload, last.input});
    const std::size_t bits = out.bit_count();
    out.finish();
    context_.out.send_bits(link, MessageKind::overruled, bytes, bits,
                           {Delivery::reliable, Purpose::reliable});
}

void RemoteViews::pass_on(Instant now, LinkNumber link, View& view, bool reliably) {
    if (!replicas_.newest(link, view.number) || view.showing->empty()) return;
    passes_on_ = true;
    view.passed_on = context_.session_time(now);
    view.settled = send(context_.links.up_links(), link, view, reliably) && reliably;
}

bool RemoteViews::send(std::span<const LinkNumber> to, LinkNumber owner, const View& view, bool reliably) {
    const auto newest = replicas_.newest(owner, view.number);
    if (!newest || view.showing->empty()) return true;
    const Moment& last = view.showing->timeline().newest();
    const QuantisedPose pose = context_.codec.quantise(last.pose);
    return relay_.send_ordered(to, context_.links.peer(owner), view.number, last.when,
                               {newest->type, pose, last.payload, last.input}, reliably);
}

void RemoteViews::handle_link_up(LinkNumber link) {
    if (!passes_on_) return;
    for (const LinkNumber owner : context_.links.up_links()) {
        for (View& view : views_[owner]) {
            if (view.showing->algorithm().through() != context_.self) continue;
            view.settled = send(std::span{&link, 1}, owner, view, true) && view.settled;
        }
    }
}

void RemoteViews::settle(Instant now) {
    if (!passes_on_) return;
    const SessionInstant present = context_.session_time(now);
    for (const LinkNumber link : context_.links.up_links()) {
        for (View& view : views_[link]) {
            if (view.settled || present - view.passed_on < kSettle) continue;
            if (view.showing->algorithm().through() == context_.self)
                pass_on(now, link, view, true);
            else
                view.settled = true;
        }
    }
}

void RemoteViews::run_frame(Instant now) {
    settle(now);
    release_held(now);
}

std::size_t RemoteViews::memory_bytes() const {
    std::size_t sum = views_.heap_bytes() + moment_.payload.capacity() + moment_.input.capacity();
    for (const Views& views : views_) {
        sum += views.capacity() * sizeof(View);
        for (const View& view : views) sum += sizeof(Showing) + view.showing->heap_bytes();
    }
    return sum;
}

}  // namespace fray
