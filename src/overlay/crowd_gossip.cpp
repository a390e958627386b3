// How the roster spreads: digests, names and introductions.

#include "overlay/crowd_gossip.hpp"

#include "wire/limits.hpp"

#include <algorithm>

namespace fray {

namespace {

constexpr Duration kGossipDigestInterval{2s};
constexpr Duration kGossipAskInterval{
    100ms};  // while the roster changes, until every linked peer was asked once
constexpr Duration kGossipOthersFirst{1500ms};    // since the first link came up
constexpr Duration kGossipAskAgainInterval{1s};   // once every linked peer was asked
constexpr Duration kGossipAnswerInterval{100ms};  // shortest time between two answers to one peer
constexpr Duration kAskNamesInterval{300ms};
constexpr std::size_t kGossipAskShare = 8;            // names take at most 1/8 of the upload
constexpr std::size_t kIntroductionsBytes = 900;      // in one message
constexpr std::size_t kFirstIntroductionBytes = 200;  // by the peer that a newcomer joined through
constexpr std::size_t kMaxLeft = 64;
constexpr std::size_t kIpv4Bytes = 25;  // of one introduction
constexpr std::size_t kIpv6Bytes = 37;
constexpr std::size_t kNamesAtOnce = 600;  // in one list: larger rosters are listed in slices

std::size_t bytes_of(const Address& address) { return address.is_ipv6() ? kIpv6Bytes : kIpv4Bytes; }

}  // namespace

// --- links ---

void CrowdGossip::handle_link_up(Instant now, LinkNumber link, std::uint32_t name, bool newcomer) {
    if (is_alone_) alone_until_ = now;
    is_alone_ = false;
    Partner& partner = partners_[link];
    partner = {};
    partner.name = name;
    partner.answered = now - kGossipAnswerInterval;
    std::erase(left_, name);
    if (newcomer) introduce(now, partner, kFirstIntroductionBytes, [](std::uint32_t) { return true; });
}

void CrowdGossip::handle_left(std::uint32_t name) {
    if (left_.size() == kMaxLeft) left_.erase(left_.begin());
    left_.push_back(name);
}

void CrowdGossip::reset() {
    partners_.clear();
    left_.clear();
    next_ = Instant::min();
    settled_at_ = {};
    heard_all_ = false;
    is_alone_ = true;
}

std::size_t CrowdGossip::heap_bytes() const {
    std::size_t sum = partners_.heap_bytes() +
                      (left_.capacity() + message_.names.capacity()) * sizeof(std::uint32_t) +
                      message_.introductions.capacity() * sizeof(CrowdIntroduction);
    for (const Partner& partner : partners_) {
        sum += partner.introductions.capacity() * sizeof(CrowdIntroduction) +
               partner.unknown.capacity() * sizeof(std::uint32_t);
    }
    return sum;
}

// --- in ---

void CrowdGossip::handle_message(Instant now, LinkNumber link, const CrowdMessage& message) {
    Partner& from = partners_[link];
    using enum CrowdMessage::Kind;
    if (message.kind == introductions) return take_introductions(now, link, from, message);
    if (now - from.answered < kGossipAnswerInterval) return;
    from.answered = now;
    const auto is_listed = [&](std::uint32_t name) {
        return std::ranges::binary_search(message.names, list_name(name, message.salt));
    };
    if (message.kind == digest)
        from.owes_known = from.owes_known || message.digest != roster_.digest();
    else if (message.kind == ask)
        introduce(now, from, kIntroductionsBytes, is_listed);
    else
        introduce(now, from, kIntroductionsBytes, [&](std::uint32_t name) {
            return CrowdRoster::prefix(name, message.slice_bits) == message.slice && !is_listed(name);
        });
}

void CrowdGossip::handle_unknown(LinkNumber link, const BundledPeer& peer) {
    Partner& partner = partners_[link];
    if (partner.unknown_salt != peer.salt) partner.unknown.clear();
    partner.unknown_salt = peer.salt;
    if (partner.unknown.size() < kMaxBundledPeers) partner.unknown.push_back(peer.name);
}

void CrowdGossip::take_introductions(Instant now, LinkNumber link, Partner& from,
                                     const CrowdMessage& message) {
    if (from.introductions_due == 0) return;
    --from.introductions_due;
    bool any_new = false;
    for (const CrowdIntroduction& i : message.introductions) {
        if (std::ranges::find(left_, name_of(i.id)) != left_.end()) continue;
        any_new = roster_.hear_of(now, i, link) || any_new;
    }
    if (any_new) settled_at_ = now + kSettle;
    if (from.asked && !any_new) heard_all_ = true;
}

void CrowdGossip::introduce(Instant now, Partner& to, std::size_t most_bytes,
                            const std::function<bool(std::uint32_t)>& lacks) {
    // If the receiver lacks too many, choose at random: others introduce the rest.
    to.introductions.clear();
    to.owes_answer = true;
    std::size_t bytes = 0;
    std::uint32_t lacking = 0;
    for (const KnownPeer& peer : roster_.all()) {
        const Duration silent = now - peer.heard;
        if (peer.name == to.name || silent > CrowdRoster::kIntroduceFor || !lacks(peer.name)) continue;
        const auto age = std::clamp<std::int64_t>((silent + 999ms) / 1s, 0, kMostAge);
        const CrowdIntroduction introduction{peer.id, peer.address, peer.weight,
                                             static_cast<std::uint8_t>(age)};
        ++lacking;
        if (bytes + bytes_of(peer.address) <= most_bytes) {
            to.introductions.push_back(introduction);
            bytes += bytes_of(peer.address);
        } else if (const auto at = choice_.below(lacking);
                   at < to.introductions.size() && !peer.address.is_ipv6()) {
            to.introductions[at] = introduction;
        }
    }
}

// --- out ---

void CrowdGossip::sort(std::vector<std::uint32_t>& names) {
    std::ranges::sort(names);
    names.erase(std::ranges::unique(names).begin(), names.end());
}

void CrowdGossip::answer(Instant now, std::span<const LinkNumber> up, std::size_t most, const Send& send) {
    std::size_t spent = 0;  // the first one is always sent
    for (const LinkNumber link : up) {
        Partner& partner = partners_[link];
        if (spent > most) return;
        if (partner.owes_answer) {
            message_.kind = CrowdMessage::Kind::introductions;
            message_.introductions.swap(partner.introductions);
            spent += send(link, message_);
            partner.introductions.clear();
            partner.owes_answer = false;
        }
        if (partner.owes_known) {
            spent += send_known(link, send);
            partner.owes_known = false;
        }
        if (!partner.unknown.empty() && now >= partner.ask_names_at) {
            spent += ask_names(link, partner, send);
            partner.ask_names_at = now + kAskNamesInterval;
        }
    }
}

std::size_t CrowdGossip::ask_names(LinkNumber link, Partner& partner, const Send& send) {
    message_.kind = CrowdMessage::Kind::ask;
    message_.salt = partner.unknown_salt;
    message_.names.swap(partner.unknown);
    partner.unknown.clear();
    sort(message_.names);
    if (partner.introductions_due < kMaxIntroductionsDue) ++partner.introductions_due;
    return send(link, message_);
}

void CrowdGossip::ask(Instant now, std::span<const LinkNumber> up, Upload upload, const Send& send) {
    if (up.empty() || now < next_) return;
    if (up.size() == 1 && roster_.all().size() > 1 && now - alone_until_ < kGossipOthersFirst) return;
    const auto any = [&] { return up[choice_.below(static_cast<std::uint32_t>(up.size()))]; };
    if (now >= settled_at_ && heard_all_) {
        message_.kind = CrowdMessage::Kind::digest;
        message_.digest = roster_.digest();
        next_ = now + kGossipDigestInterval;
        send(any(), message_);
        return;
    }
    // A peer that was not asked yet is more likely to know new ones.
    // And the one that many join through comes last.
    const auto unasked =
        std::find_if(up.rbegin(), up.rend(), [this](LinkNumber l) { return !partners_[l].asked; });
    const LinkNumber to = unasked != up.rend() ? *unasked : any();
    partners_[to].asked = true;
    const std::size_t bytes = send_known(to, send);
    const auto frames = bytes * kGossipAskShare / std::max<std::size_t>(1, upload.frame_bytes);
    const Duration least = unasked != up.rend() ? kGossipAskInterval : kGossipAskAgainInterval;
    next_ = now + std::max(least, upload.frame * static_cast<std::int64_t>(frames));
}

std::size_t CrowdGossip::send_known(LinkNumber link, const Send& send) {
    Partner& to = partners_[link];
    if (to.introductions_due < kMaxIntroductionsDue) ++to.introductions_due;
    list_known();
    return send(link, message_);
}

void CrowdGossip::list_known() {
    message_.kind = CrowdMessage::Kind::known;
    message_.salt = static_cast<std::uint8_t>(choice_.below(256));
    message_.slice_bits = 0;
    while (message_.slice_bits < kMostSliceBits && roster_.all().size() >> message_.slice_bits > kNamesAtOnce)
        ++message_.slice_bits;
    message_.slice = static_cast<std::uint8_t>(choice_.below(1U << message_.slice_bits));
    message_.names.clear();
    const auto add = [&](std::uint32_t name) {
        if (message_.names.size() < kMaxCrowdNames) message_.names.push_back(list_name(name, message_.salt));
    };
    if (CrowdRoster::prefix(own_name_, message_.slice_bits) == message_.slice) add(own_name_);
    for (const KnownPeer& peer : roster_.slice(message_.slice_bits, message_.slice)) add(peer.name);
    sort(message_.names);
}

}  // namespace fray
