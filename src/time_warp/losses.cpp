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

void Losses::tend(Instant now, const StreamOptions& options) {
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
        report.number = member.known();
        report.lines = member.said.from(1, kMostLinesInNote);
        report.first = report.lines.empty() ? 1 : report.lines.front().number;
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
    if (!note.lines.empty()) take_lines(*lost, note);
}

void Losses::take_lines(StreamMember& lost, const StreamNote& note) {
    lost.said.begin(note.first);
    if (note.first > lost.said.next()) return;
    for (const StreamLine& line : note.lines) {
        if (lost.is_settled()) return;  // further lines would change what is final
        if (line.number >= lost.said.next() && !sink_.take_line(lost, line, note.subject)) return;
    }
}

void Losses::end_lost(bool asks) {
    for (auto& [peer, member] : roster_.others()) {
        if (member.is_lost() && !member.end && has_all_reports(peer, member, asks)) end(peer, member);
    }
}

/// Asks the survivors that have not reported: they may still be linked with the lost member.
bool Losses::has_all_reports(const PeerId& lost, const StreamMember& member, bool asks) {
    const auto& reports = reports_[lost];
    bool has_all = reports.contains(roster_.self());
    for (const auto& [survivor, state] : roster_.others()) {
        if (!state.plays() || reports.contains(survivor)) continue;
        has_all = false;
        StreamNote question{.kind = StreamNote::Kind::report, .tick = member.said.through()};
        question.subject = lost;
        question.since = member.since;
        if (asks) out_.note(survivor, std::move(question));
    }
    return has_all;
}

void Losses::end(const PeerId& peer, StreamMember& member) {
    Tick through = member.said.through();
    for (const auto& [survivor, report] : reports_[peer]) through = std::max(through, report.through);
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

/// Sends the lines of a lost member from the beginning of the receiver's stay on, as far as they are kept.
void Losses::bequeath(const PeerId& to, const PeerId& lost) {
    const StreamMember* receiver = roster_.find(to);
    const StreamMember* member = roster_.find(lost);
    if (receiver == nullptr || member == nullptr) return;
    StreamNote legacy{.kind = StreamNote::Kind::legacy, .tick = member->said.through()};
    legacy.subject = lost;
    legacy.since = member->since;
    legacy.number = member->said.next() - 1;
    legacy.first = member->said.first_since(std::max(receiver->since, member->since));
    legacy.lines = member->said.from(legacy.first, kMostLinesInNote);
    out_.note(to, std::move(legacy));
}

void Losses::take_legacy(const PeerId& from, const StreamNote& note) {
    StreamMember* lost = roster_.find(note.subject);
    const StreamMember* survivor = roster_.find(from);
    if (survivor == nullptr || !survivor->is_active()) return;
    if (lost != nullptr && lost->since == note.since && lost->suspect) take_lines(*lost, note);
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
