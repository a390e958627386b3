#include "overlay/crowd.hpp"

#include "core/space.hpp"
#include "wire/limits.hpp"

#include <algorithm>
#include <utility>

namespace fray {

namespace {

constexpr Duration kIdle{2s};            // a link without a duty is dropped after this
constexpr Duration kIdleOfMany{1s};      // ... if there is little room
constexpr Duration kPartAfter{200ms};    // from the message that says so
constexpr Duration kStreamAck{1s};       // of a peer that sends us every update: in time for its deltas
constexpr Duration kLateAck{2200ms};     // something leaves on every link before
constexpr Duration kWantInterval{2s};    // ... and is repeated this often
constexpr Duration kOverdue{400ms};      // what was wanted did not come: the message was lost
constexpr Duration kFanOutInterval{8s};  // the number of relays alone
constexpr Duration kRetry{500ms};        // first pause between two calls of a silent peer; doubles ...
constexpr unsigned kMostDoublings = 3;   // ... as often as this
constexpr Duration kLostCallInterval{2s};
constexpr std::size_t kMaxLost = 32;
constexpr std::size_t kMostUpload = 1U << 20U;  // bytes in a frame that count
constexpr std::size_t kWeightKbps = 64;
constexpr Duration kSilentPeer{5s};          // a peer that is silent for so long does not delay a join
constexpr std::size_t kMessageBytes = 2600;  // buffer
constexpr Duration kFormsFor{6s};

/// Contacts that nobody has answered for yet are called a few at a time.
bool may_call(CrowdRoster& roster, Instant now, const KnownPeer& peer) {
    if (peer.is_confirmed) return true;
    std::size_t unheard = 0;
    std::size_t of_one = 0;
    for (const KnownPeer& other : roster.all()) {
        if (other.is_confirmed || other.called_until <= now) continue;
        ++unheard;
        of_one += other.introducer == peer.introducer ? 1 : 0;
    }
    return unheard < kMaxUnheardCalls && of_one < kMaxUnheardCallsOfOne;
}

}  // namespace

CrowdOverlay::CrowdOverlay(const Crowd& options, const World& world, PeerId self, Seed seed)
    : Overlay{true},
      options_{options},
      world_{world},
      self_{self},
      name_{name_of(self)},
      sight_{std::max(length(world.high - world.low) / 2, world.position_precision)},
      choice_{seed, "crowd"},
      roster_{name_, options.most_peers},
      sources_{name_},
      gossip_{roster_, name_, seed} {}

// --- links ---

void CrowdOverlay::handle_link_up(Instant now, const LinkUp& up) {
    if (up_.empty()) times_.joined = now;
    wants_more_ = true;  // most links come up because something is wanted
    up_.push_back(up.link);
    Linked& linked = linked_[up.link];
    linked = {};
    linked.contact = up.contact;
    linked.name = name_of(up.contact.id);
    linked.since = linked.needed = linked.heard = now;
    linked.is_up = true;
    std::erase_if(lost_.contacts, [&](const Contact& c) { return c.address == up.contact.address; });
    const std::size_t before = roster_.all().size();
    if (KnownPeer* peer = roster_.add(now, up.contact.id, up.contact.address, kNoLink)) {
        peer->link = up.link;
        peer->address = up.contact.address;
        peer->heard = now;
        peer->is_confirmed = peer->was_linked = true;
        peer->calls = 0;
    }
    if (roster_.all().size() != before) gossip_.unsettle(now);
    gossip_.handle_link_up(now, up.link, linked.name, up.newcomer);
}

void CrowdOverlay::handle_link_down(Instant now, const LinkDown& down) {
    std::erase(up_, down.link);
    const std::uint32_t name = name_of(down.contact.id);
    roster_.forget_introducer(down.link);
    if (KnownPeer* peer = roster_.find(name); peer != nullptr && peer->link == down.link) {
        peer->link = kNoLink;
        peer->next_call = now + kRetry;
        if (!stays_known(down)) {
            roster_.remove(name);
            gossip_.handle_left(name);
        }
    }
    if (up_.empty()) gossip_.handle_alone();
}

void CrowdOverlay::forget_link(LinkNumber link) {
    if (is_acquaintance(link)) return;
    linked_.erase(link);
    gossip_.forget_link(link);
}

bool CrowdOverlay::stays_known(const LinkDown& down) const {
    if (down.reason == Reason::left || down.reason == Reason::rejoined) return false;
    return std::ranges::any_of(roster_.all(), [&](const KnownPeer& p) { return p.id == down.contact.id; });
}

void CrowdOverlay::handle_alive(Instant now, LinkNumber link) {
    if (Linked* linked = linked_.find(link)) linked->heard = now;
}

void CrowdOverlay::handle_sighting(Instant now, LinkNumber link, const Sighting& sighting) {
    Linked* linked = linked_.find(link);
    if (linked == nullptr) return;
    linked->position = sighting.position;
    linked->fresh = now;
    if (std::ranges::find(carried_, linked->name) != carried_.end()) passing_.push_back(linked->name);
}

std::optional<Duration> CrowdOverlay::late_ack_delay(LinkNumber link) const {
    const Linked* linked = linked_.find(link);
    if (linked == nullptr) return std::nullopt;
    const KnownPeer* peer = roster_.find(linked->name);
    const bool gets_every_update = peer != nullptr && peer->wanted_until > now_;
    return gets_every_update || !linked->wants_streams.empty() ? kStreamAck : kLateAck;
}

// --- messages ---

Receipt CrowdOverlay::handle_message(const Arrival& arrival, MessageKind, BitReader& in) {
    if (!read(in, message_)) return malformed();
    Linked* from = linked_.find(arrival.link);
    if (from == nullptr || !from->is_up) return taken_unacknowledged();
    if (KnownPeer* peer = roster_.find(from->name)) {
        peer->weight = message_.weight;
        peer->fan_out = message_.fan_out;
    }
    using enum CrowdMessage::Kind;
    if (message_.kind == want) {
        take_want(arrival.now, *from);
    } else if (message_.kind == refusal) {
        if (message_.row) sources_.handle_refusal(arrival.now, roster_, from->name);
        if (!message_.streams.empty()) streams_.handle_refusal(arrival.now, roster_, from->name);
    } else if (message_.kind == parting) {
        from->parts_at = arrival.now;
    } else {
        gossip_.handle_message(arrival.now, arrival.link, message_);
    }
    return taken_unacknowledged();
}

std::size_t CrowdOverlay::send(LinkNumber link, CrowdMessage& body, OverlayActions& actions) const {
    OverlayActions::Message& message = actions.messages.add();
    message.link = link;
    message.this_frame_only = false;
    message.bytes.resize(kMessageBytes);
    body.weight = upload_.weight;
    body.fan_out = upload_.fan_out;
    BitWriter out{message.bytes};
    write(out, body);
    message.bytes.resize(out.finish().size());
    return message.bytes.size();
}

bool CrowdOverlay::knows_all(Instant now) {
    if (!gossip_.heard_all()) return false;
    const auto own_row = roster_.row(roster_.row_of(name_));
    return std::ranges::none_of(own_row, [&](const KnownPeer& p) {
        return p.link == kNoLink && now - p.heard < kSilentPeer && p.calls < 2;
    });
}

// --- attention ---

void CrowdOverlay::want(Instant now, const PeerId& peer) {
    KnownPeer* known = roster_.find(name_of(peer));
    if (known == nullptr) return;
    wants_more_ = wants_more_ || !CrowdStreams::is_watched(now, *known);
    known->wanted_until = now + kHolds;
}

// --- once per frame ---

void CrowdOverlay::round(Instant now, const std::optional<Vec3>&, std::size_t bytes,
                         OverlayActions& actions) {
    now_ = now;
    ++upload_.frame;
    upload_.frame_bytes = std::min(bytes, kMostUpload);
    const std::size_t kbps = upload_.frame_bytes * 8000 / static_cast<std::size_t>(micros(world_.tick));
    upload_.weight = static_cast<std::uint8_t>(std::clamp<std::size_t>(kbps / kWeightKbps, 1, kMostWeight));
    if (now >= times_.next_tend) {
        tend(now, actions);
        times_.next_tend = now + kTendInterval;
    }
    const auto send_it = [&](LinkNumber link, CrowdMessage& m) { return send(link, m, actions); };
    gossip_.answer(now, up_, upload_.frame_bytes / 4, send_it);
    set_complete(knows_all(now));
}

void CrowdOverlay::tend(Instant now, OverlayActions& actions) {
    for (const LinkNumber link : up_) {
        if (KnownPeer* peer = roster_.find(linked_[link].name)) peer->heard = linked_[link].heard;
    }
    roster_.expire(now, actions.forgotten, lost_.contacts);
    if (lost_.contacts.size() > kMaxLost)
        lost_.contacts.erase(lost_.contacts.begin(), lost_.contacts.end() - kMaxLost);
    roster_.choose_rows();
    // While a newcomer learns of many peers at once, rows split: relays chosen now would soon be wrong.
    if (!gossip_.is_learning(now) || now - times_.joined > kFormsFor) sources_.choose(now, roster_);
    plan_upload(now);
    streams_.choose(now, roster_, {name_, upload_.weight}, list_carried());
    call_needed(now, actions);
    send_wants(now, actions);
    gossip_.ask(now, up_, {world_.tick, upload_.frame_bytes},
                [&](LinkNumber link, CrowdMessage& m) { return send(link, m, actions); });
    part_idle(now, actions);
}

bool CrowdOverlay::is_needed(const KnownPeer& peer) const {
    if (roster_.in_own_row(peer.name) || sources_.has(roster_, peer.name)) return true;
    // The updates of a peer that fans out come through a relay.
    return (peer.wanted_until > now_ && peer.fan_out == 0) || streams_.has_relay(peer.name);
}

void CrowdOverlay::call_needed(Instant now, OverlayActions& actions) {
    for (KnownPeer& peer : roster_.all()) {
        if (!peer.told) actions.acquaintances.push_back(peer.id);
        peer.told = true;
        if (peer.link != kNoLink || now < peer.next_call || !is_needed(peer) || !may_call(roster_, now, peer))
            continue;
        actions.calls.push_back({peer.id, {}, peer.address});
        peer.called_until = now + kHandshakePatience;
        peer.next_call =
            now + kHandshakePatience + kRetry * (1U << std::min<unsigned>(peer.calls, kMostDoublings));
        if (peer.calls < kMaxUnconfirmedCalls) ++peer.calls;
    }
    if (lost_.contacts.empty() || now < lost_.next_call) return;
    actions.calls.push_back(
        {{}, {}, lost_.contacts[choice_.below(static_cast<std::uint32_t>(lost_.contacts.size()))].address});
    lost_.next_call = now + kLostCallInterval;
}

// --- duties of links ---

bool CrowdOverlay::has_duty(const Linked& linked) const {
    if (linked.gets_row(now_) || linked.is_fed(now_) || !linked.streams.empty()) return true;
    const KnownPeer* peer = roster_.find(linked.name);
    return peer != nullptr && is_needed(*peer);
}

void CrowdOverlay::part_idle(Instant now, OverlayActions& actions) {
    const Duration idle = room() < options_.most_links / 2U ? kIdleOfMany : kIdle;
    for (const LinkNumber link : up_) {
        Linked& linked = linked_[link];
        if (now >= linked.parts_at) actions.hang_ups.push_back(link);
        if (has_duty(linked)) linked.needed = now;
        if (linked.parts_at != Instant::max() || now - linked.needed < idle) continue;
        message_.kind = CrowdMessage::Kind::parting;
        send(link, message_, actions);
        linked.parts_at = now + kPartAfter;
    }
}

bool CrowdOverlay::Linked::lacks_wanted(Instant now) const {
    const bool is_silent = now - fresh > kOverdue;
    return is_silent && std::ranges::binary_search(wants_streams, name);
}

void CrowdOverlay::send_wants(Instant now, OverlayActions& actions) {
    for (const LinkNumber link : up_) {
        Linked& linked = linked_[link];
        if (linked.refuses_row || !linked.refused_streams.empty()) {
            message_.kind = CrowdMessage::Kind::refusal;
            message_.row = std::exchange(linked.refuses_row, false);
            message_.streams.clear();
            message_.streams.swap(linked.refused_streams);
            send(link, message_, actions);
        }
        message_.kind = CrowdMessage::Kind::want;
        message_.row = sources_.has(roster_, linked.name);
        message_.refusals = sources_.refusals(roster_, linked.name);
        streams_.list_wants(now, roster_, linked.name, message_.streams);
        const bool changed = message_.row != linked.wants_row || message_.streams != linked.wants_streams ||
                             linked.told_fan_out != upload_.fan_out;
        const bool is_overdue = now - linked.wants_told > kOverdue && linked.lacks_wanted(now);
        const bool lasts = message_.row || !message_.streams.empty() || upload_.fan_out != 0;
        const Duration pause = message_.row || !message_.streams.empty() ? kWantInterval : kFanOutInterval;
        if (!changed && !is_overdue && (!lasts || now - linked.wants_told < pause)) continue;
        linked.wants_row = message_.row;
        linked.wants_streams = message_.streams;
        linked.told_fan_out = upload_.fan_out;
        linked.wants_told = now;
        send(link, message_, actions);
    }
}

// --- life-cycle ---

void CrowdOverlay::reset() {
    up_.clear();
    linked_.clear();
    roster_.clear();
    sources_.clear();
    streams_.clear();
    carried_.clear();
    passing_.clear();
    upload_ = {};
    lost_ = {};
    gossip_.reset();
    times_.joined = {};
    set_complete(false);
    now_ = times_.next_tend = Instant::min();
}

std::size_t CrowdOverlay::memory_bytes() const {
    std::size_t sum = sizeof(*this) + roster_.heap_bytes() + sources_.heap_bytes() + streams_.heap_bytes() +
                      gossip_.heap_bytes() + linked_.heap_bytes() + up_.capacity() * sizeof(LinkNumber) +
                      lost_.contacts.capacity() * sizeof(Contact) +
                      message_.introductions.capacity() * sizeof(CrowdIntroduction);
    for (const auto* names : {&message_.names, &message_.streams, &carried_, &passing_})
        sum += names->capacity() * sizeof(std::uint32_t);
    for (const Linked& linked : linked_) {
        sum += linked.streams.capacity() * sizeof(Stream) +
               (linked.wants_streams.capacity() + linked.refused_streams.capacity()) * sizeof(std::uint32_t);
    }
    return sum;
}

}  // namespace fray
