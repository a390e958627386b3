#pragma once
// Whole states that go from member to member, for newcomers and after a desync; and the hashes by which a
// desync is found.

#include "time_warp/checkpoint_votes.hpp"
#include "time_warp/roster.hpp"
#include "time_warp/state_pieces.hpp"
#include "time_warp/stream_out.hpp"

#include <vector>

namespace fray {

class StateExchange {
public:
    StateExchange(Roster& roster, StreamOut& out, StreamCounts& counts)
        : roster_{roster}, out_{out}, counts_{counts} {}

    void ask(Instant now, const PeerId& from, Tick tick, bool exact);
    void offer(const PeerId& to, Tick tick, std::vector<std::uint8_t> bytes);
    void set_own_hash(Instant now, Tick tick, std::uint64_t hash);
    void report_desync(Tick tick, std::vector<std::uint8_t> text);
    /// Once per frame.
    void tend(Instant now);

    void take_wanted(const PeerId& from, const StreamNote& note);
    void take_piece(Instant now, const PeerId& from, const StreamNote& note);
    void take_hash(const PeerId& from, Tick tick, std::uint64_t hash) { votes_.set(from, tick, hash); }
    void forget(const PeerId& peer) { sender_.forget(peer); }
    void forget_all();
    /// The newest own hash, for a packet that promises up to `through`.
    void write_hash(StreamPacket& packet) const;

private:
    void ask_again(Instant now);
    void vote(Instant now);

    Roster& roster_;
    StreamOut& out_;
    StreamCounts& counts_;
    CheckpointVotes votes_;
    StateSender sender_;
    StateReceiver receiver_;
};

}  // namespace fray
