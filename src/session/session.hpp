#pragma once
// Runs one peer: the session calls the parts of a Composition in a fixed order and decides nothing itself.
//
//   in    handle_datagram -> handshake / reader (token, sequence, acks) -> one part per message
//   out   frame -> primaries -> overlay (candidates) -> policy (order, cut) -> outbound -> poll_datagram
//
// session.cpp: what the game calls (entity_commands.hpp: on entities). links.cpp: links come up and go down.
// frame.cpp: once per tick.

#include <fray/peer.hpp>

#include "session/composition.hpp"
#include "session/entity_commands.hpp"
#include "session/screen.hpp"
#include "session/update_round.hpp"

#include <optional>
#include <vector>

namespace fray {

class Session final : private LinkOwner, private ClockListener {
public:
    Session(PeerOptions options, const RandomRoot& root, const Additions& additions = {});

    // --- getters ---
    [[nodiscard]] PeerId id() const { return is_.options.id; }
    [[nodiscard]] Incarnation incarnation() const { return is_.handshake.incarnation(); }
    [[nodiscard]] const World& world() const { return is_.options.world; }
    [[nodiscard]] SessionInstant session_time(Instant now) const { return is_.clock.session_time(now); }
    [[nodiscard]] const Screen& screen() const { return screen_; }
    [[nodiscard]] std::vector<PeerId> peers() const;
    [[nodiscard]] Stats stats() const;
    [[nodiscard]] Instant next_frame() const { return next_frame_; }
    [[nodiscard]] std::size_t memory_bytes() const;

    // --- network and time in ---
    void handle_datagram(Instant now, const Address& from, std::span<const std::uint8_t> bytes);
    void handle_time(Instant now);

    // --- commands ---
    Result<void> join(Instant now, const Address& known_peer);
    /// Commands on entities.
    [[nodiscard]] EntityCommands& entities(Instant now) {
        start(now);
        return entities_;
    }
    Result<void> send(Instant now, const Outgoing& message);
    Result<void> set_attention(Instant now, const AttentionWeights& weights);
    void leave(Instant now);

    // --- out ---
    [[nodiscard]] std::optional<Datagram> poll_datagram(Instant now, std::span<std::uint8_t> buffer);
    [[nodiscard]] Instant poll_wakeup() const;
    [[nodiscard]] std::optional<Event> poll_event() {
        if (is_.mailbox.empty()) return std::nullopt;  // the usual case, after every datagram
        return take_event();
    }

private:
    friend Result<void> tune(Session& session, Instant now, const Tuning& tuning);
    void start(Instant now);
    [[nodiscard]] std::optional<Event> take_event();

    // --- links.cpp ---
    void handle_hello(Instant now, const Address& from, OpenedDatagram& opened);
    void handle_data(Instant now, const Address& from, OpenedDatagram& opened);
    void read_body(Instant now, LinkNumber link, OpenedDatagram& opened);
    void call(Instant now, const Contact& contact);
    void establish(Instant now, LinkNumber link);
    void drop_link(Instant now, LinkNumber link, Reason reason) override;
    void acquaint(const PeerId& peer);
    void forget_acquaintance(const PeerId& peer);
    void drop_silent(Instant now);
    [[nodiscard]] bool is_silent(Instant now, const Link& link) const;
    /// What is queued leaves before the goodbyes, as far as the upload allows it now.
    void queue_parting(Instant now);
    void judge_join(Instant now, const PeerId& lost, Instant last_heard);
    void handle_clock_set(Instant now) override;

    // --- frame.cpp ---
    void run_frame(Instant now);
    [[nodiscard]] Outbound::Waits waits() const;
    void run_overlay(Instant now);
    void commit_primaries(Instant now);
    void carry_out(Instant now);

    Composition is_;
    EntityCommands entities_;
    Screen screen_;
    UpdateRound updates_;
    bool started_ = false;
    Frame frame_ = 0;
    Instant next_frame_{};
    Instant heard_time_{};  // time of the last handle_time()
    /// The peer that we joined through, and when.
    struct Host {
        PeerId peer;
        Instant since;
    };
    std::optional<Host> host_;
    enum class Stage : std::uint8_t {
        member,
        completing,  // Joined was reported, JoinCompleted was not
        left,        // until the next join()
    };
    Stage stage_ = Stage::member;
    struct Parting {
        Address to;
        std::vector<std::uint8_t> bytes;
    };
    std::vector<Parting> parting_;  // datagrams that leave first
    std::uint64_t datagrams_received_ = 0;
    std::uint64_t bytes_received_ = 0;
    OverlayActions actions_;  // scratch
};

/// Peer::tune().
Result<void> tune(Session& session, Instant now, const Tuning& tuning);

}  // namespace fray
