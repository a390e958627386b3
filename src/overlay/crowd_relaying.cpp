// What a crowd overlay sends: its own states, bundles of its row, and the updates of peers that feed it as a
// relay.

#include "core/space.hpp"
#include "overlay/crowd.hpp"
#include "wire/limits.hpp"

#include <algorithm>
#include <bit>

namespace fray {

namespace {

constexpr Duration kDirect{2s};            // a peer that was silent for so long is known by its relay again
constexpr Duration kPresent{2500ms};       // a silent peer is not mentioned after this
constexpr std::int64_t kMentionTurns = 4;  // a member without news is mentioned in every fourth bundle
constexpr Duration kFanOutHolds{10s};      // since more peers were fed than the upload serves
constexpr std::size_t kServePercent = 80;  // of the upload serves those that watch us, or ...
constexpr std::size_t kSkew = 3;           // so many times as many are too many: before, the policy chooses
constexpr std::size_t kFeedPercent = 50;   // ... feeds relays
constexpr std::size_t kOwnBytes = 76;      // of one datagram with our state, headers included
constexpr std::size_t kHeaderBytes = 60;   // of a datagram without it
constexpr std::uint16_t kLargestBundle = 0xF000;
constexpr Duration kWantHolds{5s};
constexpr std::size_t kMostPercent = 85;     // of the upload is for all duties together
constexpr std::size_t kMostFedPercent = 50;  // of the upload: if those that watch us need more, ...
constexpr std::size_t kMostStretch =
    300;  // percent of the interval of bundles, if all relays have too much to do
constexpr std::size_t kShedPercent = 110;   // of what we would accept: then receivers are refused
constexpr std::size_t kTypicalBundle = 4;   // members from which on a bundle tells what one takes
constexpr double kNewestBundle = 1.0 / 32;  // in that average
constexpr std::size_t kStreamBytes = 92;    // of one update of a stream

std::size_t frames_of(Duration interval, Duration tick) {
    return static_cast<std::size_t>(std::max<std::int64_t>(1, interval / tick));
}

/// That one receiver of a stream takes in a frame; 0: we are no relay of this origin.
std::size_t bytes_of_stream(CrowdRoster& roster, const CrowdFanOut::Self& self, std::uint32_t origin) {
    const KnownPeer* peer = roster.find(origin);
    if (peer == nullptr || peer->link == kNoLink) return 0;
    const unsigned stripes = CrowdFanOut{roster, self, origin, peer->fan_out}.stripes(self.name);
    return kStreamBytes * static_cast<std::size_t>(std::popcount(stripes)) / kStripes;
}

/// Ascending. What finds no room is asked for again.
void insert_origin(std::vector<std::uint32_t>& origins, std::uint32_t origin) {
    const auto place = std::ranges::lower_bound(origins, origin);
    if (origins.size() < kMaxStreams && (place == origins.end() || *place != origin))
        origins.insert(place, origin);
}

OverlayActions::Bundle& add_bundle(LinkNumber to, OverlayActions& actions) {
    OverlayActions::Bundle& bundle = actions.bundles.add();
    bundle.to = to;
    bundle.members.clear();
    return bundle;
}

/// Bytes of bundles in an interval, for a receiver that so many others have refused.
std::size_t may_take(std::uint8_t fan_out, std::size_t spare, std::uint8_t refusals) {
    return fan_out == 0 ? spare * (1 + std::size_t{refusals}) / 2 : 0;
}

}  // namespace

/// If it feeds more peers than the upload serves, it feeds as many relays as it can.
void CrowdOverlay::plan_upload(Instant now) {
    const auto fed_by = [this](std::size_t percent) {
        return std::max<std::size_t>(1, upload_.frame_bytes * percent / 100 / kOwnBytes);
    };
    const std::size_t most = fed_by(kServePercent);
    const bool was = upload_.fan_out != 0;
    const std::size_t fed = count([this](const Linked& l) { return l.is_fed(now_); });
    if (fed > (was ? most : most * kSkew)) upload_.fan_out_until = now + kFanOutHolds;
    const auto relays = static_cast<std::uint8_t>(std::min<std::size_t>(fed_by(kFeedPercent), kMaxFanOut));
    upload_.fan_out = now < upload_.fan_out_until ? relays : std::uint8_t{0};
    const CrowdFanOut relays_of_ours{roster_, {name_, upload_.weight}, name_, upload_.fan_out};
    for (const LinkNumber link : up_) linked_[link].stripes = relays_of_ours.stripes(linked_[link].name);
    plan_bundles();
}

/// If it does not suffice for all bundles in time, one receiver after the other is sent to another relay. If
/// these have as much to do, all bundles come more rarely.
void CrowdOverlay::plan_bundles() {
    const std::size_t spare = spare_bytes();
    const std::size_t receivers = count([this](const Linked& l) { return l.gets_row(now_); });
    const auto is_too_much = [&](LinkNumber link) {
        const Linked& linked = linked_[link];
        const std::size_t most = std::max(spare, may_take(upload_.fan_out, spare, linked.refusals));
        return linked.gets_row(now_) && receivers * row_bytes() * 100 > most * kShedPercent;
    };
    if (const auto victim = std::ranges::find_if(up_, is_too_much); victim != up_.end()) {
        linked_[*victim].refuses_row = true;
        linked_[*victim].subscribed_until = Instant::min();
    }
    const std::size_t percent = receivers * row_bytes() * 100 / std::max<std::size_t>(1, spare);
    upload_.bundle_interval = options_.interval *
                              static_cast<std::int64_t>(std::clamp<std::size_t>(percent, 100, kMostStretch)) /
                              100;
}

std::size_t CrowdOverlay::count(const std::function<bool(const Linked&)>& is_counted) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(up_, [&](LinkNumber link) { return is_counted(*linked_.find(link)); }));
}

/// Of a bundle of our row.
std::size_t CrowdOverlay::row_bytes() {
    return static_cast<std::size_t>(static_cast<double>(row_size()) * upload_.member_bytes) + kHeaderBytes;
}

/// In an interval of bundles, what our own states and the streams leave of the upload.
std::size_t CrowdOverlay::spare_bytes() {
    const std::size_t frames = frames_of(options_.interval, world_.tick);
    const std::size_t all = frames * upload_.frame_bytes;
    const std::size_t all_fed = count([this](const Linked& l) { return l.is_fed(now_); });
    const std::size_t fed = std::min(frames * all_fed * kOwnBytes, all * kMostFedPercent / 100);
    const std::size_t own = row_size() * kOwnBytes + fed + frames * stream_bytes();
    return all * kMostPercent / 100 - std::min(all * kMostPercent / 100, own);
}

std::span<const std::uint32_t> CrowdOverlay::list_carried() {
    carried_.clear();
    for (const LinkNumber link : up_) {
        Linked& linked = linked_[link];
        std::erase_if(linked.streams, [this](const Stream& s) { return s.until <= now_; });
        for (const Stream& stream : linked.streams) carried_.push_back(stream.origin);
    }
    std::ranges::sort(carried_);
    carried_.erase(std::ranges::unique(carried_).begin(), carried_.end());
    if (carried_.size() > kMaxStreams) carried_.resize(kMaxStreams);
    return carried_;
}

// --- wants ---

void CrowdOverlay::take_want(Instant now, Linked& from) {
    const Instant until = now + kWantHolds;
    if (!std::ranges::binary_search(message_.streams, name_)) from.feeds_until = Instant::min();
    from.refusals = message_.refusals;
    const std::size_t receivers = count([this](const Linked& l) { return l.gets_row(now_); });
    const bool can_relay = from.gets_row(now_) || (receivers + 1) * row_bytes() <=
                                                      may_take(upload_.fan_out, spare_bytes(), from.refusals);
    from.subscribed_until = message_.row && can_relay ? until : Instant::min();
    from.refuses_row = message_.row && !can_relay;
    const auto is_wanted = [&](const Stream& s) {
        return std::ranges::binary_search(message_.streams, s.origin);
    };
    std::erase_if(from.streams, [&](const Stream& s) { return !is_wanted(s); });
    for (const std::uint32_t origin : message_.streams) {
        const auto known = std::ranges::find(from.streams, origin, &Stream::origin);
        if (origin == name_ && (upload_.fan_out == 0 || from.stripes != 0))
            from.feeds_until = until;
        else if (known != from.streams.end())
            known->until = until;
        else if (const auto bytes = bytes_of_stream(roster_, {name_, upload_.weight}, origin);
                 bytes != 0 && stream_bytes() + bytes <= upload_.frame_bytes * kMostPercent / 100)
            from.streams.push_back({origin, until, bytes});
        else
            insert_origin(from.refused_streams, origin);
    }
}

/// That the streams take in a frame.
std::size_t CrowdOverlay::stream_bytes() const {
    std::size_t sum = 0;
    for (const LinkNumber link : up_) {
        for (const Stream& stream : linked_.find(link)->streams) sum += stream.bytes;
    }
    return sum;
}

// --- updates ---

std::int64_t CrowdOverlay::Linked::turn(Instant now, Duration period) const {
    const std::int64_t phase = name % static_cast<std::uint64_t>(micros(period));
    return (micros(now.time_since_epoch()) + phase) / micros(period);
}

void CrowdOverlay::candidates(std::span<const News> news, std::vector<Candidate>& out) {
    const auto size =
        static_cast<std::uint16_t>(std::min<std::size_t>(row_bytes() - kHeaderBytes, kLargestBundle));
    for (const LinkNumber link : up_) {
        const Linked& linked = linked_[link];
        if (linked.parts_at != Instant::max()) continue;
        const bool gets_frame =
            upload_.fan_out == 0 || (linked.stripes >> upload_.frame % kStripes & 1U) != 0;
        // Once per interval. A new link gets it once, whatever its duty.
        const bool gets_state = linked.served < 0 || roster_.in_own_row(linked.name) || linked.gets_row(now_);
        // A message leaves to those that we want something of: our state goes along.
        const bool is_due = (linked.is_fed(now_) && gets_frame) || linked.wants_told == now_ ||
                            (gets_state && linked.turn(now_, options_.interval) != linked.served);
        for (const News& n : news) {
            if (!is_due) break;
            out.push_back({.link = link,
                           .primary = n.primary,
                           .distance = linked.position
                                           ? length(way(world_, n.position, *linked.position)) / sight_
                                           : kDistanceUnknown,
                           .bytes = n.bytes});
        }
        if (!linked.gets_row(now_) || linked.turn(now_, upload_.bundle_interval) == linked.bundled_turn)
            continue;
        const auto number = static_cast<std::uint16_t>(kForwards + link);
        out.push_back({.link = link, .primary = number, .bytes = size, .update = number});
    }
}

void CrowdOverlay::dispatch(Instant now, std::span<const Candidate> chosen, OverlayActions& actions) {
    if (std::exchange(wants_more_, false)) send_wants(now, actions);
    for (const Candidate& c : chosen) {
        if (c.primary >= kForwards)
            bundle_row(c.link, actions);
        else
            linked_[c.link].served = linked_[c.link].turn(now_, options_.interval);
    }
}

void CrowdOverlay::pass_on(Instant, OverlayActions& actions) {
    for (const std::uint32_t origin : passing_) {
        for (const LinkNumber to : up_) {
            const Linked& receiver = linked_[to];
            if (std::ranges::find(receiver.streams, origin, &Stream::origin) != receiver.streams.end())
                add_member(add_bundle(to, actions), origin, receiver, true);
        }
    }
    passing_.clear();
}

void CrowdOverlay::handle_bundle_queued(std::size_t members, std::size_t bytes) {
    if (members < kTypicalBundle) return;
    const double sample = static_cast<double>(bytes) / static_cast<double>(members);
    upload_.member_bytes += (sample - upload_.member_bytes) * kNewestBundle;
}

void CrowdOverlay::add_member(OverlayActions::Bundle& bundle, std::uint32_t member, const Linked& receiver,
                              bool has_news) {
    const KnownPeer* peer = roster_.find(member);
    if (peer == nullptr || peer->link == kNoLink) return;
    const auto salt = static_cast<std::uint8_t>(receiver.bundled_turn);
    bundle.members.push_back({.link = peer->link,
                              .peer = {.name = static_cast<std::uint16_t>(list_name(member, salt)),
                                       .salt = salt,
                                       .fan_out = peer->fan_out},
                              .has_news = has_news});
}

void CrowdOverlay::bundle_row(LinkNumber to, OverlayActions& actions) {
    Linked& receiver = linked_[to];
    receiver.bundled_turn = receiver.turn(now_, upload_.bundle_interval);
    OverlayActions::Bundle& bundle = add_bundle(to, actions);
    for (const LinkNumber link : up_) {
        const Linked& member = linked_[link];
        if (link == to || !roster_.in_own_row(member.name) || now_ - member.heard > kPresent) continue;
        const bool has_news = member.fresh >= receiver.bundled;
        if (has_news || (receiver.bundled_turn + member.name) % kMentionTurns == 0)
            add_member(bundle, member.name, receiver, has_news);
    }
    receiver.bundled = now_;
}

std::optional<PeerId> CrowdOverlay::handle_bundled(Instant now, LinkNumber from, const BundledPeer& bundled) {
    Linked* relay = linked_.find(from);
    if (relay == nullptr || !relay->is_up) return std::nullopt;
    sources_.handle_bundle(now, roster_, relay->name);
    if (list_name(name_, bundled.salt) == bundled.name) return std::nullopt;
    // The relay may count with half as many rows.
    const unsigned bits = std::max(1U, roster_.row_bits()) - 1;
    KnownPeer* found = nullptr;
    for (KnownPeer& peer : roster_.slice(bits, CrowdRoster::prefix(relay->name, bits))) {
        if (list_name(peer.name, bundled.salt) != bundled.name) continue;
        if (found != nullptr) return std::nullopt;  // with another salt they differ
        found = &peer;
    }
    if (found == nullptr) {
        gossip_.handle_unknown(from, bundled);
        return std::nullopt;
    }
    if (found->introducer != from) found->is_confirmed = true;
    // A peer that sends us its states itself often needs no relay.
    Linked* direct = linked_.find(found->link);
    if (direct == nullptr) {
        found->heard = now;
        found->fan_out = bundled.fan_out;
    }
    if (direct != nullptr && found->fan_out != 0) direct->fresh = now;  // for the bundles of our row
    streams_.handle_update(now, found->name, relay->name);
    const bool sends_often = roster_.in_own_row(found->name) && found->fan_out == 0;
    if (direct != nullptr && sends_often && now - direct->fresh < kDirect) return std::nullopt;
    return found->id;
}

}  // namespace fray
