#include "link/admission.hpp"

#include <fray/fingerprint.hpp>

#include "link/outbound.hpp"

#include <algorithm>

namespace fray {

namespace {

// Pending handshakes that other peers began; from there on newcomers are sent to other members.
constexpr std::size_t kBusy = 64;

/// What all peers of a session must have in common. Vision range, margin and the limits of what a peer
/// remembers may differ: each peer tells the others how far it sees.
std::uint32_t print_of(const OverlayOptions& overlay) {
    Fingerprint print;
    print.add(std::uint64_t{overlay.index()});
    if (const auto* psense = std::get_if<PSense>(&overlay)) {
        print.add(std::uint64_t{psense->sectors}).add(std::uint64_t{psense->hop_limit});
        print.add(std::uint64_t{psense->watchful}).add(std::uint64_t{psense->paper_cap_bytes != 0});
    }
    return static_cast<std::uint32_t>(print.value() >> 32U);
}

std::size_t count_pending(const LinkTable& links, const auto& which) {
    return static_cast<std::size_t>(std::ranges::count_if(links.pending(), which));
}

}  // namespace

Admission::Admission(const Around& around, const PeerOptions& options, PeerId self, Seed seed)
    : around_{around},
      options_{options.link},
      self_{self},
      world_print_{options.world.fingerprint()},
      overlay_print_{print_of(options.overlay)},
      choice_{seed, "handshake"},
      contests_{around.out, options.world.tick} {}

Admission::Verdict Admission::refuse(Rejection why, Reason reason) {
    around_.rejections.count(why);
    return {What::refuse, reason};
}

Admission::Verdict Admission::judge(const Question& question) {
    if (const auto verdict = compare(question)) return *verdict;
    if (const auto verdict = judge_id(question)) return *verdict;
    if (const auto verdict = judge_room(question)) return *verdict;
    return {};
}

std::optional<Admission::Verdict> Admission::compare(const Question& question) {
    const Hello& hello = question.hello;
    if (hello.version != kProtocolVersion) return refuse(Rejection::version, Reason::version_mismatch);
    if (hello.world != world_print_) return refuse(Rejection::world, Reason::world_mismatch);
    if (hello.overlay != overlay_print_) return refuse(Rejection::world, Reason::overlay_mismatch);
    if (hello.id == self_ || hello.id == PeerId{}) return refuse(Rejection::impossible, Reason::own_id);
    return std::nullopt;
}

std::optional<Admission::Verdict> Admission::judge_id(const Question& question) {
    const Hello& hello = question.hello;
    const Link* living = around_.links.up_with(hello.id);
    if (living == nullptr || living->ends.address == question.from) return std::nullopt;
    const LinkEnds& ends = living->ends;
    // It moved, or our first message to it is on its way.
    const bool same_stay = ends.incarnation == Incarnation{hello.incarnation};
    if (ends.remote_token == Token{hello.token} || (!ends.remote_known && same_stay)) return std::nullopt;
    switch (contests_.judge(question.now, *living)) {
        case IdContests::Verdict::free:
            return std::nullopt;
        case IdContests::Verdict::taken:
            return refuse(Rejection::impossible, Reason::own_id);
        case IdContests::Verdict::open:
            return Verdict{What::ignore, {}};
    }
    return std::nullopt;
}

std::optional<Admission::Verdict> Admission::judge_room(const Question& question) {
    const Hello& hello = question.hello;
    const Link* called = hello.answers ? around_.links.at(hello.answered_link) : nullptr;
    const bool is_answer = called != nullptr && called->ends.local_token == question.echo;
    const Link* pending = is_answer ? called : pending_with(question.from, hello);
    // A peer that is linked with us takes no further place. But its id and address may be forged as well.
    const bool is_linked = around_.links.up_with(hello.id) != nullptr;
    if (pending != nullptr && (is_linked || holds_place(*pending))) return std::nullopt;
    const std::size_t places = this->places();
    if (!is_linked && question.room <= places) return refuse(Rejection::no_room, Reason::full);
    if (pending != nullptr) return std::nullopt;
    if (!is_linked && is_busy(hello)) return refuse(Rejection::no_room, Reason::busy);
    if (question.is_proven || options_.early_data) return std::nullopt;
    // The last places are for callers that prove their address.
    const std::size_t most = is_linked ? kMaxStrangers : std::min(kMaxStrangers, question.room - places);
    if (strangers() < most) return std::nullopt;
    around_.rejections.count(Rejection::no_room);
    return Verdict{What::ask_proof, {}};
}

// --- pending links ---

bool Admission::is_stranger(LinkNumber link) const {
    return !around_.links.is_up(link) && !around_.links.at(link)->ends.proven &&
           !around_.greetings.find(link)->called;
}

std::size_t Admission::strangers() const {
    return count_pending(around_.links, [this](LinkNumber n) { return is_stranger(n); });
}

std::size_t Admission::places() const {
    // Neither our own join nor callers that wait for it, and no contact that has not answered our call, since
    // it may have been invented.
    return count_pending(around_.links, [this](LinkNumber n) {
        return around_.links.at(n)->ends.proven && !is_joining_over(n) &&
               !around_.greetings.find(n)->waits_for_join;
    });
}

bool Admission::holds_place(const Link& link) const {
    const LinkNumber number = link.ends.local_number;
    return link.ends.proven || around_.links.is_up(number) || is_joining_over(number);
}

bool Admission::has_place(LinkNumber link, std::size_t room) const {
    const Link& pending = *around_.links.at(link);
    return holds_place(pending) || around_.links.up_with(pending.ends.peer) != nullptr || room > places();
}

bool Admission::is_busy(const Hello& hello) const {
    if (!hello.newcomer || around_.links.up_links().empty()) return false;
    return count_pending(around_.links,
                         [this](LinkNumber n) { return !around_.greetings.find(n)->called; }) >= kBusy;
}

bool Admission::may_call(const Address& address) const {
    if (options_.early_data) return true;
    std::size_t unheard = 0;
    std::size_t at_host = 0;
    for (const LinkNumber n : around_.links.pending()) {
        const LinkEnds& ends = around_.links.at(n)->ends;
        if (ends.proven || !around_.greetings.find(n)->called || is_joining_over(n)) continue;
        ++unheard;
        at_host += ends.address.ip == address.ip ? 1 : 0;
    }
    return unheard < kMaxUnheardCalls && at_host < kMaxUnheardCallsAtHost;
}

Link* Admission::pending_with(const Address& from, const Hello& hello) const {
    for (const LinkNumber number : around_.links.pending()) {
        Link* link = around_.links.at(number);
        const LinkEnds& ends = link->ends;
        // A peer that we called by address only may be calling us at the same time.
        const bool by_address = ends.peer == PeerId{} && ends.address == from && !is_joining_over(number);
        // From elsewhere it may be forged, and our call must not follow it there.
        const bool by_id =
            ends.peer == hello.id && (ends.address == from || !around_.greetings.find(number)->called);
        if (!by_id && !by_address) continue;
        if (!ends.remote_known || ends.remote_token == Token{hello.token}) return link;
    }
    return nullptr;
}

OtherPeers Admission::some_others(const Address& asker) {
    OtherPeers others;
    const auto up = around_.links.up_links();
    if (up.empty()) return others;
    const std::size_t first = choice_.below(static_cast<std::uint32_t>(up.size()));
    for (std::size_t i = 0; i < up.size() && others.count < OtherPeers::kMost; ++i) {
        const LinkEnds& ends = around_.links.at(up[(first + i) % up.size()])->ends;
        // The asker itself may still be linked with us under a former id.
        if (ends.remote_known && ends.proven && ends.address != asker)
            others.addresses[others.count++] = ends.address;
    }
    return others;
}

}  // namespace fray
