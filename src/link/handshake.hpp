#pragma once
// How links come up. Two hellos that carry each other's token make a link. The handshake owns links that are
// not up yet, the tokens, this peer's incarnation and its wish to join.

#include <fray/event.hpp>
#include <fray/options.hpp>
#include <fray/random.hpp>

#include "core/contact.hpp"
#include "core/per_link.hpp"
#include "core/time_source.hpp"
#include "link/joining.hpp"
#include "link/outbound.hpp"
#include "link/parked_channels.hpp"

#include <array>
#include <cstdint>
#include <optional>

namespace fray {

/// Whoever owns all links: dropping one concerns other parts as well.
class LinkOwner {
public:
    virtual void drop_link(Instant now, LinkNumber link, Reason reason) = 0;

protected:
    ~LinkOwner() = default;
};

/// What a hello led to.
struct Greeted {
    enum class What : std::uint8_t {
        nothing,
        held,      ///< the other side called; it gets a hello in answer once we are in
        called,    ///< the other side called; it gets a hello in answer
        answered,  ///< the other side answered our hello: it is where it says it is
    };
    What what = What::nothing;
    LinkNumber link = kNoLink;
    Hello hello;
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
    Handshake(const Around& around, const PeerOptions& options, PeerId self, Seed seed);

    [[nodiscard]] Incarnation incarnation() const { return incarnation_; }

    // --- calls ---
    /// Says hello to this peer; a contact without an id is whoever answers at the address. `room`: how many
    /// further peers the overlay takes. The link, where there is one now; it may have existed before.
    struct Call {
        Link* link = nullptr;
        bool fresh = false;
    };
    Call call(Instant now, const Contact& contact, std::size_t room);
    /// We called this peer, and it is not linked yet.
    [[nodiscard]] LinkNumber pending_call(const PeerId& peer) const;
    /// Repeats hellos that are due.
    void retry(Instant now);
    /// Drops pending links that are silent for too long.
    void drop_silent(Instant now);

    // --- datagrams in ---
    [[nodiscard]] Greeted handle_hello(Instant now, const Address& from, Token echo, BitReader& in,
                                       std::size_t room);
    void handle_refusal(Instant now, Token token, BitReader& in);

    // --- joining ---
    /// Enters the session of a peer at this address. Answered once, by finish_join() or by a Refused.
    void join(Instant now, const Address& address);
    /// We were in, and lost all others at once: the known addresses are tried anew.
    void join_again(Instant now) { joining_.begin_again(now, options_.timeout); }
    /// Once per frame. What to tell the game, where joining is of no use.
    [[nodiscard]] std::optional<Refused> run_join(Instant now, std::size_t room);
    /// The game does not wait for this join any more: the address it had named.
    std::optional<Address> cancel_join(Instant now);
    /// The link came up: whether it is the one over which we join.
    bool finish_join(LinkNumber link);
    /// The link is gone. What to tell the game, where it was the one over which we join, and no other will
    /// do.
    [[nodiscard]] std::optional<Refused> fail_join(Instant now, LinkNumber link, Reason reason);
    [[nodiscard]] bool is_joining_over(LinkNumber link) const {
        return link != kNoLink && joining_.link() == link;
    }
    /// When the hello that this one answers was sent, where it is the first answer to our wish to join.
    struct JoinTime {
        std::optional<Instant> asked;  ///< nothing: too long ago to tell
        bool crossing = false;         ///< the other side joins us at the same time
    };
    [[nodiscard]] std::optional<JoinTime> join_time(LinkNumber link, const Hello& hello);

    // --- life-cycle ---
    [[nodiscard]] bool is_newcomer(LinkNumber link) const { return greetings_.find(link)->newcomer; }
    void forget_link(LinkNumber link) { greetings_.erase(link); }
    /// This peer left, and comes back as another incarnation.
    void leave();
    [[nodiscard]] std::size_t memory_bytes() const { return sizeof(*this) + greetings_.heap_bytes(); }

    // --- hellos out ---
    [[nodiscard]] bool hello_due(LinkNumber link) const override {
        const Greeting* greeting = greetings_.find(link);
        return greeting != nullptr && greeting->hello_due;
    }
    bool write_hello(Instant now, const Link& link, BitWriter& out) override;
    void handle_hello_sent(Instant now, LinkNumber link) override;

private:
    /// The handshake of one link.
    struct Greeting {
        Instant next_hello{};
        Instant hello_heard{};  // the hello that ours answers
        std::uint8_t attempts = 0;
        std::uint8_t unheard = 0;  // hellos since the other side was heard: the more, the rarer
        std::uint8_t answered_attempt = 0;
        std::uint8_t answers_left = 0;  // to the last hello heard
        bool called = false;            // we said hello first
        bool newcomer = false;          // the other side asks to be introduced
        bool hello_due = false;
        bool waits_for_join = false;  // called us before we were in: answered once we are
    };
    [[nodiscard]] Greeted handle_call(Instant now, const Address& from, const Hello& hello);
    [[nodiscard]] Greeted handle_answer(Instant now, const Address& from, const Hello& hello, Token echo);
    [[nodiscard]] std::optional<Reason> refuse_hello(const Address& from, const Hello& hello,
                                                     std::size_t room);
    [[nodiscard]] Link* pending_with(const Address& from, const Hello& hello) const;
    void refuse(const Address& to, const Hello& hello, Reason reason);
    [[nodiscard]] bool is_busy(const Hello& hello) const;
    [[nodiscard]] OtherPeers some_others(LinkNumber except);
    /// How long the upload takes for a hello to every pending link, both ways.
    [[nodiscard]] Duration hello_spacing() const;
    [[nodiscard]] Link* join_crossing(const Address& from, const Hello& hello) const;
    Link* open(Instant now, const LinkEnds& ends);
    void adopt(Instant now, Link& link, const Address& from, const Hello& hello);
    bool forgot_us(Instant now, const Link& link, const Hello& hello);
    [[nodiscard]] std::size_t strangers() const;
    void greet(LinkNumber link);
    [[nodiscard]] Greeted nothing(Rejection why) {
        around_.rejections.count(why);
        return {};
    }

    Around around_;
    const LinkOptions& options_;
    Duration tick_;
    PeerId self_;
    std::uint64_t world_print_;
    RandomStream tokens_;
    Incarnation incarnation_;
    PerLink<Greeting> greetings_;
    RandomStream choice_;
    Joining joining_;
    bool left_ = false;  // said goodbye, and has not joined since
};

}  // namespace fray
