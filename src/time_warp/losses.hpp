#pragma once
// Lost members: the survivors agree which of their lines count. Each reports what it has to the keeper of the
// list; when all have, the keeper says that the member has left, with the largest number of lines that any
// survivor has, and sends the lines that others lack.

#include "time_warp/roster.hpp"
#include "time_warp/stream_out.hpp"

#include <map>

namespace fray {

/// Where lines of others, and own ones, become known.
class LineSink {
public:
    virtual ~LineSink() = default;
    /// False if the line is refused.
    virtual bool take_line(StreamMember& member, StreamLine line, const PeerId& author) = 0;
    /// In the first tick that is not promised yet.
    virtual void say_now(StreamLine line) = 0;
    /// This member cannot go on: it is evicted, and may join again.
    virtual void give_up() = 0;
};

class Losses {
public:
    Losses(Roster& roster, StreamOut& out, LineSink& sink) : roster_{roster}, out_{out}, sink_{sink} {}

    /// Nothing more is taken from it: what it has said so far is what this member reports.
    void suspect(const PeerId& peer, StreamMember& member);
    /// The next lines for this member are not kept any more.
    void suspect_laggards(const AuthorStream& own);
    /// Once per frame.
    void tend(Instant now, const StreamOptions& options);
    /// A member has left by a line of the keeper.
    void settle(const StreamLine& line);
    void take_report(const PeerId& from, const StreamNote& note);
    void take_legacy(const PeerId& from, const StreamNote& note);
    void forget() { reports_.clear(); }

private:
    struct Report {
        std::uint32_t number = 0;
        Tick through = 0;
    };

    void watch(Instant now, const StreamOptions& options);
    void report(const PeerId& to);
    void end_lost(bool asks);
    void ask_survivors(const PeerId& lost, const StreamMember& member);
    [[nodiscard]] bool has_all_reports(const PeerId& lost);
    void end(const PeerId& peer, StreamMember& member);
    void bequeath(const PeerId& to, const PeerId& lost);
    void write_lines(StreamNote& note, const PeerId& to, const StreamMember& lost);
    void take_lines(StreamMember& lost, const StreamNote& note);

    Roster& roster_;
    StreamOut& out_;
    LineSink& sink_;
    std::map<PeerId, std::map<PeerId, Report>> reports_;  // by lost member, by survivor
    Instant report_at_ = Instant::min();
    Instant now_ = Instant::min();
};

}  // namespace fray
