#include "games/panzer/match/things.hpp"

#include "games/panzer/match/match_options.hpp"
#include "games/panzer/rules/rules.hpp"

#include <algorithm>

namespace fray::panzer {

namespace {

/// In addition to the time for which a thing without an owner stays on the screens.
constexpr Duration kReplaceSlack{2s};

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

Things::Things(const Battlefield& field, Judge& judge, Mode mode, Seed seed)
    : field_{&field},
      judge_{&judge},
      mode_{mode},
      seed_{seed},
      known_(field.map().items.size() + field.map().doors.size() + (mode == Mode::flag ? 1 : 0)) {}

std::optional<Things::Index> Things::index_of(const Thing& thing) const {
    const Map& map = field_->map();
    const std::size_t doors_from = map.items.size();
    const std::size_t flag_at = doors_from + map.doors.size();
    switch (thing.kind) {
        case ThingKind::item:
            if (thing.number < map.items.size()) return thing.number;
            break;
        case ThingKind::door:
            if (thing.number < map.doors.size()) return doors_from + thing.number;
            break;
        case ThingKind::flag:
            if (mode_ == Mode::flag && thing.number == 0) return flag_at;
            break;
    }
    return std::nullopt;
}

Things::Owned Things::initial(Index index) const {
    const Map& map = field_->map();
    const auto numbered = [](ThingKind kind, std::size_t number) {
        return Thing{.kind = kind, .number = static_cast<std::uint16_t>(number)};
    };
    if (index < map.items.size()) return {numbered(ThingKind::item, index), map.items[index]};
    const std::size_t door = index - map.items.size();
    if (door < map.doors.size())
        return {numbered(ThingKind::door, door), (map.doors[door].low + map.doors[door].high) * 0.5F};
    return {numbered(ThingKind::flag, 0), map.flags[detail::mix_bits(seed_.value) % map.flags.size()]};
}

void Things::publish_one(Commands& peer, Index index) {
    const Owned made = initial(index);
    const auto id = peer.publish(state_of(pose_at(made.position), made.thing, kThingType), Tenure::shared);
    if (id) owned_[*id] = made;
}

void Things::publish(Commands& peer) {
    for (Index index = 0; index < known_.size(); ++index) publish_one(peer, index);
}

void Things::acquired(const Acquired& acquired, bool is_counted) {
    const auto thing = acquired.state.as<Thing>();
    if (!thing || !index_of(*thing)) return;
    const Vec3 at = acquired.state.pose.position;
    owned_[acquired.entity] = {*thing, {at.x, at.y}};
    if (is_counted && acquired.why == Change::owner_lost) ++taken_over_;
}

// --- the screen ---

void Things::consider(const EntityId& id, const Thing& thing, const Vec2& position) {
    const auto index = index_of(thing);
    if (!index) return;
    Known& known = known_[*index];
    if (known.id && *known.id <= id) return;
    known.id = id;
    known.thing = thing;
    known.position = position;
}

void Things::show(Screen& screen, SessionInstant now, const Known& known) const {
    Battle& battle = screen.battle();
    const Thing& thing = known.thing;
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
            battle.flag.position = slot == kNone ? known.position : battle.tanks[slot].position;
            break;
        }
    }
}

void Things::take_replicas(std::span<const Replica> replicas, SessionInstant now, Screen& screen) {
    for (Known& known : known_) known.id.reset();
    for (const Replica& replica : replicas) {
        const auto thing = replica.type == kThingType ? replica.as<Thing>() : std::nullopt;
        if (thing) consider(replica.id, *thing, {replica.received.position.x, replica.received.position.y});
    }
    for (const auto& [id, owned] : owned_) consider(id, owned.thing, owned.position);
    for (const Known& known : known_) {
        if (known.id) show(screen, now, known);
    }
}

void Things::maintain(Commands& peer, const Screen& screen) {
    for (auto& [id, owned] : owned_) {
        if (owned.thing.kind == ThingKind::flag) release_flag(peer, id, owned, screen);
    }
    withdraw_rivals(peer);
    replace_lost(peer);
}

void Things::withdraw_rivals(Commands& peer) {
    std::erase_if(owned_, [&](const auto& entry) {
        const auto index = index_of(entry.second.thing);
        const bool is_rival = index && known_[*index].id && *known_[*index].id < entry.first;
        return is_rival && peer.withdraw(entry.first).has_value();
    });
}

void Things::replace_lost(Commands& peer) {
    const Duration patience = ownerless_most(LinkOptions{}) + kReplaceSlack;
    std::optional<bool> is_lowest;
    for (Index index = 0; index < known_.size(); ++index) {
        Known& known = known_[index];
        if (known.id) {
            known.gone_since.reset();
            continue;
        }
        if (!known.gone_since) known.gone_since = peer.now();
        if (peer.now() - *known.gone_since < patience) continue;
        if (!is_lowest) {
            const std::vector<PeerId> peers = peer.peers();
            is_lowest = peers.empty() || peer.id() < peers.front();
        }
        if (*is_lowest) {
            publish_one(peer, index);
            ++created_;
        }
        known.gone_since.reset();
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
    Thing wanted{.kind = ThingKind::flag};
    if (happening.kind == Happening::Kind::at_item) wanted = {ThingKind::item, happening.other};
    if (happening.kind == Happening::Kind::at_door) wanted = {ThingKind::door, happening.other};
    const auto index = index_of(wanted);
    if (!index || !known_[*index].id) return std::nullopt;
    Known& known = known_[*index];
    if (known.asked_at && peer.now() - *known.asked_at < kAskAgain) return std::nullopt;
    const auto request = peer.interact(tank, *known.id, ThingClaim{peer.session_time(), happening.at});
    if (!request) return std::nullopt;
    known.asked_at = peer.now();
    asked_.emplace(*request, *index);
    return *request;
}

std::optional<Things::Granted> Things::answered(const Answered& answered) {
    const auto found = asked_.find(answered.request);
    if (found == asked_.end()) return std::nullopt;
    const Index index = found->second;
    asked_.erase(found);
    known_[index].asked_at.reset();
    const auto reply = answered.as<ThingReply>();
    if (!reply || reply->refusal != Refusal::none || index >= field_->map().items.size()) return std::nullopt;
    return Granted{static_cast<std::uint16_t>(index), reply->item};
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
