#include "support/psense_many.hpp"

#include "support/overlay_calls.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace fray::test {

namespace {

constexpr Instant kNow{};
constexpr float kStep = 4;          // units in a round
constexpr unsigned kSilence = 12;   // rounds until a link is dropped
constexpr unsigned kKeepAlive = 3;  // rounds
constexpr unsigned kJoinsPerRound = 2;
constexpr std::size_t kRichBytes = 16'384;  // a round
constexpr std::size_t kPoorBytes = 2'048;
constexpr std::size_t kMostKept = 5;

SessionInstant instant(std::int64_t stamp) { return SessionInstant{Duration{stamp}}; }

Contact contact(std::uint16_t i) {
    return {PeerId::from_number(i + 1ULL), Incarnation{1}, Address::from_number(i + 1ULL)};
}

/// What stands for an update's bytes.
std::vector<std::uint8_t> state_of(std::uint16_t origin, std::int64_t stamp) {
    std::vector<std::uint8_t> bytes(sizeof(origin) + sizeof(stamp));
    std::memcpy(bytes.data(), &origin, sizeof(origin));
    std::memcpy(bytes.data() + sizeof(origin), &stamp, sizeof(stamp));
    return bytes;
}

std::int64_t stamp_of(std::span<const std::uint8_t> state) {
    std::int64_t stamp = 0;
    std::memcpy(&stamp, state.data() + sizeof(std::uint16_t), sizeof(stamp));
    return stamp;
}

}  // namespace

ManyPSense::ManyPSense(const ManyOptions& options, Seed seed) : options_{options}, random_{seed, "many"} {
    world_.low = {0, 0, 0};
    world_.high = {options.size, options.size, 0};
    for (Index i = 0; i < options.peers; ++i) {
        Member& m = members_.emplace_back();
        m.random = RandomStream{seed, "member", i};
        m.overlay = std::make_unique<PSenseOverlay>(options_.psense, world_, contact(i).id, seed);
        m.position = {static_cast<float>(m.random.uniform(0, options.size)),
                      static_cast<float>(m.random.uniform(0, options.size)), 0};
        m.step = {static_cast<float>(m.random.uniform(-kStep, kStep)),
                  static_cast<float>(m.random.uniform(-kStep, kStep)), 0};
    }
}

// --- the network ---

void ManyPSense::run_round() {
    ++round_;
    const auto present = std::min<std::size_t>(members_.size(), std::size_t{round_} * kJoinsPerRound);
    for (std::size_t i = present - std::min<std::size_t>(present, kJoinsPerRound); i < present; ++i)
        if (i / kJoinsPerRound + 1 == round_) join(static_cast<Index>(i));
    for (const auto& [a, b] : std::exchange(calls_, {})) link(a, b);
    std::vector<Datagram> arrived;
    const auto later =
        std::partition(under_way_.begin(), under_way_.end(), [&](auto& d) { return d.arrives > round_; });
    std::move(later, under_way_.end(), std::back_inserter(arrived));
    under_way_.erase(later, under_way_.end());
    for (const Datagram& datagram : arrived) receive(datagram);
    for (std::size_t i = 0; i < present; ++i) {
        drop_silent(static_cast<Index>(i));
        act(static_cast<Index>(i));
    }
}

void ManyPSense::join(Index i) {
    if (i > 0) calls_.emplace_back(i, static_cast<Index>(random_.below(i)));
}

void ManyPSense::link(Index a, Index b) {
    for (const auto& [self, other] : {std::pair{a, b}, std::pair{b, a}}) {
        Member& m = members_[self];
        if (!m.heard.try_emplace(other, round_).second) continue;
        m.overlay->handle_link_up(kNow, {other, contact(other), false});
        m.overlay->handle_alive(kNow, other);  // its hello
    }
}

void ManyPSense::drop_silent(Index i) {
    Member& m = members_[i];
    for (auto at = m.heard.begin(); at != m.heard.end();) {
        if (round_ - at->second <= kSilence) {
            ++at;
            continue;
        }
        m.overlay->handle_link_down(kNow, {at->first, contact(at->first), Reason::timed_out});
        m.shown.erase(at->first);  // the game was told that it is gone
        at = m.heard.erase(at);
    }
}

void ManyPSense::send(Datagram datagram) {
    members_[datagram.from].spoken[datagram.to] = round_;
    if (random_.chance(options_.loss)) return;
    datagram.arrives = round_ + 1 + random_.below(options_.longest);
    under_way_.push_back(std::move(datagram));
}

// --- what comes in ---

ManyPSense::Copy ManyPSense::own_copy(Index origin, Stamp stamp) {
    Copy copy;
    copy.origin = origin;
    copy.from = origin;
    copy.stamp = stamp;
    copy.own = true;
    return copy;
}

void ManyPSense::receive(const Datagram& datagram) {
    Member& m = members_[datagram.to];
    const auto linked = m.heard.find(datagram.from);
    if (linked == m.heard.end()) return;
    linked->second = round_;
    if (datagram.stamp != 0) receive_update(datagram.from, datagram.to, datagram.stamp);
    for (const auto& message : datagram.messages) receive_message(datagram.from, datagram.to, message);
    for (const Passed& forward : datagram.forwards) receive_forward(datagram.from, datagram.to, forward);
    m.overlay->handle_alive(kNow, datagram.from);
}

void ManyPSense::receive_update(Index from, Index to, Stamp stamp) {
    Member& m = members_[to];
    Stamp& shown = m.shown[from];
    if (stamp < shown) ++work_.late;
    shown = std::max(shown, stamp);
    // The session tells of the newest that it shows.
    m.overlay->handle_sighting(kNow, from,
                               {members_[from].places[static_cast<std::size_t>(shown)], instant(shown)});
}

void ManyPSense::receive_message(Index from, Index to, std::span<const std::uint8_t> bytes) {
    Member& m = members_[to];
    BitReader in{bytes};
    if (!test::hear(*m.overlay, kNow, from, in)) violation("wire", own_copy(from, 0), "is not understood");
    BitReader again{bytes};
    if (static_cast<PSenseKind>(again.bits(2)) != PSenseKind::receivers) return;
    Copy copy = own_copy(from, m.shown[from]);
    copy.header.helping = again.boolean();
    (void)read_id_set(again, copy.list, kMaxReceivers);
    m.came.push_back(std::move(copy));
}

void ManyPSense::receive_forward(Index from, Index to, const Passed& forward) {
    Member& m = members_[to];
    const Copy& copy = forward.copy;
    if (copy.origin == to) return;  // our own comes back
    const std::uint64_t before = m.overlay->stats().forward_duplicates;
    const PassedOn update{
        {members_[copy.origin].places[static_cast<std::size_t>(copy.stamp)], instant(copy.stamp)},
        forward.state,
        forward.state.size() * 8};
    BitReader in{forward.bytes, forward.bits};
    const auto whose = m.overlay->handle_forward(kNow, from, in, update);
    if (!in.ok() || in.bits_left() != 0) violation("wire", copy, "is not understood");
    m.came.push_back(copy);
    m.came.back().from = from;
    m.came.back().refused = m.overlay->stats().forward_duplicates != before;
    Stamp& shown = m.shown[copy.origin];
    const bool again = copy.stamp <= shown;
    work_.copies += again ? 1 : 0;
    if (again && !m.came.back().refused) {
        if (!copy.header.helping) violation("once", copy, "came again and is not counted");
        ++work_.idle_help;  // for one who is no neighbour any more
    }
    if (!whose) return;
    if (*whose != contact(copy.origin).id) violation("once", copy, "is taken for another's");
    if (again) violation("once", copy, "is shown twice");
    ++work_.taken;
    shown = copy.stamp;
}

// --- what goes out ---

void ManyPSense::move(Member& m) const {
    const Vec3 next = m.position + m.step;
    if (next.x < 0 || next.x > options_.size) m.step.x = -m.step.x;
    if (next.y < 0 || next.y > options_.size) m.step.y = -m.step.y;
    m.position = m.position + m.step;
    m.places.resize(round_ + 1);
    m.places[round_] = m.position;
}

void ManyPSense::act(Index i) {
    Member& m = members_[i];
    const bool poor = options_.poor_most != 0 && i % 2 == 0;
    move(m);
    out_.clear();
    receivers_.clear();
    actions_.clear();
    m.overlay->round(kNow, m.position, poor ? kPoorBytes : kRichBytes, actions_);
    for (const Contact& called : actions_.calls) {
        if (!random_.chance(options_.loss)) calls_.emplace_back(i, index(called.id));
    }
    say(i);
    candidates_.clear();
    const News news{.primary = 0, .position = m.position, .bytes = 20};
    m.overlay->candidates(std::span{&news, 1}, candidates_);
    choose(i);
    actions_.clear();
    m.overlay->dispatch(kNow, candidates_, actions_);
    for (const Candidate& c : candidates_) {
        if (c.primary < kForwards) out_[c.link].stamp = round_;
    }
    say(i);
    for (const auto& [other, heard] : m.heard) {
        if (m.overlay->keeps(other) && round_ - m.spoken[other] >= kKeepAlive) out_[other];
    }
    for (auto& [other, datagram] : out_) {
        datagram.from = i;
        datagram.to = other;
        send(std::move(datagram));
    }
    m.came.clear();
}

void ManyPSense::choose(Index i) {
    for (std::size_t k = candidates_.size(); k > 1; --k)
        std::swap(candidates_[k - 1], candidates_[random_.below(static_cast<std::uint32_t>(k))]);
    const bool poor = options_.poor_most != 0 && i % 2 == 0;
    if (poor && candidates_.size() > options_.poor_most) candidates_.resize(options_.poor_most);
}

void ManyPSense::say(Index i) {
    for (const auto& message : actions_.messages) out_[message.link].messages.push_back(message.bytes);
    for (const auto& forward : actions_.forwards) receivers_[index(forward.origin)].insert(name(forward.to));
    for (const auto& forward : actions_.forwards) {
        Passed passed = pass(i, forward);
        judge(forward.to, forward.state.empty(), members_[i], passed.copy);
        out_[forward.to].forwards.push_back(std::move(passed));
    }
}

ManyPSense::Passed ManyPSense::pass(Index i, const OverlayActions::Forward& forward) {
    Member& m = members_[i];
    Passed passed{.copy = {}, .state = forward.state, .bytes = forward.header, .bits = forward.header_bits};
    Copy& copy = passed.copy;
    copy.origin = index(forward.origin);
    copy.from = i;
    copy.stamp = forward.state.empty() ? m.shown[copy.origin] : stamp_of(forward.state);
    if (passed.state.empty()) passed.state = state_of(copy.origin, copy.stamp);
    if (passed.state != state_of(copy.origin, copy.stamp)) violation("wire", copy, "is another state");
    BitReader in{passed.bytes, passed.bits};
    bool whole = read(in, copy.header);
    if (whole && !copy.header.helping) whole = read_id_set(in, copy.list, kMaxReceivers);
    if (!whole) violation("wire", copy, "has no header");
    return passed;
}

// --- the judge ---

void ManyPSense::violation(const std::string& rule, const Copy& copy, const std::string& what) {
    auto& texts = wrong_[rule];
    if (texts.size() >= kMostKept) return;
    texts.push_back("round " + std::to_string(round_) + ": the update of " + std::to_string(copy.origin) +
                    " of round " + std::to_string(copy.stamp) + ", from " + std::to_string(copy.from) + ", " +
                    what);
}

const ManyPSense::Copy* ManyPSense::source_of(const Member& m, Index origin, Stamp stamp, bool own) const {
    // What came as help goes no further; an owner's own that asks for help does, as help.
    const auto is_it = [&](const Copy& c) {
        if (c.origin != origin || c.own != own || c.refused) return false;
        return own || (c.stamp == stamp && !c.header.helping);
    };
    const auto found = std::ranges::find_if(m.came, is_it);
    return found == m.came.end() ? nullptr : &*found;
}

void ManyPSense::judge(Index to, bool own, Member& m, Copy& copy) {
    ++work_.forwards;
    work_.helped += copy.header.helping ? 1 : 0;
    const Copy* source = source_of(m, copy.origin, copy.stamp, own);
    if (source == nullptr) return violation("hops", copy, "is passed on, and never came in");
    copy.way = source->way + 1;
    judge_hops(m, copy, *source);
    judge_list(m, to, copy, *source);
    const auto [former, first] = m.passed_on.try_emplace({copy.origin, copy.stamp}, round_);
    if (first || former->second == round_) return;
    judge_again(copy, *source, std::exchange(former->second, round_));
}

void ManyPSense::judge_again(const Copy& copy, const Copy& source, unsigned before) {
    ++work_.again;
    if (source.own) return;  // a list of its owner's came late, and asks for the newest once more
    violation("hops", copy, "is passed on again, after round " + std::to_string(before));
}

void ManyPSense::judge_hops(const Member& m, const Copy& copy, const Copy& source) {
    const PSense& psense = options_.psense;
    work_.most_hops = std::max(work_.most_hops, copy.way);
    // Where peers are watchful, it may go further on its way to those who see its originator.
    const unsigned most = psense.hop_limit + (psense.watchful ? kMaxHops : 0U);
    if (copy.way > most) violation("hops", copy, "came over " + std::to_string(copy.way) + " hops");
    if (copy.header.helping) {
        if (!source.own || !source.header.helping) violation("hops", copy, "helps nobody who asked for it");
        return;
    }
    const unsigned counted = source.own ? 1 : source.header.hops + 1U;
    const bool anew = psense.watchful && copy.header.hops == 1;
    if (copy.header.hops != counted && !anew) violation("hops", copy, "has a wrong count of hops");
    if (copy.header.hops < psense.hop_limit) return;
    ++work_.beyond;
    const Vec3& place = members_[copy.origin].places[static_cast<std::size_t>(copy.stamp)];
    if (!psense.watchful || distance(place, m.position) < psense.vision_range - 2 * kStep)
        violation("hops", copy, "goes beyond the limit");
}

void ManyPSense::judge_list(const Member& m, Index to, const Copy& copy, const Copy& source) {
    const auto on = [](const Copy& c, std::uint32_t name) {
        return std::ranges::binary_search(c.list, name);
    };
    if (to == copy.origin || to == source.from) violation("lists", copy, "goes back to where it came from");
    if (on(source, name(to))) violation("lists", copy, "goes to one who is on its list");
    work_.list_before = std::max(work_.list_before, source.list.size());
    if (copy.header.helping) return;  // it goes no further, and has none
    work_.longest_list = std::max(work_.longest_list, copy.list.size());
    if (!std::ranges::includes(copy.list, source.list))
        violation("lists", copy, "has lost names of its list");
    const auto& now = receivers_[copy.origin];
    if (!std::ranges::includes(copy.list, now)) violation("lists", copy, "does not name all who get it");
    const auto foreign = [&](std::uint32_t name) {
        const auto named = [&](const Copy& c) { return c.origin == copy.origin && on(c, name); };
        return !now.contains(name) && std::ranges::none_of(m.came, named);
    };
    if (std::ranges::any_of(copy.list, foreign))
        violation("lists", copy, "names others than those who get it");
}

void ManyPSense::Work::add(const Work& other) {
    forwards += other.forwards;
    helped += other.helped;
    taken += other.taken;
    copies += other.copies;
    idle_help += other.idle_help;
    late += other.late;
    again += other.again;
    beyond += other.beyond;
    longest_list = std::max(longest_list, other.longest_list);
    list_before = std::max(list_before, other.list_before);
    most_hops = std::max(most_hops, other.most_hops);
}

std::uint64_t ManyPSense::counted_copies() const {
    std::uint64_t sum = 0;
    for (const Member& m : members_) sum += m.overlay->stats().forward_duplicates;
    return sum;
}

std::pair<std::size_t, std::size_t> ManyPSense::known() const {
    constexpr Stamp kLately = 10;
    std::size_t pairs = 0;
    std::size_t known = 0;
    for (const Member& m : members_) {
        for (Index j = 0; j < members_.size(); ++j) {
            const bool in_sight = distance(m.position, members_[j].position) <= options_.psense.vision_range;
            if (&members_[j] == &m || !in_sight) continue;
            ++pairs;
            const auto shown = m.shown.find(j);
            known += shown != m.shown.end() && shown->second + kLately >= round_ ? 1 : 0;
        }
    }
    return {known, pairs};
}

}  // namespace fray::test
