#pragma once
// How links come up: two hellos that carry each other's token make a link. The handshake owns pending links,
// the tokens, this peer's incarnation and its pending join. Admission decides which hellos it accepts.

#include <fray/event.hpp>
#include <fray/options.hpp>
#include <fray/random.hpp>

#include "core/contact.hpp"
#include "core/per_link.hpp"
#include "core/time_source.hpp"
#include "link/admission.hpp"
#include "link/greeting.hpp"
#include "link/joining.hpp"
#include "link/outbound.hpp"
#include "link/parked_channels.hpp"
#include "link/secrets.hpp"

#include <array>
#include <cstdint>
#include <optional>

namespace fray {

/// Drops links on behalf of the handshake: other parts must be told as well.
class LinkOwner {
public:
    virtual void drop_link(Instant now, LinkNumber link, Reason reason) = 0;

protected:
    ~LinkOwner() = default;
};

/// The outcome of a received hello.
struct Greeted {
    enum class What : std::uint8_t {
        nothing,
        held,      ///< the other side called; it gets a hello in answer once we have joined
        called,    ///< the other side called; it gets a hello in answer
        answered,  ///< the other side answered our hello, which proves its address
    };
    What what = What::nothing;
    LinkNumber link = kNoLink;
    Hello hello;
    bool crossing = false;  ///< both peers join through each other
};

class Handshake final : public HelloSource {
public:
    struct Around {
        LinkTable& links;
        Outbound& out;
        ParkedChannels& parked;
        const TimeSource& clock;
        LinkOwner& owner;
        RejectionCounts& rejections;
    };
    Handshake(const Around& around, const PeerOptions& options, PeerId self, const RandomRoot& root);

    [[nodiscard]] Incarnation incarnation() const { return incarnation_; }

    // --- calls ---
    /// Sends hellos to this peer; a contact without an id means any peer at that address. `room`: how many
    /// further peers the overlay accepts. Returns the link, which may have existed before, or nullptr.
    struct Call {
        Link* link = nullptr;
        bool fresh = false;
    };
    Call call(Instant now, const Contact& contact, std::size_t room);
    /// The pending link of our call to this peer; kNoLink if there is none.
    [[nodiscard]] LinkNumber pending_call(const PeerId& peer) const;
    /// Repeats hellos that are due.
    void retry(Instant now);
    /// Drops pending links that stayed silent for too long.
    void drop_silent(Instant now);

    // --- datagrams in ---
    [[nodiscard]] Greeted handle_hello(Instant now, const Address& from, Token echo, BitReader& in,
                                       std::size_t room);
    struct RefusalOutcome {
        std::optional<PeerId> lost;     ///< the refused link was up on our side
        std::optional<Refused> report;  ///< to the game
    };
    RefusalOutcome handle_refusal(Instant now, Token token, BitReader& in);
    /// The first data arrives over a pending link. False if there is no place left: the caller is refused.
    [[nodiscard]] bool may_finish(Instant now, LinkNumber link, std::size_t room);

    // --- joining ---
    /// Joins the session of the peer at this address. Ends once: with finish_join() or a Refused.
    void join(Instant now, const Address& address);
    /// This peer had joined and lost all links at once: the known addresses are tried again.
    void join_again(Instant now) { joining_.begin_again(now, options_.timeout); }
    /// Once per frame. Returns the refusal to report to the game if joining has failed for good.
    [[nodiscard]] std::optional<Refused> run_join(Instant now, std::size_t room);
    /// Gives up the pending join. Returns the address that the game named.
    std::optional<Address> cancel_join(Instant now);
    /// The link came up. Returns whether it is the one over which this peer joins.
    bool finish_join(LinkNumber link);
    /// The link is gone. Returns the refusal to report to the game, if this peer joined over that link and no
    /// other address is left to try.
    [[nodiscard]] std::optional<Refused> fail_join(Instant now, LinkNumber link, Reason reason);
    [[nodiscard]] bool is_joining_over(LinkNumber link) const {
        return link != kNoLink && joining_.link() == link;
    }
    /// When the hello that this one answers was sent; only for the first answer to a join.
    struct JoinTime {
        std::optional<Instant> asked;  ///< nothing: too long ago, no longer recorded
        bool crossing = false;         ///< the other side joins us at the same time
    };
    [[nodiscard]] std::optional<JoinTime> join_time(LinkNumber link, const Hello& hello);

    // --- life-cycle ---
    [[nodiscard]] bool is_newcomer(LinkNumber link) const { return greetings_.find(link)->newcomer; }
    void forget_link(LinkNumber link) {
        greetings_.erase(link);
        admission_.forget_link(link);
    }
    /// This peer left. It rejoins as a new incarnation.
    void leave();
    [[nodiscard]] std::size_t memory_bytes() const {
        return sizeof(*this) + greetings_.heap_bytes() + admission_.heap_bytes();
    }

    // --- hellos out ---
    [[nodiscard]] bool hello_due(LinkNumber link) const override {
        const Greeting* greeting = greetings_.find(link);
        return greeting != nullptr && greeting->hello_due;
    }
    bool write_hello(Instant now, const Link& link, DatagramBuilder& datagram) override;
    void handle_hello_sent(Instant now, LinkNumber link) override;

private:
    [[nodiscard]] Greeted handle_call(const Question& question);
    [[nodiscard]] Greeted handle_answer(const Question& question);
    void refuse(const Question& question, Reason reason);
    void ask_proof(const Question& question);
    /// The time that the upload needs for one hello to every peer that we call, and the answers.
    [[nodiscard]] Duration hello_spacing() const;
    /// How long a pending link may stay silent.
    [[nodiscard]] Duration patience() const;
    /// Whether this is our join, and it is not given up before the join is: no other address is known, and no
    /// peer has answered.
    [[nodiscard]] bool keeps_calling(LinkNumber link) const;
    /// Calls this address, whichever links are up; for a join.
    Call open_call(Instant now, const Contact& contact, std::size_t room);
    /// The link that this call belongs to, pending or up; nullptr: none yet.
    [[nodiscard]] Link* link_of_call(const Question& question);
    Link* open(Instant now, const LinkEnds& ends);
    void adopt(const Question& question, Link& link);
    bool forgot_us(Instant now, const Link& link, const Hello& hello);
    /// Whether the call must be repeated, because it named another channel than the one to continue.
    bool call_by_channel(const Question& question, Link& link);
    void greet(LinkNumber link);
    /// Answers a call: before updates if the caller has proved its address.
    void answer(LinkNumber link);
    [[nodiscard]] Greeted nothing(Rejection why) {
        around_.rejections.count(why);
        return {};
    }

    Around around_;
    const LinkOptions& options_;
    Duration tick_;
    PeerId self_;
    Secrets secrets_;
    Incarnation incarnation_;
    PerLink<Greeting> greetings_;
    Joining joining_;
    Admission admission_;
    bool left_ = false;            // said goodbye, and has not joined since
    bool id_is_reported_ = false;  // the game was told that another peer uses its id
};

}  // namespace fray
