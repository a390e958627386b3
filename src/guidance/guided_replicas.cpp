#include "guidance/guided_replicas.hpp"

#include "core/motion.hpp"
#include "core/space.hpp"
#include "guidance/steer.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace fray {

namespace {

constexpr int kSeldom = 4;              // ticks between two updates
constexpr int kMostSteps = 20;          // in one read
constexpr float kHurry = 1.25F;         // of the top speed, while it converges
constexpr int kBeyond = 2;              // an overdue replica goes on for half of the longest prediction
constexpr Duration kRepeatStop{200ms};  // it may have got lost
constexpr float kPlaced = 2;            // times the top speed: nothing travels so fast
constexpr float kSlack = 1e-3F;         // of rounding, relative

bool is_finite(const Pose& pose) {
    const float sum = pose.position.x + pose.position.y + pose.position.z + pose.velocity.x +
                      pose.velocity.y + pose.velocity.z + pose.yaw + pose.pitch;
    return std::isfinite(sum);
}

/// What the owner told last, unless its newest state is of a later moment.
const HeardAdvice* advice_on(const Track& track, const HeardState& heard) {
    return track.advice && track.advice->when > heard.when ? &*track.advice : nullptr;
}

}  // namespace

// --- tracks ---

const Track* GuidedReplicas::find(LinkNumber link, std::uint32_t number) const {
    const Tracks* tracks = tracks_.find(link);
    if (tracks == nullptr) return nullptr;
    const auto place = std::ranges::lower_bound(*tracks, number, {}, [](const auto& t) { return t->number; });
    return place != tracks->end() && (*place)->number == number ? place->get() : nullptr;
}

Track& GuidedReplicas::track(LinkNumber link, std::uint32_t number) {
    if (const Track* known = find(link, number)) return const_cast<Track&>(*known);  // NOLINT: it is ours
    Tracks& tracks = tracks_[link];
    std::erase_if(tracks, [&](const auto& t) { return !replicas_.newest(link, t->number); });  // withdrawn
    const auto place = std::ranges::lower_bound(tracks, number, {}, [](const auto& t) { return t->number; });
    Track& fresh = **tracks.insert(place, std::make_unique<Track>());
    fresh.number = number;
    return fresh;
}

float GuidedReplicas::top_speed() const {
    const float chosen = context_.options.guidance.top_speed;
    return chosen > 0 ? chosen : context_.world().velocity_limit;
}

std::optional<Pose> GuidedReplicas::shown(const EntityId& id) const {
    if (id.owner == context_.self) {
        const State* state = own_.own_state(id.number);
        return state == nullptr ? std::nullopt : std::optional{state->pose};
    }
    const auto link = context_.links.number_of(id.owner);
    if (!link) return std::nullopt;
    const Track* track = find(*link, id.number);
    if (track != nullptr && track->begun) return track->shown;
    const auto newest = replicas_.newest(*link, id.number);
    return newest ? std::optional{newest->pose} : std::nullopt;
}

// --- what is shown ---

void GuidedReplicas::show(LinkNumber link, const HeardState& heard, SessionInstant now, Replica& replica) {
    Track& track = this->track(link, heard.number);
    if (std::exchange(track.other_clock, false)) {
        track.shown_at = track.hurried = now;
        track.told_at = heard.when;
        track.begin_steps();
        track.anchor_here();
    }
    note_told(track, heard);
    if (!track.begun) {
        track.begun = true;
        track.shown = replica.pose;
        track.shown_at = now;
        track.payload.assign(heard.payload.begin(), heard.payload.end());
        track.begin_steps();
        track.anchor_here();
    }
    now = std::max(now, track.shown_at);
    change_mode(track, heard);
    if (now - track.anchor.at >= context_.world().tick) track.anchor_here();
    if (track.mode == ReplicaMode::direct && follow(track, now, replica)) return;
    const Vec3 before = track.shown.position;
    const Duration passed = now - track.shown_at;
    run_steps(link, track, heard, now, replica);
    replica.mode = track.mode;
    if (track.mode == ReplicaMode::converging) {
        converge(track, now, replica);
        const bool arrived = track.is_near && is_step(track.shown.position, replica.pose.position,
                                                      std::max(passed, context_.world().tick));
        // It is where updates say, and only turns to where they say.
        if (has_stopped_hurrying(track, now, !arrived || !is_step(before, track.shown.position, passed)))
            replica.mode = ReplicaMode::direct;
    }
    replica.pose = track.shown;
    replica.payload = track.payload;
    if (replica.mode != ReplicaMode::direct) replica.guidance = &track.guidance;
}

/// For a tick after it hurried, it counts as converging, however often it is read.
bool GuidedReplicas::has_stopped_hurrying(Track& track, SessionInstant now, bool hurries) const {
    if (hurries) track.hurried = now;
    return now - track.hurried >= context_.world().tick;
}

bool GuidedReplicas::is_step(const Vec3& from, const Vec3& to, Duration passed) const {
    const float most = top_speed() * static_cast<float>(seconds(passed));
    return length(way(context_.world(), from, to)) <= most * (1 + kSlack);
}

/// After a clock step, moments are meaningless, but what is on the screen stays there.
void GuidedReplicas::forget_past() {
    for (Tracks& tracks : tracks_) forget_moments(tracks);
    for (Tracks& tracks : tracks_.acquaintances()) forget_moments(tracks);
}

void GuidedReplicas::forget_moments(Tracks& tracks) {
    for (const auto& track : tracks) {
        track->other_clock = track->begun;
        track->advice.reset();
        track->stop_sent = {};
    }
}

void GuidedReplicas::move(LinkNumber from, LinkNumber to) {
    if (tracks_.find(from) == nullptr) return;
    Tracks tracks = std::move(tracks_[from]);
    tracks_.erase(from);
    tracks_[to] = std::move(tracks);
}

void GuidedReplicas::note_told(Track& track, const HeardState& heard) const {
    if (track.begun && heard.when > track.told_at) {
        const auto elapsed = static_cast<float>(seconds(heard.when - track.told_at));
        const float most = kPlaced * top_speed() * elapsed + context_.options.guidance.diameter;
        track.placed = track.placed || length(way(context_.world(), track.told, heard.pose.position)) > most;
    }
    track.told_at = heard.when;
    track.told = heard.pose.position;
}

void GuidedReplicas::change_mode(Track& track, const HeardState& heard) const {
    const bool seldom = heard.gap > context_.world().tick * kSeldom;
    if (seldom && track.mode != ReplicaMode::guided) {
        track.mode = ReplicaMode::guided;
        track.stop_due = track.is_near = false;
        track.begin_steps();  // the step under way may be too fast
    } else if (!seldom && track.mode == ReplicaMode::guided) {
        track.mode = ReplicaMode::converging;
    }
}

/// Within a diameter, the owner need not guide it any longer. Updates are shown directly from then on, or
/// once it has turned to where they say.
void GuidedReplicas::converge(Track& track, SessionInstant now, const Replica& replica) const {
    const Vec3 left = way(context_.world(), track.shown.position, replica.target.position);
    if (length(left) > context_.options.guidance.diameter) return;
    if (!std::exchange(track.is_near, true)) track.stop_due = true;
    Pose turned = replica.pose;
    turned.position = track.shown.position;
    if (can_become(track, now, replica, turned)) track.mode = ReplicaMode::direct;
}

bool GuidedReplicas::can_become(const Track& track, SessionInstant now, const Replica& replica,
                                const Pose& pose) const {
    const World& world = context_.world();
    const ValidFunction& valid = world.types[static_cast<std::size_t>(replica.type)].valid;
    if (valid == nullptr) return true;
    // Validators allow for stamps, which are a tick too early or too late. What is shown is exact.
    const auto since = [&](SessionInstant then) { return std::max(now - then - world.tick, Duration{0}); };
    return valid(track.shown, track.payload, pose, replica.payload, since(track.shown_at)) &&
           valid(track.anchor.pose, track.anchor.payload, pose, replica.payload, since(track.anchor.at));
}

bool GuidedReplicas::follow(Track& track, SessionInstant now, Replica& replica) const {
    const World& world = context_.world();
    const Duration passed = now - track.shown_at;
    const auto span = static_cast<float>(seconds(passed));
    const float most = top_speed() * span;
    const Vec3 left = way(world, track.shown.position, replica.pose.position);
    const bool arrives = track.placed || is_step(track.shown.position, replica.pose.position, passed);
    Pose pose = replica.pose;
    if (!arrives) pose.position = inside(world, track.shown.position + at_most(left, most * kHurry));
    const float turn = context_.options.guidance.turn_limit * span;
    const float off = std::abs(detail::shorter(pose.yaw - track.shown.yaw, 360));
    const bool has_rules = world.types[static_cast<std::size_t>(replica.type)].valid != nullptr;
    if (!track.placed && !has_rules && off > turn) pose.yaw = turned(track.shown.yaw, pose.yaw, turn);
    if (!track.placed && !can_become(track, now, replica, pose)) {
        track.mode = ReplicaMode::converging;
        track.begin_steps();
        return false;
    }
    track.placed = false;
    track.payload.assign(replica.payload.begin(), replica.payload.end());
    replica.pose = pose;
    track.guidance = {.predicted = replica.target, .when = now};
    if (!has_stopped_hurrying(track, now, !arrives)) {
        replica.mode = ReplicaMode::converging;
        replica.guidance = &track.guidance;
    }
    track.shown = replica.pose;
    track.shown_at = now;
    return true;
}

// --- steps ---

void GuidedReplicas::run_steps(LinkNumber link, Track& track, const HeardState& heard, SessionInstant now,
                               const Replica& replica) {
    const World& world = context_.world();
    const Duration unseen = now - track.shown_at;
    if (unseen > world.tick * kMostSteps) {
        const float reach = top_speed() * static_cast<float>(seconds(unseen));
        track.before = track.next = track.shown;
        if (length(way(world, track.shown.position, replica.pose.position)) <= reach) {
            track.before = track.next = replica.pose;
            track.payload.assign(heard.payload.begin(), heard.payload.end());
            track.next_at = now;
        } else {
            track.next_at = now - world.tick * kMostSteps;
        }
    }
    while (track.next_at < now) take_step(link, track, heard, replica.pose, now);
    const double share = 1 - seconds(track.next_at - now) / seconds(world.tick);
    track.shown = on_the_way(world, track.before, track.next, static_cast<float>(share));
    track.shown_at = now;
}

void GuidedReplicas::take_step(LinkNumber link, Track& track, const HeardState& heard, const Pose& direct,
                               SessionInstant now) {
    const World& world = context_.world();
    const bool converging = track.mode == ReplicaMode::converging;
    const SessionInstant end = track.next_at + world.tick;
    const Pose goal = converging ? straight_on(world, direct, end - now) : predicted(track, heard, end);
    track.guidance = {goal, end, aim(link, track, heard)};
    const GuideStep step{.shown = track.next,
                         .shown_payload = track.payload,
                         .direct = direct,
                         .told_payload = heard.payload,
                         .told_input = heard.input,
                         .guidance = track.guidance,
                         .from = track.next_at,
                         .length = world.tick,
                         .top_speed = top_speed() * (converging ? kHurry : 1),
                         .turn_limit = context_.options.guidance.turn_limit * (converging ? kHurry : 1),
                         .converging = converging,
                         .placed = track.placed};
    payload_.assign(heard.payload.begin(), heard.payload.end());
    const EntityType& type = world.types[static_cast<std::size_t>(heard.type)];
    const Guided guided = type.guide == nullptr ? steer(world, step, *this, type.facing == nullptr)
                                                : type.guide(step, *this, payload_);
    std::swap(track.payload, payload_);
    track.placed = false;
    const bool reappears = guided.reappears && is_finite(guided.pose);
    const Pose pose = reappears ? guided.pose : bounded(track, guided.pose, step.top_speed);
    track.before = reappears ? pose : track.next;
    track.next = pose;
    track.next_at = end;
}

/// Whatever a guide of the game returns, the replica does not exceed its limit of speed.
Pose GuidedReplicas::bounded(const Track& track, const Pose& pose, float most) const {
    const World& world = context_.world();
    if (!is_finite(pose)) return track.next;
    Pose result = pose;
    const Vec3 moved = at_most(way(world, track.next.position, pose.position),
                               most * static_cast<float>(seconds(world.tick)));
    result.position = inside(world, track.next.position + moved);
    return result;
}

/// Where it should be at this moment: on the way from the told to the predicted position, or for a while
/// beyond it. With the predicted position itself as the goal, errors would last for seconds.
Pose GuidedReplicas::predicted(const Track& track, const HeardState& heard, SessionInstant moment) const {
    const World& world = context_.world();
    const Duration longest = context_.options.guidance.longest_prediction;
    const HeardAdvice* advice = advice_on(track, heard);
    const Duration ahead = advice != nullptr ? advice->when - heard.when : heard.gap;
    const Duration known = std::clamp(ahead, std::min(world.tick, longest), longest);
    const Duration wanted = std::max(moment - heard.when, Duration{0});
    const auto after = [&](Duration span) {
        return go_on(world, heard.type, heard.pose, heard.payload, heard.input, span);
    };
    Pose pose = after(std::min(wanted, known));
    if (advice != nullptr && advice->position) {
        const Vec3 off = way(world, after(known).position, *advice->position);
        const double share = std::min(seconds(wanted) / seconds(known), 1.0);
        pose.position = inside(world, pose.position + off * static_cast<float>(share));
    }
    const Duration beyond = wanted - known;
    if (beyond <= Duration{0}) return pose;
    pose = straight_on(world, pose, std::min(beyond, longest / kBeyond));
    if (beyond > longest / kBeyond) pose.velocity = {};
    return pose;
}

std::optional<Aim> GuidedReplicas::aim(LinkNumber link, Track& track, const HeardState& heard) const {
    if (advice_on(track, heard) == nullptr) return std::nullopt;
    HeardAdvice& advice = *track.advice;
    if (std::exchange(advice.resolved, true)) return advice.aim;
    if (const auto id = target(link, advice)) advice.aim = Aim{*id, advice.deviation};
    return advice.aim;
}

std::optional<EntityId> GuidedReplicas::target(LinkNumber link, const HeardAdvice& advice) const {
    const auto own = carried_.first_number();
    if (advice.target == Advice::Target::receiver)
        return own ? std::optional{EntityId{context_.self, *own}} : std::nullopt;
    if (advice.target == Advice::Target::none) return std::nullopt;
    for (const LinkNumber other : context_.links.known()) {
        const PeerId& peer = context_.links.peer(other);
        if (other == link || short_name(peer) != advice.peer) continue;
        const auto first = replicas_.first(other);
        return first ? std::optional{EntityId{peer, first->number}} : std::nullopt;
    }
    return std::nullopt;
}

// --- messages ---

std::optional<Rejection> GuidedReplicas::handle_advice(SessionInstant now, LinkNumber link,
                                                       const Advice& advice) {
    const auto heard = replicas_.newest(link, advice.number);
    if (!heard) return Rejection::unknown_entity;
    const GuidanceOptions& options = context_.options.guidance;
    HeardAdvice told{.when = complete_advice_time(advice.when, now),
                     .position = advice.position,
                     .target = advice.target,
                     .peer = advice.peer,
                     .deviation = advice.deviation};
    const Duration ahead = told.when - heard->when;
    if (ahead > Duration{1s} + kAdviceStep) return Rejection::impossible;
    if (told.position) {  // no farther than it can go in that time
        const float most =
            options.diameter + top_speed() * static_cast<float>(seconds(std::max(ahead, Duration{0})));
        if (length(way(context_.world(), heard->pose.position, *told.position)) > most)
            return Rejection::impossible;
    }
    Track& track = this->track(link, advice.number);
    if (track.advice && told.when < track.advice->when && track.advice->when - told.when < 2s)
        return std::nullopt;  // overtaken
    track.advice = told;
    if (track.is_near) track.stop_due = true;  // our message got lost
    return std::nullopt;
}

void GuidedReplicas::list_converged(SessionInstant now, LinkNumber link,
                                    std::vector<std::uint32_t>& numbers) {
    const Tracks* tracks = tracks_.find(link);
    if (tracks == nullptr) return;
    for (const auto& track : *tracks) {
        const bool waits = track->stop_sent > now - kRepeatStop && track->stop_sent <= now;
        if (!track->stop_due || waits || numbers.size() == kMaxAdvice) continue;
        track->stop_due = false;
        track->stop_sent = now;
        numbers.push_back(track->number);
    }
}

std::size_t GuidedReplicas::heap_bytes() const {
    std::size_t sum = tracks_.heap_bytes() + payload_.capacity();
    const auto add = [&](const Tracks& tracks) {
        sum += tracks.capacity() * sizeof(tracks[0]);
        for (const auto& track : tracks)
            sum += sizeof(Track) + track->payload.capacity() + track->anchor.payload.capacity();
    };
    std::ranges::for_each(tracks_, add);
    std::ranges::for_each(tracks_.acquaintances(), add);
    return sum;
}

}  // namespace fray
