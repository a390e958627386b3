#pragma once
// How the roster of a crowd spreads: digests, names and introductions, between linked peers. While the roster
// changes, a peer sends the names that it knows to one linked peer after the other, and gets introductions of
// others; later, only digests. A name in a bundle that is not known is asked for.

#include <fray/random.hpp>

#include "core/per_link.hpp"
#include "overlay/crowd_messages.hpp"
#include "overlay/roster.hpp"
#include "wire/relayed_state.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace fray {

class CrowdGossip {
public:
    /// Sends a message over this link. Returns its size in bytes.
    using Send = std::function<std::size_t(LinkNumber, CrowdMessage&)>;
    struct Upload {
        Duration frame;
        std::size_t frame_bytes = 0;
    };

    CrowdGossip(CrowdRoster& roster, std::uint32_t own_name, Seed seed)
        : roster_{roster}, own_name_{own_name}, choice_{seed, "crowd gossip"} {}

    void handle_link_up(Instant now, LinkNumber link, std::uint32_t name, bool newcomer);
    void forget_link(LinkNumber link) { partners_.erase(link); }
    /// The last link is down.
    void handle_alone() {
        heard_all_ = false;
        is_alone_ = true;
    }
    /// A peer said goodbye; others may still mention it.
    void handle_left(std::uint32_t name);
    /// A digest, names, or introductions.
    void handle_message(Instant now, LinkNumber link, const CrowdMessage& message);
    /// A bundle named a peer that is not on the roster.
    void handle_unknown(LinkNumber link, const BundledPeer& peer);
    /// The roster has a new peer.
    void unsettle(Instant now) { settled_at_ = now + kSettle; }

    /// Once per round: asks one of these links.
    void ask(Instant now, std::span<const LinkNumber> up, Upload upload, const Send& send);
    /// Once per frame: sends the answers that are due, but hardly more than so many bytes.
    void answer(Instant now, std::span<const LinkNumber> up, std::size_t most, const Send& send);

    /// A linked peer had nobody to introduce that we did not know.
    [[nodiscard]] bool heard_all() const { return heard_all_; }
    /// New peers were heard of in the last second.
    [[nodiscard]] bool is_learning(Instant now) const { return now <= settled_at_ - kSettle / 2; }
    void reset();
    [[nodiscard]] std::size_t heap_bytes() const;

private:
    static constexpr Duration kSettle{2s};  // without a change, the roster counts as settled
    /// A linked peer.
    struct Partner {
        std::uint32_t name = 0;
        Instant answered{};                     // when we last answered its names or its digest
        Instant ask_names_at = Instant::min();  // when it may be asked for unknown names again
        std::uint8_t introductions_due = 1;     // messages; a newcomer gets the first one unasked
        std::uint8_t unknown_salt = 0;
        bool asked = false;  // we have sent it our names since the link came up
        bool owes_known = false;
        bool owes_answer = false;
        std::vector<CrowdIntroduction> introductions;  // to send to it
        std::vector<std::uint32_t> unknown;            // names in its last bundle that we do not know
    };
    void take_introductions(Instant now, LinkNumber link, Partner& from, const CrowdMessage& message);
    void introduce(Instant now, Partner& to, std::size_t most_bytes,
                   const std::function<bool(std::uint32_t name)>& lacks);
    std::size_t ask_names(LinkNumber link, Partner& partner, const Send& send);
    std::size_t send_known(LinkNumber link, const Send& send);
    void list_known();
    static void sort(std::vector<std::uint32_t>& names);

    CrowdRoster& roster_;
    std::uint32_t own_name_;
    RandomStream choice_;
    PerLink<Partner> partners_;
    std::vector<std::uint32_t> left_;
    Instant next_ = Instant::min();  // when to ask again
    Instant settled_at_{};           // the roster changes until then
    Instant alone_until_{};          // when the first link came up
    bool is_alone_ = true;
    bool heard_all_ = false;
    CrowdMessage message_;  // scratch
};

}  // namespace fray
