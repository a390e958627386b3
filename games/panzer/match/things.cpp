#include "games/panzer/match/things.hpp"

#include "games/panzer/match/match_options.hpp"
#include "games/panzer/rules/rules.hpp"

#include <algorithm>

namespace fray::panzer {

namespace {

constexpr Duration of_steps(std::uint32_t steps) { return Duration{1'000'000LL * steps / kStepsPerSecond}; }

/// How many steps are left until then, at most `most`.
std::uint16_t steps_until(SessionInstant now, SessionInstant then, std::uint16_t most) {
    if (then <= now) return 0;
    const std::int64_t left = (micros(then - now) * kStepsPerSecond + 999'999) / 1'000'000;
    return static_cast<std::uint16_t>(std::min<std::int64_t>(left, most));
}

Pose pose_at(const Vec2& position) {
    Pose pose;
    pose.position = {position.x, position.y, 0};
    return pose;
}

}  // namespace

// --- what there is ---

bool Things::is_of_map(const Thing& thing) const {
    const Map& map = field_->map();
    switch (thing.kind) {
        case ThingKind::item:
            return thing.number < map.items.size();
        case ThingKind::door:
            return thing.number < map.doors.size();
        case ThingKind::flag:
            return thing.number == 0;
    }
    return false;
}

void Things::know(const EntityId& id, const Thing& thing) {
    if (!is_of_map(thing)) return;
    const Place place{thing.kind, thing.number};
    if (places_.try_emplace(id, place).second) entities_.try_emplace(place, id);
}

void Things::publish_one(Commands& peer, const Thing& thing, const Vec2& position) {
    const auto id = peer.publish(state_of(pose_at(position), thing, kThingType), Tenure::shared);
    if (!id) return;
    owned_[*id] = {thing, position};
    know(*id, thing);
}

void Things::publish(Commands& peer, Mode mode, Seed seed) {
    const Map& map = field_->map();
    for (std::size_t i = 0; i < map.items.size(); ++i)
        publish_one(peer, {.kind = ThingKind::item, .number = static_cast<std::uint16_t>(i)}, map.items[i]);
    for (std::size_t i = 0; i < map.doors.size(); ++i)
        publish_one(peer, {.kind = ThingKind::door, .number = static_cast<std::uint16_t>(i)},
                    (map.doors[i].low + map.doors[i].high) * 0.5F);
    if (mode != Mode::flag) return;
    publish_one(peer, {.kind = ThingKind::flag}, map.flags[detail::mix_bits(seed.value) % map.flags.size()]);
}

void Things::acquired(const Acquired& acquired, bool is_counted) {
    const auto thing = acquired.state.as<Thing>();
    if (!thing || !is_of_map(*thing)) return;
    const Vec3 at = acquired.state.pose.position;
    owned_[acquired.entity] = {*thing, {at.x, at.y}};
    know(acquired.entity, *thing);
    if (is_counted && acquired.why == Change::owner_lost) ++taken_over_;
}

// --- the screen ---

void Things::show(Screen& screen, SessionInstant now, const Thing& thing, const Vec2& position) const {
    Battle& battle = screen.battle();
    switch (thing.kind) {
        case ThingKind::item:
            battle.items[thing.number] = {steps_until(now, thing.until, kItemSteps), thing.taken};
            break;
        case ThingKind::door:
            battle.doors[thing.number].hold = steps_until(now, thing.until, kDoorHold);
            break;
        case ThingKind::flag: {
            const auto carrier = thing.carrier_id();
            const std::uint16_t slot = carrier ? screen.slot_of(*carrier) : kNone;
            battle.flag.carrier = slot;
            battle.flag.position = slot == kNone ? position : battle.tanks[slot].position;
            break;
        }
    }
}

void Things::take_replicas(std::span<const Replica> replicas, SessionInstant now, Screen& screen) {
    for (const Replica& replica : replicas) {
        if (replica.type != kThingType) continue;
        const auto thing = replica.as<Thing>();
        if (!thing || !is_of_map(*thing)) continue;
        know(replica.id, *thing);
        show(screen, now, *thing, {replica.received.position.x, replica.received.position.y});
    }
}

void Things::show_owned(Commands& peer, Screen& screen) {
    const SessionInstant now = peer.session_time();
    for (auto& [id, owned] : owned_) {
        if (owned.thing.kind == ThingKind::flag) release_flag(peer, id, owned, screen);
        show(screen, now, owned.thing, owned.position);
    }
}

/// The flag falls where its carrier was destroyed, or was seen last.
void Things::release_flag(Commands& peer, const EntityId& id, Owned& flag, const Screen& screen) const {
    const auto carrier = flag.thing.carrier_id();
    if (!carrier) return;
    const std::uint16_t slot = screen.slot_of(*carrier);
    if (slot != kNone && screen.battle().tanks[slot].alive()) return;
    if (slot != kNone) flag.position = screen.battle().tanks[slot].position;
    flag.thing.carrier.clear();
    update(peer, id, flag);
}

void Things::update(Commands& peer, const EntityId& id, const Owned& owned) const {
    (void)peer.update(id, state_of(pose_at(owned.position), owned.thing, kThingType));
}

// --- asking ---

std::optional<RequestId> Things::ask(Commands& peer, const EntityId& tank, const Happening& happening) {
    Place place{ThingKind::flag, 0};
    if (happening.kind == Happening::Kind::at_item) place = {ThingKind::item, happening.other};
    if (happening.kind == Happening::Kind::at_door) place = {ThingKind::door, happening.other};
    const auto found = entities_.find(place);
    if (found == entities_.end()) return std::nullopt;
    const auto open = open_.find(found->second);
    if (open != open_.end() && peer.now() - open->second.since < kAskAgain) return std::nullopt;
    const auto request = peer.interact(tank, found->second, ThingClaim{peer.session_time(), happening.at});
    if (!request) return std::nullopt;
    open_[found->second] = {*request, peer.now()};
    return *request;
}

std::optional<Things::Granted> Things::answered(const Answered& answered) {
    const auto open = open_.find(answered.target);
    if (open != open_.end() && open->second.request == answered.request) open_.erase(open);
    const auto reply = answered.as<ThingReply>();
    if (!reply || reply->refusal != Refusal::none) return std::nullopt;
    const auto place = places_.find(answered.target);
    if (place == places_.end() || place->second.kind != ThingKind::item) return std::nullopt;
    return Granted{place->second.number, reply->item};
}

// --- deciding ---

Refusal Things::judge(SessionInstant now, const Owned& owned, const Asked& asked,
                      const Screen& screen) const {
    const auto claim = asked.as<ThingClaim>();
    if (!claim) return Refusal::malformed;
    const std::uint16_t slot = screen.slot_of(asked.request.asker);
    if (slot != kOwnTank) {
        const Refusal refusal = judge_->place(now, slot, claim->place, claim->at);
        if (refusal != Refusal::none) return refusal;
    }
    constexpr float kSlack = 0.1F;
    const float away = square_length(claim->place - owned.position);
    switch (owned.thing.kind) {
        case ThingKind::item:
            if (away > (kItemReach + kSlack) * (kItemReach + kSlack)) return Refusal::out_of_reach;
            return owned.thing.until > now ? Refusal::not_there : Refusal::none;
        case ThingKind::door: {
            const Map& map = field_->map();
            const auto near = map.doors_near_cell(map.index(map.place_of(claim->place)));
            return std::ranges::find(near, owned.thing.number) == near.end() ? Refusal::out_of_reach
                                                                             : Refusal::none;
        }
        case ThingKind::flag:
            if (owned.thing.carrier_id()) return Refusal::not_there;
            return away > (kFlagReach + kSlack) * (kFlagReach + kSlack) ? Refusal::out_of_reach
                                                                        : Refusal::none;
    }
    return Refusal::malformed;
}

ThingReply Things::grant(SessionInstant now, Owned& owned, const Asked& asked, Seed seed) {
    ThingReply reply;
    Thing& thing = owned.thing;
    switch (thing.kind) {
        case ThingKind::item:
            reply.item = kind_of(seed, thing.number, thing.taken++);
            thing.until = now + of_steps(kItemSteps);
            break;
        case ThingKind::door:
            if (thing.until <= now) ++doors_opened_;
            thing.until = now + of_steps(kDoorHold);
            break;
        case ThingKind::flag:
            thing.carrier.assign(asked.request.asker.bytes.begin(), asked.request.asker.bytes.end());
            ++flags_taken_;
            break;
    }
    return reply;
}

void Things::asked(Commands& peer, const Asked& asked, const Screen& screen) {
    const auto found = owned_.find(asked.target);
    if (found == owned_.end()) return;
    const SessionInstant now = peer.session_time();
    const Refusal refusal = judge(now, found->second, asked, screen);
    if (refusal != Refusal::none) {
        // That another player was first happens to honest players.
        if (refusal != Refusal::not_there) judge_->count(refusal);
        (void)peer.answer(asked.request, ThingReply{refusal, {}});
        return;
    }
    Owned after = found->second;
    const std::uint64_t doors = doors_opened_;
    const std::uint64_t flags = flags_taken_;
    const ThingReply reply = grant(now, after, asked, screen.battle().seed);
    if (!peer.answer(asked.request, reply)) {  // another peer decides
        doors_opened_ = doors;
        flags_taken_ = flags;
        return;
    }
    found->second = after;
    update(peer, asked.target, after);
}

}  // namespace fray::panzer
