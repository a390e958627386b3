#pragma once
// The members of a match, as this one knows them, and the peers that are linked.

#include <fray/time_warp/tick_streams.hpp>

#include "time_warp/author_stream.hpp"
#include "time_warp/checkpoint_votes.hpp"
#include "time_warp/stream_messages.hpp"

#include <map>
#include <optional>
#include <set>
#include <vector>

namespace fray {

/// Another member.
struct StreamMember {
    PartNumber seat = 0;
    Tick since = 0;
    std::uint32_t stay = 0;
    AuthorStream said;
    // What it has of ours.
    std::uint32_t acked = 0;
    std::uint32_t sent = 0;  // lines sent at least once
    Instant next_packet = Instant::min();
    std::uint32_t packets = 0;
    // Whether it is still there.
    bool linked = false;
    bool was_linked = false;  // at any time
    bool suspect = false;     // lost: nothing more is taken from it
    Instant changed{};        // when the link came or went
    Instant progressed{};     // when its promise last grew
    struct End {
        std::uint32_t count = 0;
        Tick through = 0;
    };
    std::optional<End> end;
    std::optional<Instant> gap_since;  // lost: what another member sent does not reach back to said.next()

    [[nodiscard]] bool watches() const { return seat == kNoSeat; }
    [[nodiscard]] bool is_active() const { return !suspect && !end; }
    [[nodiscard]] bool plays() const { return is_active() && !watches(); }
    [[nodiscard]] bool is_lost() const { return suspect && !watches() && !is_settled(); }
    [[nodiscard]] bool is_settled() const { return end && said.next() > end->count; }
    [[nodiscard]] std::uint32_t known() const { return said.has_begun() ? said.next() - 1 : 0; }
};

class Roster {
public:
    explicit Roster(const PeerId& self) : self_{self} {}

    // --- this member ---
    [[nodiscard]] const PeerId& self() const { return self_; }
    [[nodiscard]] bool is_member() const { return is_member_; }
    [[nodiscard]] PartNumber seat() const { return seat_; }
    [[nodiscard]] Tick since() const { return since_; }
    [[nodiscard]] bool plays() const { return is_member_ && seat_ != kNoSeat; }
    void admit_self(const SeatedPeer& seated);
    void forget();

    // --- links ---
    [[nodiscard]] const std::set<PeerId>& links() const { return links_; }
    [[nodiscard]] bool is_linked(const PeerId& peer) const { return links_.contains(peer); }
    void set_link(Instant now, const PeerId& peer, bool is_up);

    // --- the others; lost ones stay until they return ---
    [[nodiscard]] std::map<PeerId, StreamMember>& others() { return others_; }
    [[nodiscard]] const std::map<PeerId, StreamMember>& others() const { return others_; }
    [[nodiscard]] StreamMember* find(const PeerId& peer);
    /// False if it is a member already.
    bool enter(Instant now, const SeatedPeer& seated);
    void forget_lost_watchers();

    // --- all ---
    /// Those that play, in order of id, this one included.
    [[nodiscard]] std::vector<PeerId> players() const;
    [[nodiscard]] std::vector<CheckpointVotes::Voter> voters() const;
    /// For a newcomer: the members, then those that were lost, the last one first.
    [[nodiscard]] std::vector<SeatedPeer> seated() const;
    /// The one with the smallest id keeps the list.
    [[nodiscard]] std::optional<PeerId> keeper() const;
    [[nodiscard]] bool is_keeper() const { return plays() && keeper() == self_; }
    [[nodiscard]] SeatedPeer oldest() const;
    [[nodiscard]] bool has_lost() const;
    /// The seat that the peer had before, or the first that is free; kNoSeat: none is.
    [[nodiscard]] PartNumber free_seat(const PeerId& peer, std::size_t seats) const;

private:
    PeerId self_;
    bool is_member_ = false;
    PartNumber seat_ = kNoSeat;
    Tick since_ = 0;
    std::uint32_t stay_ = 0;
    std::map<PeerId, StreamMember> others_;
    std::set<PeerId> links_;
};

}  // namespace fray
