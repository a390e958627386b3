#pragma once
// The streams of one member: packets of lines, the promise and the horizon (stream_log.cpp); newcomers, and
// parts of a match that meet again (stream_members.cpp). The members are in Roster, what happens when one is
// lost in Losses, whole states and their hashes in StateExchange. See tick_streams.hpp for the protocol.

#include <fray/time_warp/tick_streams.hpp>

#include "time_warp/author_stream.hpp"
#include "time_warp/losses.hpp"
#include "time_warp/roster.hpp"
#include "time_warp/state_exchange.hpp"
#include "time_warp/stream_messages.hpp"
#include "time_warp/stream_out.hpp"

#include <deque>
#include <map>

namespace fray {

class StreamLog final : private LineSink {
public:
    StreamLog(Instant now, const PeerId& self, const StreamOptions& options, bool founds);

    [[nodiscard]] const Roster& roster() const { return roster_; }
    [[nodiscard]] Tick horizon() const { return horizon_; }
    [[nodiscard]] Tick promised() const { return own_.through(); }
    [[nodiscard]] const StreamCounts& counts() const { return counts_; }

    void link_up(Instant now, const PeerId& peer);
    void link_down(Instant now, const PeerId& peer);
    void handle_message(Instant now, const PeerId& from, std::span<const std::uint8_t> bytes);

    Result<void> say(Tick tick, std::span<const std::uint8_t> bytes);
    void advance(Instant now, Tick present);
    void set_hash(Tick tick, std::uint64_t hash);
    void set_lag(Duration lag) { options_.lag = lag; }
    void drop(const PeerId& peer) {
        StreamMember* member = roster_.find(peer);
        if (member != nullptr && member->is_active()) losses_.suspect(peer, *member);
    }

    [[nodiscard]] StateExchange& states() { return states_; }
    [[nodiscard]] StreamOut& out() { return out_; }

private:
    struct Held {
        Instant due;
        PeerId from;
        std::vector<std::uint8_t> bytes;
    };

    // --- lines (stream_log.cpp) ---
    bool take_line(StreamMember& member, StreamLine line, const PeerId& author) override;
    [[nodiscard]] bool comes_too_soon(const StreamLine& line);
    void say_now(StreamLine line) override;
    void give_up() override { is_ended_ = true; }
    void process(const PeerId& from, std::span<const std::uint8_t> bytes);
    void take_packet(const PeerId& from, const StreamPacket& packet);
    [[nodiscard]] bool take_lines(StreamMember& member, const PeerId& from, const StreamPacket& packet);
    void publish(StreamLine line);
    void say_line(StreamLine line);
    void send_packets();
    void send_packet(const PeerId& to, StreamMember& member);
    void find_horizon();

    // --- members (stream_members.cpp) ---
    void take_note(const PeerId& from, StreamNote& note);
    void take_knock(const PeerId& from, const StreamNote& note);
    void take_welcome(const PeerId& from, const StreamNote& note);
    void take_rival(const PeerId& from, const StreamNote& note);
    void enter(const SeatedPeer& seated);
    void knock();
    void admit_knockers();
    struct Knock {
        bool watches = false;
        std::uint32_t stay = 0;
    };
    void admit(const PeerId& peer, const Knock& knock);
    void greet_rivals();
    void evict();

    StreamOptions options_;
    Instant now_;
    Tick present_ = 0;
    Tick horizon_ = 0;
    StreamCounts counts_;
    Roster roster_;
    StreamOut out_;
    Losses losses_;
    StateExchange states_;
    AuthorStream own_;
    bool is_ended_ = false;  // by a line of the keeper, or because lines are missing
    std::deque<Held> middle_;
    std::map<PeerId, Knock> knocks_;  // of newcomers
    std::uint32_t stay_;              // of this one
    Instant knock_at_ = Instant::min();
    Instant rival_at_ = Instant::min();
};

}  // namespace fray
