#include "link/parked_channels.hpp"

#include <algorithm>
#include <utility>

namespace fray {

namespace {

constexpr std::size_t kMaxParked = 4096;
// The other side parks for the same time, but may have begun earlier by up to a link timeout.
constexpr Duration kSurelyParked = kParkedFor - 20s;

}  // namespace

void ParkedChannels::park(Instant now, Link& link) {
    Channel& channel = link.channel;
    const bool was_used = channel.in.any() || !channel.out.empty() || !channel.out.unheard();
    if (!was_used) return;
    if (parked_.size() >= kMaxParked) parked_.erase(parked_.begin());
    const std::size_t bytes = channel.out.heap_bytes() + channel.in.heap_bytes();
    parked_.push_back({link.ends.peer, link.ends.incarnation, now, std::move(channel), bytes});
    std::size_t evicted = 0;
    for (std::size_t held = memory_bytes(); held > kMaxParkedBytes && evicted < parked_.size(); ++evicted)
        held -= parked_[evicted].bytes;
    parked_.erase(parked_.begin(), parked_.begin() + static_cast<std::ptrdiff_t>(evicted));
}

std::uint32_t ParkedChannels::id_to_continue(const PeerId& peer, Incarnation incarnation,
                                             const Link* former) const {
    if (former != nullptr && former->ends.incarnation == incarnation) return former->channel.id;
    for (const Parked& parked : parked_) {
        if (parked.peer == peer && parked.incarnation == incarnation) return parked.channel.id;
    }
    return 0;
}

void ParkedChannels::resume(Instant now, Link& link, Link* former) {
    const LinkEnds& ends = link.ends;
    Channel* before = nullptr;
    if (former != nullptr && former->ends.incarnation == ends.incarnation) before = &former->channel;
    const auto is_parked = [&](const Parked& p) {
        return p.peer == ends.peer && p.incarnation == ends.incarnation;
    };
    const auto parked = std::ranges::find_if(parked_, is_parked);
    if (before == nullptr && parked != parked_.end()) before = &parked->channel;
    // A channel continues only if both sides still have it; otherwise both start a new one. A side that sends
    // before it is answered cannot know yet.
    const bool unanswered = !ends.remote_known;
    const bool recent = parked == parked_.end() || now - parked->since < kSurelyParked;
    if (before == nullptr) {
        // No former channel.
    } else if (before->id == link.channel.id && (unanswered || before->remote_id == link.channel.remote_id)) {
        link.channel = std::move(*before);
    } else if (recent && before->out.unheard() && !before->in.any()) {
        // The other side did not lose its state: it never saw the former link come up. Our messages are still
        // pending.
        link.channel.out = std::move(before->out);
    }
    link.channel.out.lost_all();
    forget(ends.peer);
}

void ParkedChannels::forget(const PeerId& peer) {
    std::erase_if(parked_, [&](const Parked& p) { return p.peer == peer; });
}

void ParkedChannels::expire(Instant now, const LinkTable& links) {
    const auto is_named = [&](const Parked& p) {
        return std::ranges::any_of(links.pending(),
                                   [&](LinkNumber n) { return links.at(n)->channel.id == p.channel.id; });
    };
    std::erase_if(parked_, [&](const Parked& p) { return now - p.since > kParkedFor && !is_named(p); });
}

std::size_t ParkedChannels::memory_bytes() const {
    std::size_t sum = sizeof(*this) + parked_.capacity() * sizeof(Parked);
    for (const Parked& p : parked_) sum += p.bytes;
    return sum;
}

}  // namespace fray
