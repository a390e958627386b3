#include "overlay/full_mesh.hpp"

#include <fray/fingerprint.hpp>

#include "core/space.hpp"
#include "wire/limits.hpp"

#include <algorithm>
#include <utility>

namespace fray {

namespace {

constexpr Duration kDigestInterval{1s};
// While lists change, until every linked peer was asked once.
constexpr Duration kAskInterval{100ms};
constexpr Duration kAskAgainInterval{1s};       // once every linked peer was asked
constexpr Duration kSettle{2s};                 // without a change, lists count as settled
constexpr Duration kAnswerInterval{100ms};      // shortest time between two answers to one peer
constexpr std::size_t kFirstIntroductions = 8;  // by the peer that a newcomer joined through
constexpr std::size_t kMoreIntroductions = 32;  // in answer to a list of names
constexpr std::size_t kIntroductionShare = 4;   // introductions take at most 1/4 of a frame's upload
constexpr std::size_t kMaxMissed = 4096;
constexpr Duration kSilentContact{5s};  // a contact that is silent for so long does not delay a join

constexpr auto kById = [](const auto& entry) { return entry.contact.id; };

}  // namespace

FullMeshOverlay::FullMeshOverlay(const FullMesh& options, const World& world, PeerId self, Seed seed)
    : Overlay{false},
      options_{options},
      world_{world},
      self_{self},
      name_{name_of(self)},
      choice_{seed, "full_mesh"},
      // From the middle of the world; its extent may be zero.
      sight_{std::max(length(world.high - world.low) / 2, world.position_precision)} {}

FullMeshOverlay::Linked* FullMeshOverlay::find(LinkNumber link) {
    const auto found = std::ranges::find(linked_, link, &Linked::link);
    return found == linked_.end() ? nullptr : &*found;
}

void FullMeshOverlay::handle_link_up(Instant now, const LinkUp& up) {
    const std::uint32_t name = name_of(up.contact.id);
    // The peer that was at its address before is there no longer.
    std::erase_if(missed_,
                  [&](const Missed& m) { return m.name == name || m.contact.address == up.contact.address; });
    const auto place = std::ranges::lower_bound(linked_, up.contact.id, {}, kById);
    const auto added = linked_.insert(place, Linked{.link = up.link,
                                                    .contact = up.contact,
                                                    .name = name,
                                                    .answered = now - kAnswerInterval,
                                                    .introductions = {}});
    settled_at_ = now + kSettle;
    if (up.newcomer) introduce(*added, kFirstIntroductions, {}, 0);
}

void FullMeshOverlay::handle_link_down(Instant now, const LinkDown& down) {
    std::erase_if(linked_, [&](const Linked& l) { return l.link == down.link; });
    for (Missed& m : missed_) {
        if (m.introducer == down.link) m.introducer = kNoLink;  // the number may be reused
    }
    if (linked_.empty()) heard_all_ = false;
    if (down.reason == Reason::timed_out) hear_of(now, down.contact, name_of(down.contact.id), kNoLink);
}

bool FullMeshOverlay::has_room_for(const Contact& contact, LinkNumber introducer) const {
    if (missed_.size() >= kMaxMissed) return false;
    if (introducer == kNoLink) return true;
    std::size_t unconfirmed = 0;
    std::size_t of_introducer = 0;
    for (const Missed& m : missed_) {
        if (m.is_confirmed) continue;
        if (m.contact.address == contact.address) return false;  // a call reaches any peer there
        ++unconfirmed;
        of_introducer += m.introducer == introducer ? 1 : 0;
    }
    return unconfirmed < kMaxUnconfirmed && of_introducer < kMaxUnconfirmedOfOne;
}

bool FullMeshOverlay::hear_of(Instant now, const Contact& contact, std::uint32_t name,
                              LinkNumber introducer) {
    if (name == name_ || std::ranges::find(linked_, name, &Linked::name) != linked_.end()) return false;
    const auto place = std::ranges::lower_bound(missed_, name, {}, &Missed::name);
    if (place != missed_.end() && place->name == name) {
        // What we know of its identity stays, and so does the back-off: otherwise a peer could make us call a
        // new address in every frame.
        place->contact.address = contact.address;
        return false;
    }
    if (!has_room_for(contact, introducer)) return false;
    missed_.insert(place, Missed{.contact = contact,
                                 .name = name,
                                 .since = now,
                                 .next_call = now,
                                 .wait = options_.retry,
                                 .introducer = introducer,
                                 .is_confirmed = introducer == kNoLink});
    settled_at_ = now + kSettle;
    return true;
}

Receipt FullMeshOverlay::handle_message(const Arrival& arrival, MessageKind, BitReader& in) {
    if (!read(in, message_)) return malformed();
    Linked* from = find(arrival.link);
    if (from == nullptr) return taken_unacknowledged();
    const bool asks = message_.kind != MeshMessage::Kind::introductions;
    if (asks && arrival.now - from->answered < kAnswerInterval) return taken_unacknowledged();
    if (asks) from->answered = arrival.now;
    switch (message_.kind) {
        case MeshMessage::Kind::digest:
            if (message_.digest == digest()) break;
            from->owes_known = true;
            settled_at_ = std::max(settled_at_, arrival.now + kSettle);
            break;
        case MeshMessage::Kind::known:
            compare(arrival.now, *from);
            break;
        case MeshMessage::Kind::introductions:
            take_introductions(arrival.now, *from);
    }
    return taken_unacknowledged();
}

void FullMeshOverlay::take_introductions(Instant now, Linked& from) {
    if (from.introductions_due == 0) return;
    --from.introductions_due;
    bool any_new = false;
    for (const Introduction& i : message_.introductions)
        any_new = hear_of(now, Contact{.id = {}, .address = i.address}, i.name, from.link) || any_new;
    if (from.asked && !any_new) heard_all_ = true;
}

bool FullMeshOverlay::knows_all(Instant now) const {
    const auto is_pending = [&](const Missed& m) {
        return !m.is_confirmed && now - m.since < kSilentContact;
    };
    return (heard_all_ || linked_.empty()) && std::ranges::none_of(missed_, is_pending);
}

void FullMeshOverlay::compare(Instant now, Linked& from) {
    introduce(from, kMoreIntroductions, message_.known, message_.salt);
    from.owes_answer = true;
    std::size_t shared = 0;  // names that we know as well
    const auto count = [&](std::uint32_t name) {
        shared += std::ranges::binary_search(message_.known, list_name(name, message_.salt)) ? 1 : 0;
    };
    count(name_);
    for (const Linked& l : linked_) count(l.name);
    for (const Missed& m : missed_) count(m.name);
    // The sender knows peers that we do not: send it our names.
    if (shared < message_.known.size() && now >= settled_at_) from.owes_known = true;
}

void FullMeshOverlay::introduce(Linked& to, std::size_t most, const std::vector<std::uint32_t>& known,
                                std::uint8_t salt) {
    // Choose among the peers that the receiver lacks. If they are too many, choose at random: other members
    // introduce the rest.
    to.introductions.clear();
    std::uint32_t lacking = 0;
    for (const Linked& l : linked_) {
        if (&l == &to || std::ranges::binary_search(known, list_name(l.name, salt))) continue;
        const Introduction introduction{l.name, l.contact.address};
        ++lacking;
        if (to.introductions.size() < most) {
            to.introductions.push_back(introduction);
        } else if (const auto at = choice_.below(lacking); at < most) {
            to.introductions[at] = introduction;
        }
    }
}

std::uint32_t FullMeshOverlay::digest() const {
    // All peers use the same order of ids, with their own id among the others.
    Fingerprint print;
    bool self_done = false;
    const auto add = [&](const PeerId& id) { print.add(std::span<const std::uint8_t>{id.bytes}); };
    for (const Linked& l : linked_) {
        if (!self_done && self_ < l.contact.id) {
            add(self_);
            self_done = true;
        }
        add(l.contact.id);
    }
    if (!self_done) add(self_);
    return static_cast<std::uint32_t>(print.value());
}

void FullMeshOverlay::round(Instant now, const std::optional<Vec3>&, std::size_t bytes,
                            OverlayActions& actions) {
    call_missed(now, actions);
    const std::size_t most = bytes / kIntroductionShare;
    std::size_t spent = 0;  // the first one is always sent
    for (Linked& l : linked_) {
        if ((l.introductions.empty() && !l.owes_answer) || spent > most) continue;
        message_.kind = MeshMessage::Kind::introductions;
        message_.introductions.swap(l.introductions);
        spent += send(l.link, actions);
        l.introductions.clear();
        l.owes_answer = false;
    }
    for (Linked& l : linked_) {
        if (!l.owes_known || spent > most) continue;
        l.owes_known = false;
        spent += send_known(l, actions);
    }
    ask(now, actions);
    set_complete(knows_all(now));
}

void FullMeshOverlay::call_missed(Instant now, OverlayActions& actions) {
    std::erase_if(missed_, [&](const Missed& m) {
        const bool invented = !m.is_confirmed && m.calls >= kMaxUnconfirmedCalls && now >= m.next_call;
        return invented || now - m.since > options_.forget;
    });
    const auto lost =
        std::ranges::count_if(missed_, [&](const Missed& m) { return m.is_confirmed && now >= m.next_call; });
    std::size_t left = room();
    std::size_t for_unconfirmed = left - std::min(left, static_cast<std::size_t>(lost));
    called_.clear();
    for (const Missed& m : missed_) {
        if (!m.is_confirmed && now < m.called_until) called_.push_back(&m);
    }
    for (Missed& m : missed_) {
        if (left == 0) return;
        if (now < m.next_call || (!m.is_confirmed && (for_unconfirmed == 0 || !may_call(m)))) continue;
        --left;
        if (!m.is_confirmed) --for_unconfirmed;
        if (!m.is_confirmed && now >= m.called_until) called_.push_back(&m);
        if (m.calls < kMaxUnconfirmedCalls) ++m.calls;
        actions.calls.push_back(m.contact);
        m.called_until = now + kHandshakePatience;
        m.next_call = now + m.wait;
        m.wait = std::min(m.wait * 2, options_.retry_most);
    }
}

bool FullMeshOverlay::may_call(const Missed& contact) const {
    std::size_t others = 0;
    std::size_t of_introducer = 0;
    std::size_t at_host = 0;
    for (const Missed* m : called_) {
        if (m == &contact) continue;
        ++others;
        of_introducer += m->introducer == contact.introducer ? 1 : 0;
        at_host += m->contact.address.ip == contact.contact.address.ip ? 1 : 0;
    }
    return others < kMaxUnheardCalls && of_introducer < kMaxUnheardCallsOfOne &&
           at_host < kMaxUnheardCallsAtHost;
}

void FullMeshOverlay::ask(Instant now, OverlayActions& actions) {
    if (linked_.empty() || now < next_ask_) return;
    if (now >= settled_at_ && heard_all_) {
        message_.kind = MeshMessage::Kind::digest;
        message_.digest = digest();
        next_ask_ = now + kDigestInterval;
        send(linked_[choice_.below(static_cast<std::uint32_t>(linked_.size()))].link, actions);
        return;
    }
    // A peer that was not asked yet is more likely to know new ones.
    next_ask_ = now + kAskInterval;
    auto to = std::ranges::find(linked_, false, &Linked::asked);
    if (to == linked_.end()) {
        if (now < ask_again_) return;
        const std::uint32_t any = choice_.below(static_cast<std::uint32_t>(linked_.size()));
        to = linked_.begin() + static_cast<std::ptrdiff_t>(any);
    }
    ask_again_ = now + kAskAgainInterval;
    to->asked = true;
    send_known(*to, actions);
}

std::size_t FullMeshOverlay::send_known(Linked& to, OverlayActions& actions) {
    if (to.introductions_due < kMaxIntroductionsDue) ++to.introductions_due;
    list_known();
    return send(to.link, actions);
}

void FullMeshOverlay::list_known() {
    message_.kind = MeshMessage::Kind::known;
    message_.salt = static_cast<std::uint8_t>(choice_.below(256));
    message_.known.clear();
    const auto add = [&](std::uint32_t name) {
        if (message_.known.size() < kMaxKnown) message_.known.push_back(list_name(name, message_.salt));
    };
    add(name_);
    for (const Linked& l : linked_) add(l.name);
    for (const Missed& m : missed_) add(m.name);
    std::ranges::sort(message_.known);
    message_.known.erase(std::ranges::unique(message_.known).begin(), message_.known.end());
}

std::size_t FullMeshOverlay::send(LinkNumber link, OverlayActions& actions) {
    constexpr std::size_t kNameBytes = 4;
    constexpr std::size_t kIntroductionBytes = 24;
    OverlayActions::Message& message = actions.messages.add();
    message.link = link;
    message.this_frame_only = false;
    message.bytes.resize(32 + message_.known.size() * kNameBytes +
                         message_.introductions.size() * kIntroductionBytes);
    BitWriter out{message.bytes};
    write(out, message_);
    message.bytes.resize(out.finish().size());
    return message.bytes.size();
}

void FullMeshOverlay::candidates(std::span<const News> news, std::vector<Candidate>& out) {
    for (const Linked& l : linked_) {
        for (const News& n : news) {
            out.push_back({.link = l.link,
                           .primary = n.primary,
                           .distance = distance(l.link, n.position),
                           .bytes = n.bytes});
        }
    }
}

void FullMeshOverlay::handle_sighting(Instant, LinkNumber link, const Sighting& sighting) {
    positions_[link] = sighting.position;
}

float FullMeshOverlay::distance(LinkNumber link, const Vec3& from) const {
    const std::optional<Vec3>* position = positions_.find(link);
    if (position == nullptr || !*position) return kDistanceUnknown;
    return length(way(world_, from, **position)) / sight_;
}

void FullMeshOverlay::reset() {
    linked_.clear();
    missed_.clear();
    positions_.clear();
    heard_all_ = false;
    set_complete(false);
    next_ask_ = ask_again_ = settled_at_ = Instant::min();
}

std::size_t FullMeshOverlay::memory_bytes() const {
    std::size_t sum = sizeof(*this) + positions_.heap_bytes() + linked_.capacity() * sizeof(Linked) +
                      missed_.capacity() * sizeof(Missed) + called_.capacity() * sizeof(void*) +
                      message_.known.capacity() * sizeof(std::uint32_t) +
                      message_.introductions.capacity() * sizeof(Introduction);
    for (const Linked& l : linked_) sum += l.introductions.capacity() * sizeof(Introduction);
    return sum;
}

}  // namespace fray
