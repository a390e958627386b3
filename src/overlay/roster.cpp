#include "overlay/roster.hpp"

#include <algorithm>

namespace fray {

namespace {
// With g rows of N / g peers, a peer sends about N / g + g datagrams per interval: least at g = sqrt(N). The
// number of rows changes when N is three times as far from its square as it could be.
constexpr std::size_t kHysteresis = 3;
constexpr unsigned kMostRowBits = 8;
}  // namespace

KnownPeer* CrowdRoster::find(std::uint32_t name) {
    const auto place = std::ranges::lower_bound(peers_, name, {}, &KnownPeer::name);
    return place != peers_.end() && place->name == name ? &*place : nullptr;
}

const KnownPeer* CrowdRoster::find(std::uint32_t name) const {
    const auto place = std::ranges::lower_bound(peers_, name, {}, &KnownPeer::name);
    return place != peers_.end() && place->name == name ? &*place : nullptr;
}

bool CrowdRoster::has_room(LinkNumber introducer) const {
    if (peers_.size() >= most_) return false;
    if (introducer == kNoLink) return true;
    std::size_t unconfirmed = 0;
    std::size_t of_one = 0;
    for (const KnownPeer& peer : peers_) {
        if (peer.is_confirmed) continue;
        ++unconfirmed;
        of_one += peer.introducer == introducer ? 1 : 0;
    }
    return unconfirmed < std::max<std::size_t>(1, most_ / kShareOfAll) &&
           of_one < std::max<std::size_t>(1, most_ / kShareOfOne);
}

KnownPeer* CrowdRoster::add(Instant now, const PeerId& id, const Address& address, LinkNumber introducer) {
    const std::uint32_t name = name_of(id);
    const auto place = std::ranges::lower_bound(peers_, name, {}, &KnownPeer::name);
    // Of two peers with the same name, only the first is known.
    if (place != peers_.end() && place->name == name) return place->id == id ? &*place : nullptr;
    if (name == own_name_ || id == PeerId{} || !has_room(introducer)) return nullptr;
    const auto at = place - peers_.begin();
    if (peers_.size() == peers_.capacity())
        peers_.reserve(peers_.size() + peers_.size() / 8 + 8);  // little slack
    const KnownPeer peer{
        .id = id, .address = address, .name = name, .introducer = introducer, .heard = now, .next_call = now};
    return &*peers_.insert(peers_.begin() + at, peer);
}

bool CrowdRoster::hear_of(Instant now, const CrowdIntroduction& introduction, LinkNumber introducer) {
    const std::size_t before = peers_.size();
    KnownPeer* peer = add(now, introduction.id, introduction.address, introducer);
    if (peer == nullptr) return false;
    const Instant heard = now - Duration{1s} * introduction.age;
    if (peers_.size() != before) {
        peer->heard = heard;
        peer->weight = introduction.weight;
        // Both peers may want a link: one of them calls first.
        if (own_name_ > peer->name) peer->next_call = now + 1s;
        return true;
    }
    if (peer->link != kNoLink) return false;
    peer->heard = std::max(peer->heard, heard);
    peer->is_confirmed = peer->is_confirmed || peer->introducer != introducer;
    return false;
}

void CrowdRoster::remove(std::uint32_t name) {
    std::erase_if(peers_, [&](const KnownPeer& p) { return p.name == name; });
}

void CrowdRoster::expire(Instant now, std::vector<PeerId>& told, std::vector<Contact>& lost) {
    std::erase_if(peers_, [&](const KnownPeer& p) {
        if (p.link != kNoLink || now - p.heard <= kForgetAfter) return false;
        if (p.told) told.push_back(p.id);
        if (p.was_linked) lost.push_back({p.id, {}, p.address});
        return true;
    });
}

void CrowdRoster::forget_introducer(LinkNumber link) {
    for (KnownPeer& peer : peers_) {
        if (peer.introducer == link) peer.introducer = kNoLink;
    }
}

void CrowdRoster::clear() {
    peers_.clear();
    row_bits_ = 0;
}

void CrowdRoster::choose_rows() {
    const std::size_t count = peers_.size() + 1;
    const auto square = [&] { return std::size_t{1} << (2 * row_bits_); };
    while (row_bits_ < kMostRowBits && count > square() * kHysteresis) ++row_bits_;
    while (row_bits_ > 0 && count * kHysteresis < square()) --row_bits_;
}

std::span<KnownPeer> CrowdRoster::slice(unsigned bits, std::uint32_t first) {
    const auto begin = std::ranges::partition_point(
        peers_, [&](const KnownPeer& p) { return prefix(p.name, bits) < first; });
    const auto end = std::partition_point(begin, peers_.end(),
                                          [&](const KnownPeer& p) { return prefix(p.name, bits) <= first; });
    return {begin, end};
}

std::uint32_t CrowdRoster::digest() const {
    const auto mixed = [](std::uint32_t name) {
        return static_cast<std::uint32_t>(Fingerprint{}.add(std::uint64_t{name}).value());
    };
    std::uint32_t sum = mixed(own_name_);
    for (const KnownPeer& peer : peers_) sum ^= mixed(peer.name);
    return sum;
}

}  // namespace fray
