// The part of the streams that knows the members: newcomers, lost ones, and other parts of the same match.

#include "time_warp/stream_log.hpp"

#include <algorithm>
#include <utility>

namespace fray {

namespace {

constexpr Duration kKnockEvery{500ms};
constexpr Duration kReportEvery{500ms};
constexpr Duration kRivalEvery{2s};
constexpr std::size_t kMostKnocks = 256;

}  // namespace

void StreamLog::link_up(Instant now, const PeerId& peer) {
    now_ = now;
    links_.insert(peer);
    if (Member* member = find(peer)) {
        member->linked = true;
        member->changed = now;
    }
}

void StreamLog::link_down(Instant now, const PeerId& peer) {
    now_ = now;
    links_.erase(peer);
    knocks_.erase(peer);
    sender_.forget(peer);
    if (Member* member = find(peer)) {
        member->linked = false;
        member->changed = now;
    }
}

void StreamLog::take_note(const PeerId& from, StreamNote& note) {
    using Kind = StreamNote::Kind;
    switch (note.kind) {
        case Kind::knock:
            return take_knock(from, note);
        case Kind::welcome:
            return take_welcome(from, note);
        case Kind::report:
            return take_report(from, note);
        case Kind::legacy:
            return take_legacy(note);
        case Kind::rival:
            return take_rival(from, note);
        case Kind::wanted:
            return take_wanted(from, note);
        case Kind::piece:
            return take_piece(from, note);
        case Kind::desync:
            if (find(from) != nullptr)
                events_.push_back(DesyncReport{from, note.tick, std::move(note.bytes)});
            return;
    }
}

/// Once per frame.
void StreamLog::keep_members() {
    watch_links();
    const bool is_due = report_lost();
    if (is_keeper()) {
        end_lost(is_due);
        admit_knockers();
    }
    greet_rivals();
}

/// The member with the smallest id keeps the list.
std::optional<PeerId> StreamLog::keeper() const {
    std::optional<PeerId> least;
    if (is_member_ && seat_ != kNoSeat) least = self_;
    for (const auto& [peer, member] : members_) {
        if (member.is_active() && !member.watches() && (!least || peer < *least)) least = peer;
    }
    return least;
}

std::uint32_t StreamLog::active_members() const { return static_cast<std::uint32_t>(members().size()); }

SeatedPeer StreamLog::oldest() const {
    SeatedPeer oldest{self_, seat_, since_};
    for (const auto& [peer, member] : members_) {
        const bool is_older = member.since != oldest.since ? member.since < oldest.since : peer < oldest.peer;
        if (member.is_active() && !member.watches() && is_older) oldest = {peer, member.seat, member.since};
    }
    return oldest;
}

// --- newcomers ---

void StreamLog::knock() {
    if (now_ < knock_at_) return;
    knock_at_ = now_ + kKnockEvery;
    for (const PeerId& peer : links_)
        note(peer, {.kind = StreamNote::Kind::knock, .tick = 0, .flag = options_.watches});
}

void StreamLog::take_knock(const PeerId& from, const StreamNote& note) {
    if (!is_member_ || knocks_.size() >= kMostKnocks) return;
    Member* member = find(from);
    // It has no seat any more: this is a new stay of it, and the list has the old one.
    if (member != nullptr && member->is_active() && member->said.has_begun()) suspect(from, *member);
    if (member == nullptr || member->is_settled() || member->watches()) knocks_[from] = note.flag;
}

void StreamLog::admit_knockers() {
    if (knocks_.empty() || has_suspects()) return;
    for (const auto& [peer, watches] : std::exchange(knocks_, {})) admit(peer, watches);
}

void StreamLog::admit(const PeerId& peer, bool watches) {
    const PartNumber seat = watches ? kNoSeat : free_seat(peer);
    if (!links_.contains(peer) || (!watches && seat == kNoSeat)) return;
    const Tick tick = own_.through();
    say_line({.tick = tick, .author = self_, .kind = StreamLine::Kind::enter, .subject = peer, .seat = seat});
    StreamNote welcome{.kind = StreamNote::Kind::welcome, .tick = tick};
    welcome.bytes = options_.greeting;
    welcome.members.push_back({self_, seat_, since_});
    for (const auto& [other, member] : members_) {
        if (member.is_active()) welcome.members.push_back({other, member.seat, member.since});
    }
    note(peer, std::move(welcome));
}

/// The seat that the peer had before, or the first that is free.
PartNumber StreamLog::free_seat(const PeerId& peer) const {
    std::vector<bool> is_taken(options_.seats);
    if (seat_ < is_taken.size()) is_taken[seat_] = true;
    for (const auto& [other, member] : members_) {
        if (other != peer && !member.is_settled() && member.seat < is_taken.size())
            is_taken[member.seat] = true;
    }
    const auto before = members_.find(peer);
    if (before != members_.end() && before->second.seat < is_taken.size() && !is_taken[before->second.seat])
        return before->second.seat;
    // A seat that a lost member may come back to is taken last.
    std::vector<bool> is_kept = is_taken;
    for (const auto& [other, member] : members_) {
        if (member.seat < is_kept.size()) is_kept[member.seat] = true;
    }
    for (const std::vector<bool>* seats : {&is_kept, &is_taken}) {
        const auto free = std::ranges::find(*seats, false);
        if (free != seats->end()) return static_cast<PartNumber>(free - seats->begin());
    }
    return kNoSeat;
}

void StreamLog::apply_enter(const StreamLine& line) {
    if (line.subject == self_) return;  // a newcomer learns it from its welcome
    Member* known = find(line.subject);
    if (known != nullptr && !known->is_settled() && !known->watches()) return;
    Member member;
    member.seat = line.seat;
    member.since = line.tick;
    member.said = AuthorStream{std::max(line.tick, since_)};
    member.linked = links_.contains(line.subject);
    member.changed = member.progressed = now_;
    members_.insert_or_assign(line.subject, std::move(member));
    if (line.seat != kNoSeat) events_.push_back(MemberEntered{line.subject, line.seat});
}

void StreamLog::take_welcome(const PeerId& from, const StreamNote& note) {
    if (is_member_ || note.members.empty() || !links_.contains(from)) return;
    const auto self = std::ranges::find(note.members, self_, &SeatedPeer::peer);
    if (self == note.members.end() || self->since != note.tick) return;
    is_member_ = true;
    seat_ = self->seat;
    since_ = note.tick;
    horizon_ = std::max(horizon_, since_);
    own_ = AuthorStream{since_};
    own_.begin(1);
    options_.greeting = note.bytes;
    events_.push_back(Admitted{since_, seat_, note.bytes});
    for (const SeatedPeer& seated : note.members) {
        if (seated.peer == self_) continue;
        apply_enter({.tick = std::min(seated.since, since_),
                     .author = from,
                     .kind = StreamLine::Kind::enter,
                     .subject = seated.peer,
                     .seat = seated.seat});
    }
    if (since_ != 0) ask_state(from, since_, false);
}

// --- lost members ---

void StreamLog::watch_links() {
    for (auto& [peer, member] : members_) {
        if (!member.is_active()) continue;
        const bool is_gone = !member.linked && now_ - member.changed > options_.patience;
        const bool is_silent = !member.watches() && now_ - member.progressed > options_.silence;
        if (is_gone || is_silent) suspect(peer, member);
    }
    std::erase_if(members_, [](const auto& entry) { return entry.second.watches() && entry.second.suspect; });
}

/// Nothing more is taken from it: what it has said so far is what this member reports.
void StreamLog::suspect(const PeerId& peer, Member& member) {
    member.suspect = true;
    report_at_ = Instant::min();
    reports_[peer];
}

bool StreamLog::has_suspects() const {
    return std::ranges::any_of(members_, [](const auto& entry) {
        const Member& member = entry.second;
        return member.suspect && !member.watches() && !member.is_settled();
    });
}

/// To the keeper of the list, again and again until the lost member's end is settled here.
bool StreamLog::report_lost() {
    if (now_ < report_at_) return false;
    report_at_ = now_ + kReportEvery;
    const std::optional<PeerId> to = keeper();
    if (!to) return false;
    for (auto& [peer, member] : members_) {
        if (!member.suspect || member.watches() || member.is_settled()) continue;
        StreamNote report{.kind = StreamNote::Kind::report, .tick = member.said.through()};
        report.subject = peer;
        report.since = member.since;
        report.number = member.said.has_begun() ? member.said.next() - 1 : 0;
        report.lines = member.said.from(1, kMostLinesInNote);
        report.first = report.lines.empty() ? 1 : report.lines.front().number;
        if (*to == self_)
            reports_[peer][self_] = {report.number, report.tick};
        else
            note(*to, std::move(report));
    }
    return true;
}

void StreamLog::take_report(const PeerId& from, const StreamNote& note) {
    Member* lost = find(note.subject);
    const Member* survivor = find(from);
    if (!is_member_ || lost == nullptr || survivor == nullptr || !survivor->is_active()) return;
    if (lost->since != note.since) return;
    if (!lost->suspect && keeper() == from) suspect(note.subject, *lost);
    if (!is_keeper()) return;
    if (lost->is_settled()) return bequeath(from, note.subject);
    if (!lost->suspect) suspect(note.subject, *lost);
    reports_[note.subject][from] = {note.number, note.tick};
    // What one survivor has counts for all.
    if (!note.lines.empty() && note.first <= lost->said.next()) {
        lost->said.begin(note.first);
        for (const StreamLine& line : note.lines) {
            if (line.number >= lost->said.next() && !take_line(*lost, line, note.subject)) break;
        }
    }
}

/// When all survivors have reported.
void StreamLog::end_lost(bool asks) {
    for (auto& [peer, member] : members_) {
        if (member.suspect && !member.end && !member.watches() && has_all_reports(peer, member, asks))
            end(peer, member);
    }
}

/// Asks the survivors that have not reported: they may still be linked with the lost member.
bool StreamLog::has_all_reports(const PeerId& lost, const Member& member, bool asks) {
    const auto& reports = reports_[lost];
    bool has_all = reports.contains(self_);
    for (const auto& [survivor, state] : members_) {
        if (!state.is_active() || state.watches() || reports.contains(survivor)) continue;
        has_all = false;
        StreamNote question{.kind = StreamNote::Kind::report, .tick = member.said.through()};
        question.subject = lost;
        question.since = member.since;
        if (asks) note(survivor, std::move(question));
    }
    return has_all;
}

void StreamLog::end(const PeerId& peer, Member& member) {
    Tick through = member.said.through();
    for (const auto& [survivor, report] : reports_[peer]) through = std::max(through, report.through);
    member.said.promise(through);
    const std::uint32_t count = member.said.has_begun() ? member.said.next() - 1 : 0;
    const PartNumber seat = member.seat;
    say_line({.tick = own_.through(),
              .author = self_,
              .kind = StreamLine::Kind::leave,
              .subject = peer,
              .seat = seat,
              .count = count,
              .through = through});
    for (const auto& [survivor, report] : std::exchange(reports_[peer], {})) {
        if (survivor != self_) bequeath(survivor, peer);
    }
    reports_.erase(peer);
}

/// Sends the lines of a lost member from the beginning of the receiver's stay on, as far as they are kept.
void StreamLog::bequeath(const PeerId& to, const PeerId& lost) {
    const Member* receiver = find(to);
    const Member* member = find(lost);
    if (receiver == nullptr || member == nullptr) return;
    StreamNote legacy{.kind = StreamNote::Kind::legacy, .tick = member->said.through()};
    legacy.subject = lost;
    legacy.since = member->since;
    legacy.number = member->said.next() - 1;
    legacy.first = member->said.first_since(std::max(receiver->since, member->since));
    legacy.lines = member->said.from(legacy.first, kMostLinesInNote);
    note(to, std::move(legacy));
}

void StreamLog::take_legacy(const StreamNote& note) {
    Member* lost = find(note.subject);
    if (!is_member_ || lost == nullptr || lost->since != note.since || !lost->suspect) return;
    lost->said.begin(note.first);
    if (note.first > lost->said.next()) return;
    for (const StreamLine& line : note.lines) {
        if (line.number >= lost->said.next() && !take_line(*lost, line, note.subject)) return;
    }
}

void StreamLog::apply_leave(const StreamLine& line) {
    if (line.subject == self_) return evict();
    Member* member = find(line.subject);
    if (member == nullptr || member->end) return;
    member->suspect = true;
    member->end = Member::End{line.count, line.through};
    report_at_ = Instant::min();
    events_.push_back(MemberLeft{line.subject, line.seat});
}

// --- parts of a match that meet ---

void StreamLog::greet_rivals() {
    if (now_ < rival_at_) return;
    rival_at_ = now_ + kRivalEvery;
    for (const PeerId& peer : links_) {
        const Member* member = find(peer);
        if (member != nullptr && !member->end) continue;
        const SeatedPeer older = oldest();
        StreamNote rival{.kind = StreamNote::Kind::rival};
        rival.subject = older.peer;
        rival.since = older.since;
        rival.number = active_members();
        note(peer, std::move(rival));
    }
}

void StreamLog::take_rival(const PeerId& from, const StreamNote& note) {
    if (!is_member_ || !links_.contains(from)) return;
    const SeatedPeer mine = oldest();
    const std::uint32_t size = active_members();
    const bool is_older = note.since != mine.since ? note.since < mine.since : note.subject < mine.peer;
    if (note.number > size || (note.number == size && is_older)) evict();
}

void StreamLog::evict() {
    if (!is_member_) return;
    is_member_ = false;
    seat_ = kNoSeat;
    members_.clear();
    knocks_.clear();
    reports_.clear();
    votes_.forget();
    receiver_.stop();
    knock_at_ = now_ + kKnockEvery;
    events_.push_back(Evicted{});
}

}  // namespace fray
