#include "replica/primaries.hpp"

#include "core/entity_errors.hpp"
#include "replica/replica_store.hpp"
#include "wire/relayed_state.hpp"
#include "wire/session_time.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

namespace fray {

namespace {

constexpr std::size_t kMaxPrimaries = 4096;
constexpr Duration kOldStamp{10s};      // an unchanged state with an older stamp is restamped when it is sent
constexpr std::size_t kUpdateCost = 2;  // bytes of stamp, number and baseline reference
constexpr unsigned kAckDelayFrames = 2;
constexpr unsigned kRefreshFrames = 8;  // a relayed entity that stands still is sent this often
constexpr std::size_t kUpdateOverhead =
    kMessageKindBits + kStampBits + 1 + 40 + kBackBits + 1;  // bits: kind, stamp, more, number, back, end

/// The payload must be the one encoding of the type's struct. `canonical` is scratch memory.
Result<void> check_payload(const EntityType& type, const State& state, std::vector<std::uint8_t>& canonical) {
    const std::string name = "'" + type.name + "'";
    if (state.invalid_field != 0) {
        return Error{"field " + std::to_string(state.invalid_field) + " of " + name +
                     " is outside the range that its serialize() states"};
    }
    if (state.payload.size() > kMaxPayloadBytes)
        return too_long("the payload of " + name, state.payload.size(), kMaxPayloadBytes);
    canonical.clear();
    BitReader in{state.payload};
    const bool decodes = type.read_full(in, canonical);
    if (!decodes || canonical.size() != state.payload.size()) {
        return Error{"the payload of " + std::to_string(state.payload.size()) + " bytes does not decode as " +
                     name + ": make it with state_of() from the struct that its EntityType::of() was given"};
    }
    if (canonical != state.payload) {
        return Error{
            "the payload decodes as " + name +
            ", but its encoding is another: make it with state_of(), and state no range that is finer "
            "than a float at its bounds"};
    }
    return {};
}

}  // namespace

// --- the game's entities ---

Result<void> Primaries::check(const State& state) {
    const World& world = context_.world();
    const auto type = static_cast<std::size_t>(state.type);
    if (type >= world.types.size()) {
        return Error{"entity type " + std::to_string(type) + " is unknown: the world has " +
                     std::to_string(world.types.size()) + " types"};
    }
    const Pose& pose = state.pose;
    for (const float number : {pose.position.x, pose.position.y, pose.position.z, pose.velocity.x,
                               pose.velocity.y, pose.velocity.z, pose.yaw, pose.pitch}) {
        if (!std::isfinite(number)) return Error{"the pose must consist of finite numbers, and one is not"};
    }
    if (state.input.size() > kMaxInputBytes) return too_long("the input", state.input.size(), kMaxInputBytes);
    auto checked = check_payload(world.types[type], state, canonical_);
    if (checked && !context_.codec.holds(pose)) ++poses_clamped_;
    return checked;
}

Result<std::uint32_t> Primaries::publish(Instant now, const State& state,
                                         std::optional<std::uint32_t> number) {
    if (const auto checked = check(state); !checked) return checked.error();
    if (primaries_.size() >= kMaxPrimaries)
        return Error{"a peer may have at most " + std::to_string(kMaxPrimaries) + " entities"};
    if (!number) number = next_number_++;
    const auto place = std::ranges::lower_bound(primaries_, *number, {}, &Primary::number);
    if (place != primaries_.end()) clear_choices();  // indices shift; the next frame chooses again
    primaries_.insert(place, Primary{*number, state.type})->set(state, context_.session_time(now));
    return *number;
}

Result<void> Primaries::update(Instant now, const EntityId& id, const State& state) {
    const auto at = find(id);
    if (!at) return not_own_entity(id, context_.self);
    const auto name_of = [&](EntityTypeId type) {
        return context_.world().types[static_cast<std::size_t>(type)].name;
    };
    if (const auto checked = check(state); !checked) return checked.error();
    if (primaries_[*at].type() != state.type)
        return Error{"an entity must keep the type it was published with: entity " +
                     std::to_string(id.number) + " is a '" + name_of(primaries_[*at].type()) + "', not a '" +
                     name_of(state.type) + "'"};
    primaries_[*at].set(state, context_.session_time(now));
    return {};
}

Result<void> Primaries::withdraw(const EntityId& id) {
    const auto at = find(id);
    if (!at) return not_own_entity(id, context_.self);
    std::array<std::uint8_t, 16> bytes{};
    BitWriter out{bytes};
    write_varint(out, id.number);
    const std::size_t bits = out.bit_count();
    out.finish();
    for (const LinkNumber link : context_.links.up_links()) {
        held_[link].baselines.forget(id.number);
        held_[link].outbox.clear();  // indices shift; the next frame chooses again
        context_.out.send_bits(link, MessageKind::withdraw, bytes, bits,
                               {Delivery::reliable, Purpose::reliable, false, id.number});
    }
    primaries_.erase(primaries_.begin() + static_cast<std::ptrdiff_t>(*at));
    return {};
}

std::optional<std::size_t> Primaries::find(const EntityId& id) const {
    const Primary* primary = id.owner == context_.self ? find_number(id.number) : nullptr;
    if (primary == nullptr) return std::nullopt;
    return static_cast<std::size_t>(primary - primaries_.data());
}

const Primary* Primaries::find_number(std::uint32_t number) const {
    const auto place = std::ranges::lower_bound(primaries_, number, {}, &Primary::number);
    return place != primaries_.end() && place->number() == number ? &*place : nullptr;
}

const State* Primaries::own_state(std::uint32_t number) const {
    const Primary* primary = find_number(number);
    return primary == nullptr ? nullptr : &primary->state();
}

SessionInstant Primaries::own_set_at(std::uint32_t number) const {
    const Primary* primary = find_number(number);
    return primary == nullptr ? SessionInstant{} : primary->set_at();
}

std::optional<State> Primaries::own_state_at(std::uint32_t number, SessionInstant moment) const {
    const Primary* primary = find_number(number);
    if (primary == nullptr) return std::nullopt;
    State state = primary->state();
    state.pose = primary->pose_at(moment, context_.world(), context_.codec);
    return state;
}

// --- once per frame ---

void Primaries::list_news(std::vector<News>& news) const {
    for (std::size_t i = 0; i < primaries_.size(); ++i) {
        const Primary& p = primaries_[i];
        if (p.frame() == kNoFrame) continue;
        const std::size_t bytes = std::min<std::size_t>(p.last_bits() / 8 + kUpdateCost, 0xFFFF);
        news.push_back(
            {static_cast<std::uint16_t>(i), p.state().pose.position, static_cast<std::uint16_t>(bytes)});
    }
}

Primaries::Need Primaries::need(Instant now, LinkNumber link, std::size_t i) const {
    const Primary& primary = primaries_[i];
    const Held* held = held_.find(link);
    const BaselineTracker::Track* track = held == nullptr ? nullptr : held->baselines.find(primary.number());
    if (track == nullptr) return Need::first;
    if (track->settled == primary.frame()) return Need::none;
    const Duration tick = context_.world().tick;
    if (track->acked == primary.frame()) {
        const bool refresh = relayed_ && now - track->sent_at >= tick * kRefreshFrames;
        return refresh ? Need::update : Need::none;
    }
    const bool is_new = track->sent != primary.frame();
    if (is_new && track->arrived) return Need::update;
    // The other side delays acknowledgements, to send them along with other messages.
    const bool lost = now - track->sent_at >= context_.links.patience(link) + tick * kAckDelayFrames;
    if (lost && !track->arrived) return Need::first;
    return is_new || lost ? Need::update : Need::none;
}

bool Primaries::is_told(LinkNumber link, std::size_t i) const {
    const Held* held = held_.find(link);
    const BaselineTracker::Track* told =
        held == nullptr ? nullptr : held->baselines.find(primaries_[i].number());
    return told != nullptr && (told->arrived || told->settled != kNoFrame);
}

void Primaries::refresh_stamp(Instant now, Primary& primary) {
    if (primary.frame() == frame_) return;  // its stamp is of this frame
    // A relayed state must not be too old when it is forwarded. Only a stationary entity can be restamped:
    // the state of a moving one is true for its own stamp only.
    const auto type = static_cast<std::size_t>(primary.type());
    const bool moves = !primary.stands_still() || context_.world().types[type].advance != nullptr;
    const Duration old = relayed_ && !moves ? most_relay_age(context_.world().tick) / 2 : kOldStamp;
    const SessionInstant present = context_.session_time(now);
    if (present - primary.stamp() > old) primary.refresh(frame_, present);
}

void Primaries::choose(Instant now, LinkNumber link, std::size_t i) {
    refresh_stamp(now, primaries_[i]);
    std::vector<std::uint16_t>& outbox = held_[link].outbox;
    const auto index = static_cast<std::uint16_t>(i);
    if (!held_[link].also || std::ranges::find(outbox, index) == outbox.end()) outbox.push_back(index);
}

void Primaries::choose_also(Instant now, LinkNumber link, std::size_t i) {
    const std::vector<std::uint16_t>& chosen = held_[link].outbox;
    if (primaries_[i].frame() == kNoFrame) return;
    held_[link].also = primaries_[i].number();
    if (std::ranges::find(chosen, static_cast<std::uint16_t>(i)) == chosen.end()) choose(now, link, i);
}

void Primaries::offer(LinkNumber link, std::size_t i) {
    Held& held = held_[link];
    if (!held.offered) held.offered = primaries_[i].number();
}

void Primaries::clear_choices() {
    for (Held& held : held_) {
        held.outbox.clear();
        held.offered.reset();
        const auto also = held.also ? find(EntityId{context_.self, *held.also}) : std::nullopt;
        if (also) held.outbox.push_back(static_cast<std::uint16_t>(*also));
    }
}

std::optional<std::uint16_t> Primaries::first_choice(LinkNumber link) const {
    if (!has_messages(link)) return std::nullopt;
    return held_.find(link)->outbox.front();
}

// --- life-cycle ---

void Primaries::handle_link_up(Instant now, const LinkUp& link) {
    // The other side holds none of our entities yet: send all of them at once.
    for (std::size_t i = 0; i < primaries_.size(); ++i) {
        if (primaries_[i].frame() != kNoFrame) choose(now, link.link, i);
    }
    context_.out.wake(link.link);
}

void Primaries::handle_clock_set(Instant now) {
    for (Primary& primary : primaries_) primary.restamp(context_.session_time(now));
    for (Held& held : held_) held.baselines.clear();
}

std::size_t Primaries::memory_bytes() const {
    std::size_t sum = sizeof(*this) + held_.heap_bytes() + carried_.capacity() * sizeof(std::uint16_t) +
                      canonical_.capacity();
    for (const Primary& primary : primaries_) sum += primary.memory_bytes();
    for (const Held& held : held_)
        sum += held.baselines.heap_bytes() + held.outbox.capacity() * sizeof(std::uint16_t);
    return sum;
}

// --- datagrams out ---

void Primaries::write_messages(Instant now, LinkNumber link, std::uint16_t sequence, BitWriter& out) {
    carried_.clear();
    Held& held = held_[link];
    const bool is_alone = held.outbox.empty();
    const auto offered =
        is_alone && held.offered ? find(EntityId{context_.self, *held.offered}) : std::nullopt;
    if (offered) held.outbox.push_back(static_cast<std::uint16_t>(*offered));
    std::optional<std::uint32_t> open_stamp;
    for (const std::uint16_t index : held.outbox) {
        Primary& primary = primaries_[index];
        const std::uint32_t stamp = stamp_of(primary.stamp());
        const std::size_t mark = out.bit_count();
        if (open_stamp != stamp) {
            if (open_stamp) out.boolean(false);  // ends the message with the former stamp
            out.bits(static_cast<std::uint64_t>(MessageKind::state) | stamp << kMessageKindBits,
                     kMessageKindBits + kStampBits);
        }
        if (!write_update(primary, held.baselines.find(primary.number()), sequence, out)) {
            if (carried_.empty() && !is_alone)
                send_in_pieces(now, link, primary);  // it does not fit even alone
            out.rewind(mark);
            break;
        }
        open_stamp = stamp;
        carried_.push_back(index);
    }
    if (open_stamp) out.boolean(false);
    if (is_alone && carried_.empty()) held.outbox.clear();  // it needs no datagram of its own
}

bool Primaries::write_update(Primary& primary, const BaselineTracker::Track* track, std::uint16_t sequence,
                             BitWriter& out) {
    std::optional<Frame> baseline;
    std::uint16_t back = 0;
    if (track != nullptr && track->acked != kNoFrame) {
        back = static_cast<std::uint16_t>(sequence - track->acked_sequence);
        if (back >= 1 && back <= kMostBack) baseline = track->acked;
    }
    const EncodedBody body = primary.encode(context_.world(), context_.codec, baseline);
    if (body.bits + kUpdateOverhead > out.bits_left()) return false;
    out.boolean(true);
    write_varint(out, primary.number());
    out.bits(body.whole ? 0 : back, kBackBits);
    out.copy(body.bytes, body.bits);
    return true;
}

void Primaries::send_in_pieces(Instant now, LinkNumber link, Primary& primary) {
    // Too long for one datagram: the whole state is sent in fragments. It is no baseline, since no single
    // datagram carried it. Fragments are not acknowledged, so a state that stays unchanged is sent a second
    // time, reliably.
    const EncodedBody body = primary.encode(context_.world(), context_.codec, std::nullopt);
    Held& held = held_[link];
    BaselineTracker::Track& track = held.baselines.track(primary.number());
    const bool again = track.sent == primary.frame();
    std::vector<std::uint8_t> bytes((body.bits + kUpdateOverhead) / 8 + 1);
    BitWriter out{bytes};
    out.bits(stamp_of(primary.stamp()), kStampBits);
    out.boolean(true);
    write_varint(out, primary.number());
    out.bits(0, kBackBits);
    out.copy(body.bytes, body.bits);
    out.boolean(false);
    const std::size_t bits = out.bit_count();
    out.finish();
    const Delivery delivery = again ? Delivery::reliable : Delivery::unreliable;
    const bool queued =
        context_.out.send_bits(link, MessageKind::state, bytes, bits, {delivery, Purpose::state});
    if (again && queued) track.settled = primary.frame();
    std::erase(held.outbox, static_cast<std::uint16_t>(&primary - primaries_.data()));
    track.sent = primary.frame();
    track.sent_at = now;
    track.acked = kNoFrame;
    ++updates_sent_;
}

bool Primaries::handle_sent(Instant now, LinkNumber link) {
    Held& held = held_[link];
    held.baselines.datagram_sent();
    for (const std::uint16_t index : carried_) {
        held.baselines.mark_carried(now, primaries_[index].number(), primaries_[index].frame());
        if (held.offered == primaries_[index].number()) riders_.push_back({link, index});
    }
    if (!carried_.empty()) held.offered.reset();
    updates_sent_ += carried_.size();
    held.also.reset();
    held.outbox.erase(held.outbox.begin(),
                      held.outbox.begin() + static_cast<std::ptrdiff_t>(carried_.size()));
    return !held.outbox.empty();
}

HeardState Primaries::carried_at(std::size_t i) const { return primaries_[carried_[i]].told(context_.codec); }

void Primaries::handle_delivered(LinkNumber link, std::uint32_t frame, std::uint16_t sequence, unsigned age) {
    Held* held = held_.find(link);
    if (held == nullptr) return;
    for (BaselineTracker::Track& track : held->baselines.all()) {
        if ((track.carried >> age & 1U) == 0) continue;
        track.arrived = true;
        const Primary* primary = find_number(track.number);
        const auto state = primary == nullptr ? std::nullopt : primary->state_frame(frame);
        if (!state || (track.acked != kNoFrame && *state < track.acked)) continue;
        if (track.acked == *state && static_cast<std::int16_t>(sequence - track.acked_sequence) < 0) continue;
        track.acked = *state;
        track.acked_sequence = sequence;
    }
}

}  // namespace fray
