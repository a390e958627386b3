#pragma once
// What this peer owes to callers that have proved nothing: answers, requests for a proof, refusals. Each
// caller gets at most one datagram per call. Answers and requests together take at most kStrangerPercent of
// the upload, refusals at most kRefusalPercent.

#include "core/per_link.hpp"
#include "link/budget.hpp"
#include "link/hello.hpp"
#include "link/upload_share.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace fray {

/// A reply to a hello that created no link.
struct StrangerReply {
    Instant asked;
    Address to;
    Token token{};  ///< of the hello
    Refusal refusal;
};

class StrangerQueue {
public:
    /// Once per frame: the shares grow.
    void begin_frame(Instant now, const UploadBudget& budget);

    /// Further replies are dropped if too many wait: their callers ask again.
    void add(const StrangerReply& reply);
    /// The handshake has a hello for this pending link.
    void add(LinkNumber link);
    void forget(LinkNumber link) { std::erase(links_, link); }
    void forget_links() { links_.clear(); }

    [[nodiscard]] bool empty() const { return links_.empty() && proofs_.empty() && refusals_.empty(); }
    /// What to send next, if the shares allow it.
    struct Next {
        LinkNumber link = kNoLink;             ///< send its hello, or ...
        const StrangerReply* reply = nullptr;  ///< ... this
        [[nodiscard]] bool is_nothing() const { return link == kNoLink && reply == nullptr; }
    };
    [[nodiscard]] Next next(Instant now);
    /// What next() returned last was sent: this many bytes, headers included.
    void sent(const Next& sent, std::size_t bytes);
    [[nodiscard]] std::size_t heap_bytes() const {
        return links_.capacity() * sizeof(LinkNumber) + proofs_.heap_bytes() + refusals_.heap_bytes();
    }

private:
    /// First in, first out, with a bounded size.
    class Replies {
    public:
        explicit Replies(std::size_t most) : most_{most} {}
        void add(const StrangerReply& reply);
        [[nodiscard]] bool empty() const { return first_ == waiting_.size(); }
        /// The oldest one that its caller still waits for; nullptr if there is none.
        [[nodiscard]] const StrangerReply* front(Instant now);
        void pop();
        [[nodiscard]] std::size_t heap_bytes() const { return waiting_.capacity() * sizeof(StrangerReply); }

    private:
        std::size_t most_;
        std::vector<StrangerReply> waiting_;
        std::size_t first_ = 0;
    };

    std::vector<LinkNumber> links_;
    Replies proofs_{kMaxProofsAsked};
    Replies refusals_{kMaxRefusals};
    UploadShare strangers_{kStrangerPercent};
    UploadShare refusals_share_{kRefusalPercent};
    Instant last_frame_{};
    bool proof_turn_ = false;  // answers and requests for a proof take turns
};

}  // namespace fray
