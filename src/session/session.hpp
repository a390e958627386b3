#pragma once
// One peer, composed: each frame asks link, overlay, interest, replica in turn, and decides nothing itself.
//
//   in    handle_datagram -> link (token, sequence, acks) -> messages -> overlay / replicas / clock / mailbox
//   out   frame -> primaries -> overlay (candidates) -> interest (order, cut) -> queue -> poll_datagram ->
//   link
//
// The methods are spread over files by what they are about: handshake.cpp, receive.cpp, frame.cpp,
// transmit.cpp, commands.cpp.

#include <fray/peer.hpp>

#include "agreement/requests.hpp"
#include "clock/clock_sync.hpp"
#include "consistency/consistency_word.hpp"
#include "interest/update_policy.hpp"
#include "link/budget.hpp"
#include "link/hello.hpp"
#include "overlay/overlay.hpp"
#include "replica/primary.hpp"
#include "session/link_table.hpp"
#include "session/mailbox.hpp"
#include "wire/pose_codec.hpp"

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace fray {

class Session final : public MessageSink {
public:
    Session(PeerOptions options, Seed seed);

    // --- getters (session.cpp) ---
    [[nodiscard]] PeerId id() const { return id_; }
    [[nodiscard]] Incarnation incarnation() const { return incarnation_; }
    [[nodiscard]] const World& world() const { return options_.world; }
    [[nodiscard]] SessionInstant session_time(Instant now) const { return clock_.session_time(now); }
    [[nodiscard]] std::span<const Replica> replicas(Instant now) const;
    [[nodiscard]] std::optional<Replica> replica(Instant now, const EntityId& id) const;
    [[nodiscard]] std::optional<LocalView> local_view(Instant now, const EntityId& id) const;
    [[nodiscard]] std::vector<PeerId> peers() const;
    [[nodiscard]] Stats stats() const;
    [[nodiscard]] Instant next_frame() const { return next_frame_; }
    [[nodiscard]] std::size_t memory_bytes() const;

    // --- network and time in ---
    void handle_datagram(Instant now, const Address& from, std::span<const std::uint8_t> bytes);
    void handle_time(Instant now);

    // --- commands ---
    void join(Instant now, const Address& known_peer);
    [[nodiscard]] Result<EntityId> publish(Instant now, const State& state);
    Result<void> update(Instant now, const EntityId& id, const State& state);
    Result<void> set_consistency(Instant now, const EntityId& id, const Consistency& consistency);
    Result<void> withdraw(Instant now, const EntityId& id);
    Result<void> send(Instant now, const Outgoing& message);
    Result<RequestId> interact(Instant now, const EntityId& by, const EntityId& target,
                               std::span<const std::uint8_t> bytes);
    Result<void> answer(Instant now, const RequestId& request, std::span<const std::uint8_t> bytes);
    void leave(Instant now);

    // --- out ---
    [[nodiscard]] std::optional<Datagram> poll_datagram(Instant now, std::span<std::uint8_t> buffer);
    [[nodiscard]] Instant poll_wakeup() const;
    [[nodiscard]] std::optional<Event> poll_event() { return mailbox_.take(); }

private:
    // What the bytes of a reliable message are.
    enum class ReliableKind : std::uint8_t {
        game = 0,
        withdraw = 1,
        overlay = 2,
        state = 3,
        consistency = 4,  // which algorithm an entity is shown by
        serialized = 5,   // the last state that went through us, for sure
        overruled = 6,    // what the validator did not accept, and what it is instead
        request = 7,      // something is done to an entity of the receiver's
        reply = 8,        // and what came of it
    };

    static constexpr Duration kClockTolerance{1s};  // between two clocks that are about to agree
    // What is passed on travels for a few frames, and clocks have long agreed: nothing else is taken, be it a
    // state of long ago or one that would hide the true ones to come.
    static constexpr unsigned kPassedOnFrames = 20;
    static constexpr Duration kPassedOnAhead{100ms};

    void start(Instant now);
    void restart_as_new_incarnation();

    // --- handshake.cpp: how links come up and go down ---
    struct PendingRefusal {
        Address to;
        Token token{};
        Refusal refusal;
    };
    struct ParkedChannel {
        PeerId peer;
        Incarnation incarnation{};
        Instant since;
        Channel channel;
    };
    void handle_hello(Instant now, const Address& from, Token echo, BitReader& in);
    void handle_hello_answer(Instant now, const Address& from, const Hello& hello, Token echo, BitReader& in);
    void handle_call(Instant now, const Address& from, const Hello& hello, BitReader& in);
    void handle_refusal(Token token, BitReader& in);
    [[nodiscard]] std::optional<Reason> refuse_hello(const Hello& hello);
    void refuse(const Address& to, const Hello& hello, Reason reason);
    [[nodiscard]] LinkSlot* pending_with(const PeerId& peer, Token remote_token) const;
    LinkSlot* open_slot(Instant now, const LinkEnds& ends);
    LinkSlot* call(Instant now, const Contact& contact);
    void adopt(LinkSlot& slot, const Address& from, const Hello& hello, Instant now);
    [[nodiscard]] std::size_t strangers() const;
    bool forgot_us(Instant now, const LinkSlot& slot, const Hello& hello);
    [[nodiscard]] LinkSlot* join_crossing(const Address& from, const Hello& hello);
    void take_time_when_joining(Instant now, LinkSlot& slot, const Hello& hello);
    void clock_was_set(Instant now);
    void read_early_data(Instant now, LinkSlot& slot, const Hello& hello, BitReader& in);
    void establish(Instant now, LinkSlot& slot);
    void take_over_channel(Instant now, LinkSlot& slot);
    [[nodiscard]] std::uint32_t channel_to_continue(const PeerId& peer, Incarnation incarnation) const;
    void drop(Instant now, LinkNumber number, Reason reason);
    void judge_join(const PeerId& lost, Instant last_heard);
    [[nodiscard]] Hello make_hello(Instant now, const LinkSlot& slot) const;

    // --- receive.cpp: one data datagram in ---
    void handle_data(Instant now, const Address& from, Token token, BitReader& in);
    void read_body(Instant now, LinkSlot& slot, BitReader& in);
    void settle(LinkSlot& slot, const Fates& fates);
    /// Reads messages until the end; false where the datagram must not be acknowledged.
    bool read_messages(Instant now, LinkSlot& slot, std::uint16_t sequence, BitReader& in);
    bool read_message(Instant now, LinkSlot& slot, MessageType type, std::uint16_t sequence, BitReader& in);
    bool read_state(Instant now, LinkSlot& slot, std::uint16_t sequence, BitReader& in);
    /// Nothing where it was taken in.
    std::optional<Rejection> read_event(Instant now, LinkSlot& slot, Delivery delivery, BitReader& in);
    bool read_overlay(Instant now, LinkSlot& slot, BitReader& in);
    bool read_forward(Instant now, LinkSlot& slot, BitReader& in);
    /// A state of somebody's that came through others.
    struct Relayed {
        PeerId origin;
        ReplicaStore::Whole state;
        std::uint16_t stamp = 0;
        SessionInstant when{};
    };
    void take_over(LinkSlot& theirs, const Relayed& relayed);
    /// Whether a state that was passed on is of a time that cannot be yet, or of one long ago.
    [[nodiscard]] bool is_ahead(Instant now, SessionInstant when) const {
        return when - session_time(now) > kPassedOnAhead;
    }
    [[nodiscard]] bool is_old(Instant now, SessionInstant when) const {
        return session_time(now) - when > passed_on_age();
    }
    [[nodiscard]] Duration passed_on_age() const {
        return kClockTolerance + options_.world.tick * kPassedOnFrames;
    }
    [[nodiscard]] bool is_timely(Instant now, SessionInstant when) const {
        return !is_ahead(now, when) && !is_old(now, when);
    }
    bool read_fragment(LinkSlot& slot, BitReader& in);
    bool read_assembled(Instant now, LinkSlot& slot, std::uint16_t sequence);
    bool read_withdraw(LinkSlot& slot, BitReader& in);
    bool read_clock_ping(Instant now, LinkSlot& slot, BitReader& in);
    bool read_clock_pong(Instant now, LinkSlot& slot, BitReader& in);
    bool handle_reliable(Delivery delivery, std::span<const std::uint8_t> bytes) override;
    void offer_again(Instant now);
    bool reject(Rejection why) {
        rejections_.count(why);
        return false;
    }

    // --- frame.cpp: once per tick ---
    void run_frame(Instant now);
    [[nodiscard]] bool silent(Instant now, const LinkSlot& slot) const;
    void drop_silent(Instant now);
    void retry_hellos(Instant now);
    void run_overlay(Instant now);
    void send_overlay_messages(Instant now);
    void send_forward(Instant now, const OverlayActions::Forward& forward);
    void choose_reference();
    void ask_for_time(Instant now);
    void gather_candidates(Instant now);
    void choose_updates(Instant now);
    [[nodiscard]] bool needs(Instant now, const LinkSlot& slot, const Primary& primary) const;
    void wake_links(Instant now);
    void forget_passing();
    [[nodiscard]] std::size_t bytes_for_updates(Instant now);

    // --- transmit.cpp: one datagram out ---
    void make_urgent(LinkSlot& slot);
    void pass_over(LinkSlot& slot);
    void recall_passed_over();
    void give_turn(const LinkSlot& slot);
    [[nodiscard]] LinkSlot* next_speaker();
    [[nodiscard]] LinkSlot* next_urgent();
    [[nodiscard]] LinkSlot* next_ready();
    [[nodiscard]] bool has_something(const LinkSlot& slot) const;
    [[nodiscard]] std::optional<Datagram> poll_farewell(Instant now, std::span<std::uint8_t> buffer);
    [[nodiscard]] std::optional<Datagram> poll_refusal(Instant now, std::span<std::uint8_t> buffer);
    [[nodiscard]] std::optional<Datagram> write_datagram(Instant now, LinkSlot& slot,
                                                         std::span<std::uint8_t> buffer);
    [[nodiscard]] std::optional<Datagram> finish(Instant now, LinkSlot& slot, DatagramBuilder& datagram);
    void write_clock(Instant now, LinkSlot& slot, DatagramBuilder& datagram);
    void write_updates(Instant now, LinkSlot& slot, DatagramBuilder& datagram);
    bool write_update(Instant now, LinkSlot& slot, Primary& primary, DatagramBuilder& datagram);
    void break_up(Instant now, LinkSlot& slot, Primary& primary);
    void write_loose(LinkSlot& slot, DatagramBuilder& datagram);
    void note_sent(Instant now, LinkSlot& slot, const SentRecord& record);
    void queue_loose(LinkSlot& slot, MessageType type, Purpose purpose, std::span<const std::uint8_t> bytes,
                     std::size_t bits, bool passing = false);
    void break_up_loose(LinkSlot& slot, std::span<const std::uint8_t> bytes, Purpose purpose);

    // --- views.cpp: which moment of an entity is on the screen ---
    /// How one of our entities is kept consistent.
    struct OwnView {
        std::uint32_t number = 0;
        std::uint16_t version = 0;  // of our choice
        Duration best_lag{};        // Adaptive: at the last look at the network
        Consistency consistency;
        std::unique_ptr<Showing> showing;  // where it is not the plain way
        Instant next_update{};
        Instant next_review{};  // of the lag, where it follows the network
    };
    void choose(Instant now, OwnView& view, const Primary& primary, const Consistency& consistency);
    void show_own(Instant now, OwnView& view, const Primary& primary);
    void show(Replica& replica, const LinkSlot& slot, SessionInstant now) const;
    [[nodiscard]] bool waits_for_echo(const OwnView& view) const;
    void commit_primaries(Instant now);
    void run_views(Instant now);
    void follow_network(Instant now, OwnView& view, const Primary& primary);
    void tell_consistency(LinkSlot& slot, const OwnView& view);
    RemoteView& add_view(LinkSlot& slot, std::uint32_t number, const Consistency& consistency);
    /// Nothing where it is shown the plain way, and nobody counts.
    [[nodiscard]] RemoteView* view_of(LinkSlot& slot, std::uint32_t number);
    void hear_passed_on(Instant now, LinkSlot& slot, std::uint32_t number);
    void hear_again(Instant now, LinkSlot& slot, RemoteView& view);
    bool read_consistency(Instant now, LinkSlot& slot, BitReader& in);

    // --- serialize.cpp: updates that go through one peer to all ---
    [[nodiscard]] bool goes_to(const OwnView& view, const LinkSlot& slot) const;
    void hear_directly(Instant now, LinkSlot& slot, const ReplicaStore::Applied& applied,
                       const UpdateOrigin& origin);
    /// What its owner tells us itself does not count.
    [[nodiscard]] bool comes_by_others(const LinkSlot& slot, const RemoteView& view) const;
    void hold_back(Instant now, RemoteView& view, SessionInstant when);
    void release_held(Instant now);
    [[nodiscard]] bool is_valid(Instant now, LinkSlot& slot, RemoteView& view, const Moment& word);
    void overrule(LinkSlot& slot, const RemoteView& view, EntityTypeId type);
    void pass_on(Instant now, const LinkSlot& slot, RemoteView& view, bool surely);
    void settle_views(Instant now);
    bool read_serialized(Instant now, const LinkSlot& slot, BitReader& in, bool surely);
    void hear_back(Instant now, const PeerId& from, std::uint32_t number);
    void hear_serialized(Instant now, const PeerId& from, LinkSlot& theirs);
    /// False where it must come again: there is no room for it now.
    bool read_overruled(const LinkSlot& slot, BitReader& in);

    // --- agree.cpp: whose write counts ---
    /// False where it must come again: there is no room for it, or for our reply.
    bool read_request(Instant now, LinkSlot& slot, BitReader& in);
    bool read_reply(const LinkSlot& slot, BitReader& in);
    /// False where too much waits already.
    bool reply(LinkSlot& slot, const Reply& reply);
    void give_up_requests(const PeerId& peer);

    // --- commands.cpp ---
    [[nodiscard]] Result<void> check_state(const State& state) const;
    [[nodiscard]] Result<void> check_message(Instant now, const Outgoing& message) const;
    void post(LinkSlot& slot, Delivery delivery, std::span<const std::uint8_t> bytes, std::size_t body_bits);
    [[nodiscard]] Primary* find_primary(const EntityId& id);
    void freshen(Instant now, Primary& primary);

    PeerOptions options_;
    Seed seed_;
    RandomStream tokens_;
    PeerId id_;
    Incarnation incarnation_{};
    std::uint64_t world_print_;
    PoseCodec codec_;

    LinkTable links_;
    std::unique_ptr<Overlay> overlay_;
    bool sightings_;  // it wants to know where the others are
    std::unique_ptr<UpdatePolicy> policy_;
    UploadBudget budget_;
    ClockSync clock_;
    Mailbox mailbox_;
    std::vector<Primary> primaries_;  // ordered by number
    std::vector<OwnView> own_views_;  // of these, one each
    std::uint32_t next_number_ = 0;
    OpenRequests requests_;

    bool started_ = false;
    Frame frame_ = 0;
    Instant next_frame_{};
    Instant heard_time_{};            // the last handle_time()
    Instant blocked_until_ = kNever;  // the budget lets nothing out before

    // Joining.
    static constexpr std::size_t kHelloTimes = 16;
    struct Join {
        LinkNumber link = 0;
        Address address;
        Instant since;
        std::array<Instant, kHelloTimes> hello_sent{};  // by attempt, the latest ones
        bool timed = false;                             // session time was taken from the answer
    };
    std::optional<Join> join_;
    /// Who let us in, and when.
    struct Host {
        PeerId peer;
        Address address;
        Instant since;
    };
    std::optional<Host> host_;
    bool left_ = false;  // said goodbye, and has not joined since
    std::uint64_t joined_us_ = 0;

    // The clock's exchanges with the peer we follow.
    static constexpr std::size_t kPings = 8;
    std::optional<LinkNumber> reference_;
    std::array<Instant, kPings> ping_sent_{};
    std::uint8_t next_ping_ = 0;
    Instant next_ping_at_{};

    bool updates_turn_ = false;
    bool upload_short_ = false;  // not all that could be sent was chosen
    std::vector<LinkNumber> urgent_;
    std::vector<LinkNumber> passed_over_;  // urgent ones that did not fit
    std::vector<LinkNumber> ready_;        // from ready_at_ on
    std::size_t ready_at_ = 0;
    std::vector<PendingRefusal> refusals_;
    std::vector<Link> farewells_;  // links we left, to say goodbye on
    std::vector<ParkedChannel> parked_;

    ByteLedger ledger_;
    RejectionCounts rejections_;
    std::uint64_t updates_sent_ = 0;
    std::uint64_t updates_received_ = 0;
    std::uint64_t updates_stale_ = 0;
    std::uint64_t datagrams_received_ = 0;
    std::uint64_t bytes_received_ = 0;
    std::uint64_t messages_delivered_ = 0;

    // The datagram being read, for handle_reliable().
    Instant reading_at_{};
    LinkSlot* reading_ = nullptr;
    std::uint16_t reading_sequence_ = 0;
    unsigned messages_read_ = 0;  // that want an acknowledgement
    bool said_goodbye_ = false;
    bool reading_pieces_ = false;
    std::vector<std::size_t> assembled_sizes_;
    Relayed forwarded_;                    // scratch
    Recycled<Relayed> passed_on_;          // of those not linked with us yet
    std::vector<std::uint8_t> assembled_;  // messages put together from fragments, read after the datagram

    // Scratch, kept for its memory.
    OverlayActions actions_;
    std::vector<News> news_;
    std::vector<Candidate> candidates_;
    Moment word_;                         // being read
    std::vector<std::uint8_t> passing_;   // being passed on
    bool passes_on_ = false;              // somebody's updates go through us
    bool holds_back_ = false;             // a word waits for the one through whom it should come
    std::vector<std::uint16_t> carried_;  // primaries written into the datagram at hand
    mutable std::vector<Replica> shown_;
};

}  // namespace fray
