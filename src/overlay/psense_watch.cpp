// Who is still there? Near nodes speak in every round or nearly so, sensor nodes when they are asked. Whoever
// is silent for longer than usual is doubted, long before its link times out: it is not suggested to anybody,
// and no sensor node. Where many fall silent at once, and while we are new, we are wary: everybody is asked
// in every round, and more updates have their list, until all around us is known again.
//
// And who is there at all? Whom others name is hearsay until a word comes from it: it is called a few times,
// a place in our memory is its introducer's, and nobody hears of it from us.
#include "overlay/psense.hpp"

#include <algorithm>
#include <limits>

namespace fray {

namespace {

// Rounds without news of somebody's place.
constexpr std::uint32_t kStaleHearsay = 10;
constexpr std::uint32_t kStaleNeighbour = 24;  // who stands still tells it a few times meanwhile
constexpr std::uint32_t kStaleBackup = 40;

constexpr std::uint32_t kPatience = 1;       // rounds beyond the usual
constexpr std::uint32_t kMostPatience = 20;  // rounds
constexpr std::uint32_t kMostUsual = 64;     // rounds
constexpr std::uint32_t kWaryRounds = 12;
constexpr std::uint32_t kWaryMost = 24;   // in one go, then a pause as long
constexpr std::uint32_t kAlarmShare = 4;  // one of so many is doubted: something happened
constexpr std::uint32_t kAlarmLeast = 2;
constexpr float kCloser = 0.95F;  // of the way that is left: that is progress

constexpr std::uint8_t kMostCalls = 4;    // of whom never answered
constexpr std::uint32_t kNotAgain = 512;  // rounds
constexpr std::size_t kMaxNodes = 2048;
constexpr std::size_t kMaxIntroduced = 32;  // hearsay of one introducer
constexpr std::size_t kFewIntroduced = 8;   // and of one who named somebody in vain
constexpr std::uint8_t kMostVain = 16;      // charges: so many, and nobody it names is heeded for a while
constexpr std::uint32_t kDistrust = 128;    // rounds
constexpr std::uint8_t kAnswerWorth = 2;    // who answers makes up for so many who do not
constexpr std::uint8_t kMostWorth = 2;      // charge; else one brought from afar would make up for eight lies
constexpr std::uint8_t kInVain = 2;         // calls of somebody lost

}  // namespace

PSenseOverlay::Node* PSenseOverlay::remember(const Contact& contact) {
    if (contact.id == self_ || contact.id == PeerId{}) return nullptr;
    if (Node* known = find(contact.id)) return known;
    if (nodes_.size() >= kMaxNodes) {  // who is here goes before who is named only
        const auto hearsay =
            std::ranges::find_if(nodes_, [](const Node& n) { return n.link == kNoLink && !n.known; });
        if (hearsay == nodes_.end()) return nullptr;
        note_forgotten(*hearsay);
        nodes_.erase(hearsay);
        index_links();
    }
    // With little slack: a node is large, and doubling would leave many unused.
    if (nodes_.size() == nodes_.capacity()) nodes_.reserve(nodes_.size() + nodes_.size() / 8 + 4);
    Node& node = nodes_.emplace_back(Node{.contact = contact,
                                          .name = static_cast<std::uint16_t>(short_id(contact.id)),
                                          .number = ++last_number_,
                                          .heard = round_,
                                          .vision = options_.vision_range});
    for (const Former& former : former_) {
        if (former.id != contact.id || former.number == 0) continue;
        node.when = former.when;
        node.number = former.number;
        node.distrusted_until = former.distrusted_until;
        node.vain = former.vain;
    }
    return &node;
}

bool PSenseOverlay::heeds(const Node& introducer) const {
    if (round_ < introducer.distrusted_until) return false;
    const auto hearsay = std::ranges::count_if(nodes_, [&](const Node& n) {
        return !n.known && n.placed && n.link == kNoLink && n.introducer == introducer.number;
    });
    return hearsay < static_cast<std::ptrdiff_t>(introducer.vain == 0 ? kMaxIntroduced : kFewIntroduced);
}

PSenseOverlay::Node* PSenseOverlay::hear_of(const Contact& contact, const Node& introducer,
                                            std::uint8_t charge) {
    if (Node* known = find(contact.id)) {
        // It may have moved; how often it was called in vain stays. Elsewhere it is hearsay again.
        const bool lost = known->link == kNoLink && known->called && known->calls >= kInVain;
        if (lost && known->contact.address != contact.address && heeds(introducer)) {
            known->contact = contact;
            known->known = false;
            known->called = false;
            known->introducer = introducer.number;
            known->charge = charge;
        }
        return known;
    }
    if (nodes_.size() >= kMaxNodes || !heeds(introducer)) return nullptr;
    const Tried* entry = tried(contact.address);
    if (entry != nullptr && entry->calls > kMostCalls && round_ < entry->next) return nullptr;
    const std::uint32_t number = introducer.number;
    Node* node = remember(contact);  // introducer is not valid any more
    if (node == nullptr) return nullptr;
    node->introducer = number;
    node->charge = charge;
    return node;
}

PSenseOverlay::Tried* PSenseOverlay::tried(const Address& address) {
    const auto entry =
        std::ranges::find_if(tried_, [&](const Tried& t) { return t.calls > 0 && t.address == address; });
    return entry == tried_.end() ? nullptr : &*entry;
}

bool PSenseOverlay::barred(const Node& node) {
    const Tried* entry = node.known ? nullptr : tried(node.contact.address);
    return entry != nullptr && round_ < entry->next;
}

bool PSenseOverlay::in_vain(const Node& node) {
    if (node.known || node.link != kNoLink || !node.called) return false;
    const Tried* entry = tried(node.contact.address);
    if (entry != nullptr) return entry->calls > kMostCalls;
    return node.calls >= kMostCalls && round_ >= node.call_at;  // so many were named that it was forgotten
}

void PSenseOverlay::note_forgotten(const Node& node) {
    if (!node.known && node.called) blame(node);
    // What it said must not count as new when it is named again, nor is it forgiven when it comes again.
    if (node.when == SessionInstant::min() && node.vain == 0) return;
    auto place = std::ranges::find(former_, node.contact.id, &Former::id);
    if (place == former_.end())
        place = former_.begin() + static_cast<std::ptrdiff_t>(next_former_++ % former_.size());
    *place = {node.contact.id, node.when, node.number, node.distrusted_until, node.vain};
}

void PSenseOverlay::blame(const Node& named) {
    // Who names many and none of them is there would have us call a victim, again and again. As published,
    // whoever is named is called.
    if (!options_.watchful || named.introducer == 0) return;
    for (Node& node : nodes_) {
        if (node.number != named.introducer || node.link == kNoLink) continue;
        node.vain = static_cast<std::uint8_t>(node.vain + named.charge);
        if (node.vain < kMostVain) return;
        node.vain = kMostVain / 2;
        node.distrusted_until = round_ + kDistrust;
        return;
    }
}

bool PSenseOverlay::may_try(const Address& address) {
    Tried* entry = tried(address);
    if (entry == nullptr) {
        entry = &tried_[next_tried_++ % tried_.size()];
        *entry = {.address = address};
    }
    if (round_ < entry->next) return false;
    if (entry->calls > kMostCalls) entry->calls = 0;  // long ago
    ++entry->calls;
    const bool enough = entry->calls > kMostCalls;
    entry->next = round_ + (enough ? kNotAgain : 1U << entry->calls);
    return !enough;
}

void PSenseOverlay::praise(const Node& named) {
    if (named.introducer == 0) return;
    for (Node& node : nodes_) {
        if (node.number != named.introducer) continue;
        const auto worth = static_cast<std::uint8_t>(kAnswerWorth * std::min(named.charge, kMostWorth));
        node.vain -= std::min(node.vain, worth);
    }
}

// --- silence ---

void PSenseOverlay::spoke(Node& node) {
    if (node.spoke == round_) return;
    const auto gap = static_cast<std::uint16_t>(std::min(round_ - node.spoke, kMostUsual) * kGapUnit);
    // The longest of late: forgotten by and by.
    const auto before = static_cast<std::uint16_t>(node.usual_gap - node.usual_gap / kGapUnit);
    node.usual_gap = std::max({gap, before, kGapUnit});
    node.spoke = round_;
}

void PSenseOverlay::answered(Node& node) {
    --node.answers_due;
    node.suggests = true;
    if (node.asked == 0) return;
    const Round delay = std::min(round_ - node.asked, kMostUsual);
    node.answer_delay = static_cast<std::uint8_t>(delay);
    answer_delay_ =
        static_cast<std::uint16_t>((answer_delay_ * 7 + std::min(delay, kMostPatience) * kGapUnit) / 8);
    node.asked = 0;
}

bool PSenseOverlay::falls_silent(const Node& node) const {
    if (node.link == kNoLink) return false;
    // At the edge of our sight it may take us for out of sight already, and speak less often.
    const bool edge = node.distance > reach(node) - options_.margin;
    const Round least = edge ? kMarginInterval : 0;
    const Round gap = std::clamp<Round>(node.usual_gap / kGapUnit, least, kMostPatience);
    if (node.role == Role::near && round_ - node.spoke > kPatience + gap) return true;
    const Round delay = std::max<Round>(node.answer_delay, answer_delay_ / kGapUnit);
    return node.asked != 0 && round_ - node.asked > kPatience + delay && round_ - node.spoke > kPatience;
}

void PSenseOverlay::watch() {
    if (!options_.watchful) return;  // as published: only the time-out tells
    std::uint32_t doubted = 0;
    std::uint32_t watched = 0;
    for (Node& node : nodes_) {
        node.doubted = falls_silent(node);
        if (!node.proven || (node.role != Role::near && node.role != Role::sensor && !node.doubted)) continue;
        ++watched;
        doubted += node.doubted ? 1 : 0;
    }
    if (doubted >= kAlarmLeast && doubted * kAlarmShare >= watched) be_wary();
}

void PSenseOverlay::be_wary() {
    if (!options_.watchful) return;
    if (!wary()) {
        const bool pause = wary_since_ != 0 && round_ - wary_since_ < 2 * kWaryMost;
        if (pause) return;
        wary_since_ = round_;
        walked_to_ = std::numeric_limits<float>::max();
    }
    if (round_ - wary_since_ < kWaryMost) wary_until_ = round_ + kWaryRounds;
}

void PSenseOverlay::walk(const Node& suggested) {
    if (!wary() || suggested.distance > walked_to_ * kCloser) return;
    walked_to_ = suggested.distance;
    wary_until_ = std::max(wary_until_, round_ + kWaryRounds);
}

// --- forgetting ---

PSenseOverlay::Round PSenseOverlay::stale_after(const Node& node) const {
    if (!options_.watchful) return kStaleHearsay;
    if (node.link != kNoLink && (node.role == Role::near || node.role == Role::sensor))
        return kStaleNeighbour;
    return node.role == Role::backup ? kStaleBackup : kStaleHearsay;
}

void PSenseOverlay::forget_stale() {
    for (Node& node : nodes_) {
        if (node.placed && round_ - node.heard > stale_after(node)) node.placed = false;
    }
    for (Node& node : nodes_) {
        if (!in_vain(node)) continue;
        node.placed = false;
        node.heard = 0;
    }
    forget_if([](const Node& n) { return n.link == kNoLink && !n.placed && n.heard == 0; });
    forget_surplus();
}

void PSenseOverlay::forget_surplus() {
    // Who is neither linked nor anywhere is a mere contact. Those are kept who did answer once, were not
    // called in vain and were heard of last.
    order_.clear();
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        if (nodes_[i].link == kNoLink && !nodes_[i].placed) order_.push_back(static_cast<std::uint16_t>(i));
    }
    if (order_.size() <= options_.contacts) return;
    const auto better = [&](std::uint16_t a, std::uint16_t b) {
        const Node& x = nodes_[a];
        const Node& y = nodes_[b];
        if (x.known != y.known) return x.known;
        if (x.calls != y.calls) return x.calls < y.calls;
        return x.heard != y.heard ? x.heard > y.heard : a < b;
    };
    std::ranges::nth_element(order_, order_.begin() + options_.contacts, better);
    for (std::size_t i = options_.contacts; i < order_.size(); ++i) nodes_[order_[i]].heard = 0;
    forget_if([](const Node& n) { return n.link == kNoLink && !n.placed && n.heard == 0; });
}

}  // namespace fray
