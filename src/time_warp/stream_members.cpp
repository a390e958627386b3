// The part of the streams that admits newcomers, and meets other parts of the same match.

#include "time_warp/stream_log.hpp"

#include <algorithm>
#include <utility>

namespace fray {

namespace {

constexpr Duration kKnockEvery{500ms};
constexpr Duration kRivalEvery{2s};
constexpr std::size_t kMostKnocks = 256;

}  // namespace

void StreamLog::link_up(Instant now, const PeerId& peer) {
    now_ = now;
    roster_.set_link(now, peer, true);
}

void StreamLog::link_down(Instant now, const PeerId& peer) {
    now_ = now;
    knocks_.erase(peer);
    states_.forget(peer);
    roster_.set_link(now, peer, false);
}

void StreamLog::take_note(const PeerId& from, StreamNote& note) {
    using Kind = StreamNote::Kind;
    if (!roster_.is_member()) {
        if (note.kind == Kind::welcome) take_welcome(from, note);
        return;
    }
    switch (note.kind) {
        case Kind::knock:
            return take_knock(from, note);
        case Kind::report:
            return losses_.take_report(from, note);
        case Kind::legacy:
            return losses_.take_legacy(from, note);
        case Kind::rival:
            return take_rival(from, note);
        case Kind::wanted:
            return states_.take_wanted(from, note);
        case Kind::piece:
            return states_.take_piece(now_, from, note);
        case Kind::desync:
            if (roster_.find(from) != nullptr)
                out_.event(DesyncReport{from, note.tick, std::move(note.bytes)});
            return;
        case Kind::welcome:
            return;
    }
}

// --- newcomers ---

void StreamLog::knock() {
    if (now_ < knock_at_) return;
    knock_at_ = now_ + kKnockEvery;
    StreamNote knocking{.kind = StreamNote::Kind::knock, .tick = 0, .flag = options_.watches};
    knocking.number = stay_;
    for (const PeerId& peer : roster_.links()) out_.note(peer, knocking);
}

void StreamLog::take_knock(const PeerId& from, const StreamNote& note) {
    if (knocks_.size() >= kMostKnocks) return;
    StreamMember* member = roster_.find(from);
    // A knock may arrive after its welcome has left. One of a new stay means that the old one is over.
    const bool is_other = member != nullptr && member->stay != note.number;
    if (is_other && member->is_active()) losses_.suspect(from, *member);
    const bool may_enter = member == nullptr || member->is_settled() || (is_other && member->watches());
    if (may_enter) knocks_[from] = {note.flag, note.number};
}

/// By the keeper of the list, when no loss is under way.
void StreamLog::admit_knockers() {
    if (knocks_.empty() || !roster_.is_keeper() || roster_.has_lost()) return;
    for (const auto& [peer, knock] : std::exchange(knocks_, {})) admit(peer, knock);
}

void StreamLog::admit(const PeerId& peer, const Knock& knock) {
    const PartNumber seat = knock.watches ? kNoSeat : roster_.free_seat(peer, options_.seats);
    if (!roster_.is_linked(peer) || (!knock.watches && seat == kNoSeat)) return;
    StreamNote welcome{.kind = StreamNote::Kind::welcome, .tick = own_.through()};
    StreamLine line{.tick = 0, .author = roster_.self(), .kind = StreamLine::Kind::enter, .subject = peer};
    line.seat = seat;
    line.count = knock.stay;
    say_now(std::move(line));
    welcome.bytes = options_.greeting;
    welcome.members = roster_.seated();
    out_.note(peer, std::move(welcome));
}

void StreamLog::enter(const SeatedPeer& seated) {
    if (!roster_.enter(now_, seated) || seated.seat == kNoSeat) return;
    if (seated.is_lost)
        out_.event(MemberLeft{seated.peer, seated.seat});
    else
        out_.event(MemberEntered{seated.peer, seated.seat, seated.since});
}

void StreamLog::take_welcome(const PeerId& from, const StreamNote& note) {
    const auto self = std::ranges::find(note.members, roster_.self(), &SeatedPeer::peer);
    const bool is_meant = self != note.members.end() && self->since == note.tick && self->stay == stay_ &&
                          roster_.is_linked(from);
    if (!is_meant) return;
    roster_.admit_self(*self);
    horizon_ = std::max(horizon_, note.tick);
    own_ = AuthorStream{note.tick};
    own_.begin(1);
    options_.greeting = note.bytes;
    out_.event(Admitted{note.tick, self->seat, note.bytes});
    for (SeatedPeer seated : note.members) {
        seated.since = std::min(seated.since, note.tick);
        if (seated.peer != roster_.self()) enter(seated);
    }
    if (note.tick != 0) states_.ask(now_, from, note.tick, false);
}

// --- parts of a match that meet ---

void StreamLog::greet_rivals() {
    if (now_ < rival_at_) return;
    rival_at_ = now_ + kRivalEvery;
    for (const PeerId& peer : roster_.links()) {
        const StreamMember* member = roster_.find(peer);
        if (member != nullptr && !member->end) continue;
        const SeatedPeer oldest = roster_.oldest();
        StreamNote rival{.kind = StreamNote::Kind::rival};
        rival.subject = oldest.peer;
        rival.since = oldest.since;
        rival.number = static_cast<std::uint32_t>(roster_.players().size());
        out_.note(peer, std::move(rival));
    }
}

void StreamLog::take_rival(const PeerId& from, const StreamNote& note) {
    // Members of another part were members here.
    if (!roster_.is_linked(from) || roster_.find(from) == nullptr) return;
    const SeatedPeer mine = roster_.oldest();
    const std::size_t size = roster_.players().size();
    const bool is_older = note.since != mine.since ? note.since < mine.since : note.subject < mine.peer;
    if (note.number > size || (note.number == size && is_older)) evict();
}

void StreamLog::evict() {
    if (!roster_.is_member()) return;
    roster_.forget();
    losses_.forget();
    states_.forget_all();
    knocks_.clear();
    ++stay_;
    knock_at_ = now_ + kKnockEvery;
    out_.event(Evicted{});
}

}  // namespace fray
