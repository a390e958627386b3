#include "overlay/full_mesh.hpp"

#include <fray/fingerprint.hpp>

#include "overlay/introduction.hpp"

#include <algorithm>

namespace fray {

namespace {

constexpr Duration kDigestInterval{1s};
constexpr Duration kListInterval{2s};  // one peer gets our list at most so often
constexpr std::size_t kMaxMissed = 4096;

constexpr auto kById = [](const auto& entry) { return entry.contact.id; };

void send(OverlayActions& actions, LinkNumber link, const Roster& roster, bool reliable) {
    OverlayActions::Message& message = actions.messages.add();
    message.link = link;
    message.reliable = reliable;
    message.passing = false;
    message.bytes.resize((measure(roster) + 7) / 8);
    BitWriter out{message.bytes};
    write(out, roster);
    out.finish();
}

}  // namespace

FullMeshOverlay::FullMeshOverlay(const FullMesh& options, PeerId self, Seed seed)
    : options_{options}, self_{self}, choice_{seed, "full_mesh"} {}

FullMeshOverlay::Linked* FullMeshOverlay::find(LinkNumber link) {
    const auto found = std::ranges::find(linked_, link, &Linked::link);
    return found == linked_.end() ? nullptr : &*found;
}

void FullMeshOverlay::handle_link_up(Instant now, LinkNumber link, const Contact& contact, bool newcomer) {
    std::erase_if(missed_, [&](const Missed& m) { return m.contact.id == contact.id; });
    const auto place = std::ranges::lower_bound(linked_, contact.id, {}, kById);
    const Instant never_sent = now - kListInterval;
    linked_.insert(place,
                   Linked{.link = link, .contact = contact, .list_sent = never_sent, .owes_list = newcomer});
}

void FullMeshOverlay::handle_link_down(Instant now, LinkNumber link, const Contact& contact, Reason reason) {
    std::erase_if(linked_, [&](const Linked& l) { return l.link == link; });
    if (reason == Reason::timed_out) heard_of(now, contact);
}

void FullMeshOverlay::heard_of(Instant now, const Contact& contact) {
    if (contact.id == self_ || std::ranges::binary_search(linked_, contact.id, {}, kById)) return;
    const auto place = std::ranges::lower_bound(missed_, contact.id, {}, kById);
    if (place != missed_.end() && place->contact.id == contact.id) {
        if (place->contact.address == contact.address) return;
        place->contact = contact;
        place->next_call = now;
        return;
    }
    if (missed_.size() >= kMaxMissed) return;
    missed_.insert(place, Missed{.contact = contact, .since = now, .next_call = now, .wait = options_.retry});
}

bool FullMeshOverlay::handle_message(Instant now, LinkNumber link, BitReader& in) {
    Roster roster;
    if (!read(in, roster)) return false;
    for (const Contact& contact : roster.list) heard_of(now, contact);
    Linked* from = find(link);
    if (from != nullptr && !roster.is_list && roster.digest != digest()) from->owes_list = true;
    return true;
}

std::uint32_t FullMeshOverlay::digest() const {
    // The order of ids is the same everywhere; our own takes its place among the others.
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

void FullMeshOverlay::round(Instant now, const std::optional<Vec3>&, std::size_t, OverlayActions& actions) {
    call_missed(now, actions);
    send_digest(now, actions);
    for (Linked& l : linked_) {
        if (l.owes_list && now - l.list_sent >= kListInterval) send_list(now, l, actions);
    }
}

void FullMeshOverlay::call_missed(Instant now, OverlayActions& actions) {
    std::erase_if(missed_, [&](const Missed& m) { return now - m.since > options_.forget; });
    std::size_t left = room();
    for (Missed& m : missed_) {
        if (left == 0) return;
        if (now < m.next_call) continue;
        --left;
        actions.calls.push_back(m.contact);
        m.next_call = now + m.wait;
        m.wait = std::min(m.wait * 2, options_.retry_most);
    }
}

void FullMeshOverlay::send_digest(Instant now, OverlayActions& actions) {
    if (linked_.empty() || now < next_digest_) return;
    next_digest_ = now + kDigestInterval;
    const Linked& to = linked_[choice_.below(static_cast<std::uint32_t>(linked_.size()))];
    send(actions, to.link, Roster{.is_list = false, .digest = digest(), .list = {}}, false);
}

void FullMeshOverlay::send_list(Instant now, Linked& to, OverlayActions& actions) const {
    Roster roster{.is_list = true, .digest = 0, .list = {}};
    const auto send_part = [&] {
        if (!roster.list.empty()) send(actions, to.link, roster, true);
        roster.list.clear();
    };
    for (const Linked& l : linked_) {
        if (l.link == to.link) continue;
        roster.list.push_back(l.contact);
        if (roster.list.size() == kMaxIntroductions) send_part();
    }
    send_part();
    to.list_sent = now;
    to.owes_list = false;
}

void FullMeshOverlay::candidates(std::span<const News> news, std::vector<Candidate>& out) {
    for (const Linked& l : linked_) {
        for (const News& n : news) {
            out.push_back({.link = l.link, .primary = n.primary, .importance = 1.0F, .bytes = n.bytes});
        }
    }
}

void FullMeshOverlay::reset() {
    linked_.clear();
    missed_.clear();
    next_digest_ = Instant{};
}

std::size_t FullMeshOverlay::memory_bytes() const {
    return sizeof(*this) + linked_.capacity() * sizeof(Linked) + missed_.capacity() * sizeof(Missed);
}

}  // namespace fray
