#pragma once
// The streams of one member. Three concerns, a file each:
//   stream_log.cpp      packets of lines, the promise and the horizon
//   stream_members.cpp  newcomers, lost members, parts of a match that meet again
//   stream_states.cpp   states in pieces, hashes and their vote
// See tick_streams.hpp for the protocol.

#include <fray/time_warp/tick_streams.hpp>

#include "time_warp/author_stream.hpp"
#include "time_warp/checkpoint_votes.hpp"
#include "time_warp/state_pieces.hpp"
#include "time_warp/stream_messages.hpp"

#include <deque>
#include <map>
#include <optional>
#include <set>

namespace fray {

class StreamLog {
public:
    StreamLog(Instant now, const PeerId& self, const StreamOptions& options, bool founds);

    [[nodiscard]] const PeerId& self() const { return self_; }
    [[nodiscard]] bool is_member() const { return is_member_; }
    [[nodiscard]] PartNumber seat() const { return seat_; }
    [[nodiscard]] Tick horizon() const { return horizon_; }
    [[nodiscard]] Tick promised() const { return own_.through(); }
    [[nodiscard]] std::vector<PeerId> members() const;
    [[nodiscard]] const StreamCounts& counts() const { return counts_; }

    void link_up(Instant now, const PeerId& peer);
    void link_down(Instant now, const PeerId& peer);
    void handle_message(Instant now, const PeerId& from, std::span<const std::uint8_t> bytes);

    Result<void> say(Tick tick, std::span<const std::uint8_t> bytes);
    void advance(Instant now, Tick present);
    void set_hash(Instant now, Tick tick, std::uint64_t hash);
    void set_hash(Tick tick, std::uint64_t hash) { set_hash(now_, tick, hash); }
    void offer_state(const PeerId& to, Tick tick, std::vector<std::uint8_t> bytes);
    void report_desync(Tick tick, std::vector<std::uint8_t> text);
    void set_lag(Duration lag) { options_.lag = lag; }

    [[nodiscard]] std::optional<StreamMessage> poll_message() { return take(messages_); }
    [[nodiscard]] std::optional<StreamLine> poll_line() { return take(lines_); }
    [[nodiscard]] std::optional<StreamEvent> poll_event() { return take(events_); }

private:
    struct Member {
        PartNumber seat = 0;
        Tick since = 0;
        AuthorStream said;
        // What it has of ours.
        std::uint32_t acked = 0;
        std::uint32_t sent = 0;  // lines sent at least once
        Instant sent_at = Instant::min();
        std::uint32_t packets = 0;
        // Whether it is still there.
        bool linked = false;
        bool suspect = false;
        Instant changed{};     // when the link came or went
        Instant progressed{};  // when its promise last grew
        struct End {
            std::uint32_t count = 0;
            Tick through = 0;
        };
        std::optional<End> end;

        [[nodiscard]] bool watches() const { return seat == kNoSeat; }
        [[nodiscard]] bool is_active() const { return !suspect && !end; }
        [[nodiscard]] bool is_settled() const { return end && said.next() > end->count; }
    };
    struct Held {
        Instant due;
        PeerId from;
        std::vector<std::uint8_t> bytes;
    };
    struct Report {  // of a survivor about a lost member
        std::uint32_t number = 0;
        Tick through = 0;
    };

    template <class T>
    static std::optional<T> take(std::deque<T>& queue) {
        if (queue.empty()) return std::nullopt;
        std::optional<T> first{std::move(queue.front())};
        queue.pop_front();
        return first;
    }

    // --- lines (stream_log.cpp) ---
    void process(const PeerId& from, std::span<const std::uint8_t> bytes);
    void take_packet(const PeerId& from, const StreamPacket& packet);
    [[nodiscard]] bool take_lines(Member& member, const PeerId& from, const StreamPacket& packet);
    bool take_line(Member& member, StreamLine line, const PeerId& author);
    void publish(StreamLine line);
    void say_line(StreamLine line);
    void send_packets();
    void send_packet(const PeerId& to, Member& member);
    void note(const PeerId& to, StreamNote note);
    void find_horizon();
    [[nodiscard]] Member* find(const PeerId& peer);

    // --- members (stream_members.cpp) ---
    void take_note(const PeerId& from, StreamNote& note);
    void take_knock(const PeerId& from, const StreamNote& note);
    void take_welcome(const PeerId& from, const StreamNote& note);
    void take_report(const PeerId& from, const StreamNote& note);
    void take_legacy(const StreamNote& note);
    void take_rival(const PeerId& from, const StreamNote& note);
    void apply_enter(const StreamLine& line);
    void apply_leave(const StreamLine& line);
    void keep_members();
    void knock();
    void admit_knockers();
    void admit(const PeerId& peer, bool watches);
    [[nodiscard]] PartNumber free_seat(const PeerId& peer) const;
    void watch_links();
    void suspect(const PeerId& peer, Member& member);
    [[nodiscard]] bool report_lost();
    void end_lost(bool asks);
    [[nodiscard]] bool has_all_reports(const PeerId& lost, const Member& member, bool asks);
    void end(const PeerId& peer, Member& member);
    void bequeath(const PeerId& to, const PeerId& lost);
    void greet_rivals();
    void evict();
    [[nodiscard]] std::optional<PeerId> keeper() const;
    [[nodiscard]] bool is_keeper() const { return is_member_ && keeper() == self_; }
    [[nodiscard]] bool has_suspects() const;
    [[nodiscard]] SeatedPeer oldest() const;
    [[nodiscard]] std::uint32_t active_members() const;

    // --- states (stream_states.cpp) ---
    void ask_state(const PeerId& from, Tick tick, bool exact);
    void ask_again();
    void take_wanted(const PeerId& from, const StreamNote& note);
    void take_piece(const PeerId& from, const StreamNote& note);
    void take_hash(const PeerId& from, Tick tick, std::uint64_t hash);
    void vote();

    PeerId self_;
    StreamOptions options_;
    Instant now_;
    Tick present_ = 0;
    Tick horizon_ = 0;

    bool is_member_ = false;
    PartNumber seat_ = kNoSeat;
    Tick since_ = 0;
    AuthorStream own_;
    std::map<PeerId, Member> members_;  // without this one; lost ones stay until they return
    std::set<PeerId> links_;

    std::map<PeerId, bool> knocks_;  // of newcomers; whether they only watch
    Instant knock_at_ = Instant::min();
    std::map<PeerId, std::map<PeerId, Report>> reports_;  // by lost member, by survivor
    Instant report_at_ = Instant::min();
    Instant rival_at_ = Instant::min();

    CheckpointVotes votes_;
    StateSender sender_;
    StateReceiver receiver_;

    std::deque<Held> middle_;
    std::deque<StreamMessage> messages_;
    std::deque<StreamLine> lines_;
    std::deque<StreamEvent> events_;
    StreamCounts counts_;
};

}  // namespace fray
