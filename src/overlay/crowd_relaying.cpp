// What a crowd overlay sends: its own states, bundles of its row, and the updates of peers that feed it as a
// relay.

#include "core/space.hpp"
#include "overlay/crowd.hpp"
#include "wire/limits.hpp"

#include <algorithm>

namespace fray {

namespace {

constexpr Duration kAcquainted{2s};        // a linked peer outside of our row gets our state this often
constexpr Duration kUseless{8s};           // one without a duty, before it is dropped
constexpr Duration kPresent{2500ms};       // a silent peer is not mentioned after this
constexpr std::int64_t kMentionTurns = 4;  // a member without news is mentioned in every fourth bundle
constexpr std::size_t kMemberBytes = 18;   // of a bundle, about
constexpr Duration kFanOutHolds{10s};      // since somebody was attentive
constexpr std::size_t kFeedPercent = 80;   // of the upload feeds relays
constexpr std::size_t kFeedBytes = 64;     // of one datagram with our state, headers included
constexpr std::uint16_t kLargestBundle = 0xF000;
constexpr Duration kWantHolds{5s};
constexpr std::size_t kMostPercent = 95;  // of the upload may be spent on streams and bundles
constexpr std::size_t kMostRowPercent =
    150;  // the same for bundles: if that is too much, they come more rarely
constexpr std::size_t kBundlePercent = 60;  // of the upload is spent on bundles
constexpr std::size_t kHeaderBytes = 60;    // of a datagram, about
constexpr std::size_t kStreamBytes = 80;    // of one update of a stream

std::size_t frames_of(Duration interval, Duration tick) {
    return static_cast<std::size_t>(std::max<std::int64_t>(1, interval / tick));
}

OverlayActions::Bundle& add_bundle(LinkNumber to, OverlayActions& actions) {
    OverlayActions::Bundle& bundle = actions.bundles.add();
    bundle.to = to;
    bundle.members.clear();
    return bundle;
}

}  // namespace

/// If more peers are attentive than the upload serves, it feeds as many relays as it can.
void CrowdOverlay::plan_upload(Instant now) {
    const std::size_t most = std::max<std::size_t>(1, upload_.frame_bytes * kFeedPercent / 100 / kFeedBytes);
    const auto attentive = [&](LinkNumber link) {
        const Linked& linked = *linked_.find(link);
        return linked.attentive_until > now || linked.feeds_until > now;
    };
    const auto count = static_cast<std::size_t>(std::ranges::count_if(up_, attentive));
    const bool was = upload_.fan_out != 0;
    if (count > (was ? 0 : most)) upload_.fan_out_until = now + kFanOutHolds;
    const auto relays = static_cast<std::uint8_t>(std::min<std::size_t>(most, kMaxFanOut));
    upload_.fan_out = now < upload_.fan_out_until ? relays : std::uint8_t{0};
    if (upload_.fan_out != 0) upload_.weight = 1;
    if (upload_.fan_out != 0 && !was) refuse_rows();
    // If it does not suffice for all bundles in time, all of them come more rarely.
    const auto gets = [this](LinkNumber link) { return gets_row(*linked_.find(link)); };
    const auto bytes = static_cast<std::size_t>(std::ranges::count_if(up_, gets)) * row_bytes();
    const std::size_t enough = std::max<std::size_t>(
        1, frames_of(options_.interval, world_.tick) * upload_.frame_bytes * kBundlePercent / 100);
    const std::size_t percent = std::clamp<std::size_t>(bytes * 100 / enough, 100, 300);
    upload_.bundle_interval = options_.interval * static_cast<std::int64_t>(percent) / 100;
}

/// All of the upload is for those that watch us.
void CrowdOverlay::refuse_rows() {
    for (const LinkNumber link : up_) {
        Linked& linked = linked_[link];
        linked.refuses_row = linked.refuses_row || gets_row(linked);
        linked.subscribed_until = Instant::min();
    }
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
    from.subscribed_until =
        message_.row && (gets_row(from) || can_relay(row_bytes(), kMostRowPercent)) ? until : Instant::min();
    from.refuses_row = message_.row && !gets_row(from);
    const auto is_wanted = [&](const Stream& s) {
        return std::ranges::binary_search(message_.streams, s.origin);
    };
    std::erase_if(from.streams, [&](const Stream& s) { return !is_wanted(s); });
    for (const std::uint32_t origin : message_.streams) {
        const auto known = std::ranges::find(from.streams, origin, &Stream::origin);
        if (origin == name_)
            from.feeds_until = until;
        else if (known != from.streams.end())
            known->until = until;
        else if (roster_.in_own_row(origin) &&
                 can_relay(kStreamBytes * frames_of(options_.interval, world_.tick), kMostPercent))
            from.streams.push_back({origin, until});
        else
            from.refuses_streams = true;
    }
}

std::size_t CrowdOverlay::row_bytes() {
    return roster_.row(roster_.row_of(name_)).size() * kMemberBytes + kHeaderBytes;
}

bool CrowdOverlay::can_relay(std::size_t bytes, std::size_t percent) {
    if (upload_.fan_out != 0) return false;
    std::size_t sum =
        row_bytes() / kMemberBytes * (kMemberBytes + kHeaderBytes);  // our own state, to the row
    for (const LinkNumber link : up_) {
        const Linked& linked = linked_[link];
        if (gets_row(linked)) sum += row_bytes();
        sum += linked.streams.size() * kStreamBytes * frames_of(options_.interval, world_.tick);
    }
    return sum + bytes <= frames_of(options_.interval, world_.tick) * upload_.frame_bytes * percent / 100;
}

// --- updates ---

Duration CrowdOverlay::period(const Linked& linked) const {
    if (roster_.in_own_row(linked.name) || gets_row(linked)) return options_.interval;
    return now_ - linked.needed > kTendInterval ? kUseless : std::max(options_.interval, kAcquainted);
}

/// Links take their turns at different times, so that a peer does not send to all of them at once.
std::int64_t CrowdOverlay::turn(const Linked& linked, Duration period) const {
    const std::int64_t phase = linked.name % static_cast<std::uint64_t>(micros(period));
    return (micros(now_.time_since_epoch()) + phase) / micros(period);
}

void CrowdOverlay::candidates(std::span<const News> news, std::vector<Candidate>& out) {
    const std::size_t row = roster_.row(roster_.row_of(name_)).size();
    const auto size = static_cast<std::uint16_t>(std::min<std::size_t>(row * kMemberBytes, kLargestBundle));
    for (const LinkNumber link : up_) {
        const Linked& linked = linked_[link];
        if (linked.parts_at != Instant::max()) continue;
        const bool is_due = is_attentive(linked) || turn(linked, period(linked)) != linked.served;
        for (const News& n : news) {
            if (!is_due) break;
            out.push_back({.link = link,
                           .primary = n.primary,
                           .distance = linked.position
                                           ? length(way(world_, n.position, *linked.position)) / sight_
                                           : kDistanceUnknown,
                           .bytes = n.bytes});
        }
        if (!gets_row(linked) || turn(linked, upload_.bundle_interval) == linked.bundled_turn) continue;
        const auto number = static_cast<std::uint16_t>(kForwards + link);
        out.push_back({.link = link, .primary = number, .bytes = size, .update = number});
    }
}

void CrowdOverlay::dispatch(Instant, std::span<const Candidate> chosen, OverlayActions& actions) {
    for (const Candidate& c : chosen) {
        if (c.primary >= kForwards)
            bundle_row(c.link, actions);
        else
            linked_[c.link].served = turn(linked_[c.link], period(linked_[c.link]));
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
    receiver.bundled_turn = turn(receiver, upload_.bundle_interval);
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
    for (KnownPeer& peer : roster_.slice(bits, Roster::prefix(relay->name, bits))) {
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
    const Linked* direct = linked_.find(found->link);
    if (direct == nullptr) {
        found->heard = now;
        found->fan_out = bundled.fan_out;
    }
    streams_.handle_update(now, found->name, relay->name);
    const bool sends_often = roster_.in_own_row(found->name) && found->fan_out == 0;
    if (direct != nullptr && sends_often && now - direct->fresh < kAcquainted) return std::nullopt;
    return found->id;
}

}  // namespace fray
