#include "time_warp/losses.hpp"

#include <algorithm>
#include <utility>

namespace fray {

namespace {
constexpr Duration kReportEvery{500ms};
}

void Losses::suspect(const PeerId& peer, StreamMember& member) {
    member.suspect = true;
    report_at_ = Instant::min();
    reports_[peer];
}

void Losses::suspect_laggards(const AuthorStream& own) {
    for (auto& [peer, member] : roster_.others()) {
        const bool lags = own.has_forgotten(member.acked + 1, std::max(roster_.since(), member.since));
        if (lags && member.is_active()) suspect(peer, member);
    }
}

void Losses::tend(Instant now, const StreamOptions& options) {
    now_ = now;
    watch(now, options);
    const std::optional<PeerId> keeper = roster_.keeper();
    const bool is_due = keeper && now >= report_at_;
    if (is_due) {
        report_at_ = now + kReportEvery;
        report(*keeper);
    }
    if (roster_.is_keeper()) end_lost(is_due);
}

void Losses::watch(Instant now, const StreamOptions& options) {
    for (auto& [peer, member] : roster_.others()) {
        // Lines that no survivor has any more.
        if (member.is_lost() && member.gap_since && now - *member.gap_since > options.silence)
            sink_.give_up();
        if (!member.is_active()) continue;
        // The first link may take several round trips.
        const Duration patience = member.was_linked ? options.patience : options.silence;
        const bool is_gone = !member.linked && now - member.changed > patience;
        const bool is_silent = !member.watches() && now - member.progressed > options.silence;
        if (is_gone || is_silent) suspect(peer, member);
    }
    roster_.forget_lost_watchers();
}

/// Again and again, until the lost member's end is settled here.
void Losses::report(const PeerId& to) {
    for (auto& [peer, member] : roster_.others()) {
        if (!member.is_lost()) continue;
        if (to == roster_.self()) {
            reports_[peer][to] = {member.known(), member.said.through()};
            continue;
        }
        StreamNote report{.kind = StreamNote::Kind::report, .tick = member.said.through()};
        report.subject = peer;
        report.since = member.since;
        write_lines(report, to, member);
        out_.note(to, std::move(report));
    }
}

void Losses::take_report(const PeerId& from, const StreamNote& note) {
    StreamMember* lost = roster_.find(note.subject);
    const StreamMember* survivor = roster_.find(from);
    if (lost == nullptr || survivor == nullptr || !survivor->is_active()) return;
    if (lost->since != note.since) return;
    if (!lost->suspect && roster_.keeper() == from) suspect(note.subject, *lost);
    if (lost->is_settled()) return bequeath(from, note.subject);
    if (!roster_.is_keeper()) return;
    if (!lost->suspect) suspect(note.subject, *lost);
    reports_[note.subject][from] = {note.number, note.tick};
    // What one survivor has counts for all.
    take_lines(*lost, note);
    if (note.number > lost->known() && !lost->gap_since) lost->gap_since = now_;
}

/// From the beginning of the receiver's stay on, as far as they are kept.
void Losses::write_lines(StreamNote& note, const PeerId& to, const StreamMember& lost) {
    const StreamMember* receiver = roster_.find(to);
    note.base = std::max({lost.since, lost.said.base(), receiver == nullptr ? 0 : receiver->since});
    note.number = lost.known();
    note.first = lost.said.first_since(note.base);
    note.lines = lost.said.from(note.first, kMostLinesInNote);
}

void Losses::take_lines(StreamMember& lost, const StreamNote& note) {
    if (note.number == 0) return;  // the sender has heard nothing of it
    if (!lost.said.has_begun() && note.base > std::max(lost.since, roster_.since())) return;
    lost.said.begin(note.first);
    if (note.first > lost.said.next()) return;
    for (const StreamLine& line : note.lines) {
        if (lost.is_settled()) return;  // further lines would change what is final
        if (line.number >= lost.said.next() && !sink_.take_line(lost, line, note.subject)) return;
    }
}

void Losses::end_lost(bool asks) {
    for (auto& [peer, member] : roster_.others()) {
        if (!member.is_lost()) continue;
        if (asks) ask_survivors(peer, member);
        if (!member.end && has_all_reports(peer)) end(peer, member);
    }
}

/// Those that have not reported may still be linked with the lost member. If another keeper has ended it
/// already, every survivor may have the lines that are missing here.
void Losses::ask_survivors(const PeerId& lost, const StreamMember& member) {
    for (const auto& [survivor, state] : roster_.others()) {
        if (!state.plays() || (!member.end && reports_[lost].contains(survivor))) continue;
        StreamNote question{.kind = StreamNote::Kind::report, .tick = member.said.through()};
        question.subject = lost;
        question.since = member.since;
        out_.note(survivor, std::move(question));
    }
}

bool Losses::has_all_reports(const PeerId& lost) {
    const auto& reports = reports_[lost];
    return reports.contains(roster_.self()) && std::ranges::all_of(roster_.others(), [&](const auto& entry) {
               return !entry.second.plays() || reports.contains(entry.first);
           });
}

void Losses::end(const PeerId& peer, StreamMember& member) {
    Tick through = member.said.through();
    for (const auto& [survivor, report] : reports_[peer]) {
        if (report.number > member.known()) return;  // its lines have not come yet
        through = std::max(through, report.through);
    }
    member.said.promise(through);
    StreamLine line{.tick = 0, .author = roster_.self(), .kind = StreamLine::Kind::leave, .subject = peer};
    line.seat = member.seat;
    line.count = member.known();
    line.through = through;
    sink_.say_now(std::move(line));
    for (const auto& [survivor, report] : std::exchange(reports_[peer], {})) {
        if (survivor != roster_.self()) bequeath(survivor, peer);
    }
    reports_.erase(peer);
}

void Losses::bequeath(const PeerId& to, const PeerId& lost) {
    const StreamMember* member = roster_.find(lost);
    if (member == nullptr) return;
    StreamNote legacy{.kind = StreamNote::Kind::legacy, .tick = member->said.through()};
    legacy.subject = lost;
    legacy.since = member->since;
    write_lines(legacy, to, *member);
    out_.note(to, std::move(legacy));
}

void Losses::take_legacy(const PeerId& from, const StreamNote& note) {
    StreamMember* lost = roster_.find(note.subject);
    const StreamMember* survivor = roster_.find(from);
    if (survivor == nullptr || !survivor->is_active()) return;
    if (lost == nullptr || lost->since != note.since || !lost->suspect) return;
    take_lines(*lost, note);
    // The sender has settled it. If this member cannot, soon, then lines are missing that it will not get.
    if (!lost->is_settled() && !lost->gap_since) lost->gap_since = now_;
}

void Losses::settle(const StreamLine& line) {
    StreamMember* member = roster_.find(line.subject);
    if (member == nullptr || member->end) return;
    member->suspect = true;
    member->end = StreamMember::End{line.count, line.through};
    report_at_ = Instant::min();
    out_.event(MemberLeft{line.subject, line.seat});
}

}  // namespace fray
