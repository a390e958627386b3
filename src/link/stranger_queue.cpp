#include "link/stranger_queue.hpp"

#include <algorithm>

namespace fray {

namespace {

/// The longest datagram that a share must allow before one is written.
constexpr std::size_t kMostBytes = kNewcomerCallBytesIpv6 + kUdpIpv6Bytes;
static_assert(kMostBytes <= kLeastShareBurst);

}  // namespace

void StrangerQueue::Replies::add(const StrangerReply& reply) {
    if (waiting_.size() - first_ >= most_) return;
    if (waiting_.size() == most_) {
        waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(first_));
        first_ = 0;
    }
    waiting_.push_back(reply);
}

const StrangerReply* StrangerQueue::Replies::front(Instant now) {
    while (!empty() && now - waiting_[first_].asked > kReplyPatience) pop();
    return empty() ? nullptr : &waiting_[first_];
}

void StrangerQueue::Replies::pop() {
    if (++first_ < waiting_.size()) return;
    waiting_.clear();
    first_ = 0;
}

void StrangerQueue::begin_frame(Instant now, const UploadBudget& budget) {
    const std::size_t burst = budget.usual_bytes(kShareBurst);
    const std::size_t bytes = budget.usual_bytes(std::clamp(now - last_frame_, Duration{0}, kShareBurst));
    last_frame_ = now;
    strangers_.grow(bytes, burst);
    refusals_share_.grow(bytes, burst);
}

void StrangerQueue::add(const StrangerReply& reply) {
    (reply.refusal.asks_proof ? proofs_ : refusals_).add(reply);
}

void StrangerQueue::add(LinkNumber link) {
    if (std::ranges::find(links_, link) == links_.end()) links_.push_back(link);
}

StrangerQueue::Next StrangerQueue::next(Instant now) {
    const StrangerReply* proof = proofs_.front(now);
    if (strangers_.allows(kMostBytes) && (!links_.empty() || proof != nullptr)) {
        if (proof != nullptr && (proof_turn_ || links_.empty())) return {.reply = proof};
        return {.link = links_.front()};
    }
    if (const StrangerReply* refusal = refusals_.front(now);
        refusal != nullptr && refusals_share_.allows(kMostBytes))
        return {.reply = refusal};
    return {};
}

void StrangerQueue::sent(const Next& sent, std::size_t bytes) {
    const bool is_refusal = sent.reply != nullptr && !sent.reply->refusal.asks_proof;
    (is_refusal ? refusals_share_ : strangers_).spend(bytes);
    if (is_refusal) return refusals_.pop();
    proof_turn_ = sent.reply == nullptr;
    if (sent.reply == nullptr) return forget(sent.link);
    proofs_.pop();
}

}  // namespace fray
