#pragma once
// How links come up: two hellos that carry each other's token make a link. The handshake owns pending links,
// the tokens, this peer's incarnation and its pending join.

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
    Handshake(const Around& around, const PeerOptions& options, PeerId self, Seed seed);

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
    void handle_refusal(Instant now, Token token, BitReader& in);

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
    void forget_link(LinkNumber link) { greetings_.erase(link); }
    /// This peer left. It rejoins as a new incarnation.
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
        Instant hello_heard{};  // when the hello arrived that ours answers
        std::uint8_t attempts = 0;
        // Hellos since the last one from the other side; the interval grows with it.
        std::uint8_t unheard = 0;
        std::uint8_t answered_attempt = 0;
        std::uint8_t answers_left = 0;  // to the last hello heard
        bool called = false;            // we sent the first hello
        bool newcomer = false;          // the other side asks to be introduced
        bool crossing = false;          // the other side called us while we joined through it
        bool hello_due = false;
        bool waits_for_join = false;  // the other side called before we had joined: answered once we have
    };
    [[nodiscard]] Greeted handle_call(Instant now, const Address& from, const Hello& hello);
    [[nodiscard]] Greeted handle_answer(Instant now, const Address& from, const Hello& hello, Token echo);
    [[nodiscard]] std::optional<Reason> refuse_hello(const Address& from, const Hello& hello, Token echo,
                                                     std::size_t room);
    [[nodiscard]] Link* pending_with(const Address& from, const Hello& hello) const;
    void refuse(const Address& to, const Hello& hello, Reason reason);
    [[nodiscard]] bool is_busy(const Hello& hello) const;
    [[nodiscard]] OtherPeers some_others(const Address& asker);
    /// The time that the upload needs for one hello to every pending link, and the answers.
    [[nodiscard]] Duration hello_spacing() const;
    /// Calls this address, whichever links are up; for a join.
    Call open_call(Instant now, const Contact& contact, std::size_t room);
    [[nodiscard]] Link* join_crossing(const Address& from, const Hello& hello) const;
    Link* open(Instant now, const LinkEnds& ends);
    void adopt(Instant now, Link& link, const Address& from, const Hello& hello);
    bool forgot_us(Instant now, const Link& link, const Hello& hello);
    [[nodiscard]] std::size_t strangers() const;
    /// Whether the link is counted already. A contact that we called takes its room when it answers.
    [[nodiscard]] bool has_its_room(const Link& link) const;
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
