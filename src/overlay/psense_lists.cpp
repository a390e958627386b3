// Step 2a: near nodes, sensor nodes, and whom to call so that they become linked with us.
#include "overlay/psense.hpp"

#include <algorithm>
#include <utility>

namespace fray {

namespace {

constexpr std::size_t kCallsPerRound = 16;
constexpr unsigned kMostWaitShift = 6;         // 2 << 6 rounds between two calls
constexpr std::size_t kContactsCalled = 3;     // per round, when everybody else is lost
constexpr std::uint32_t kContactRounds = 20;   // who was lost
constexpr std::uint32_t kAnybodyRounds = 120;  // anybody
constexpr std::size_t kAskBytes = 160;         // a request and an answer, about
constexpr std::size_t kAskShare = 5;           // they may take one part in so many of the upload
constexpr std::size_t kRarest = 64;            // rounds
constexpr float kWorthIt = 0.85F;
constexpr std::uint32_t kLookAround = 24;  // rounds from the first link on, until a join is complete
constexpr std::uint32_t kNoAnswer = 48;    // the same if that peer suggests nobody

}  // namespace

void PSenseOverlay::round(Instant, const std::optional<Vec3>& self, std::size_t bytes,
                          OverlayActions& actions) {
    ++round_;
    upload_bytes_ = bytes;
    interval_ = ask_interval();
    sensor_paper_bytes_ = 0;
    if (self) position_ = *self;
    if (self && !std::exchange(placed_, true)) be_wary();  // there is all to learn
    for (Node& node : nodes_) {
        const float before = node.distance;
        measure_way(node);
        // Halved, not forgotten: news of it comes every other round only, while it is not in sight.
        node.approach = std::max(before - node.distance, node.approach / 2);
    }
    watch();
    forget_stale();
    choose_roles();
    call(actions);
    if (placed_) ask_sensors(actions);
    answer(actions);
    if (is_complete() && round_ % 8 != 0) return;
    // A peer without a position asks nobody, and a peer that knows nobody to suggest does not answer.
    const auto is_missing = [](const Node& n) { return n.role == Role::near && n.link == kNoLink; };
    const auto is_linked = [](const Node& n) { return n.link != kNoLink; };
    const auto was_asked = [&](const Node& n) {
        return is_linked(n) && round_ - n.linked >= (n.suggests ? kLookAround : kNoAnswer);
    };
    const bool looked_around =
        std::ranges::none_of(nodes_, is_linked) || std::ranges::any_of(nodes_, was_asked);
    set_complete(!wary() && looked_around && std::ranges::none_of(nodes_, is_missing));
}

PSenseOverlay::Round PSenseOverlay::ask_interval() const {
    if (!options_.watchful) return options_.sensor_interval;
    // What we ask, and are asked in turn, must leave room for updates, wary or not.
    const std::size_t least =
        sectors_.count() * kAskBytes * kAskShare / std::max<std::size_t>(upload_bytes_, 1);
    const std::size_t affordable = std::min(wary() ? least / 2 : least, kRarest);
    return static_cast<Round>(std::max<std::size_t>(affordable, wary() ? 1U : options_.sensor_interval));
}

bool PSenseOverlay::usable(const Node& node) const { return !options_.watchful || node.proven; }

void PSenseOverlay::choose_roles() {
    for (Node& node : nodes_) {
        const bool was_near = node.role == Role::near;
        const bool near = node.placed && node.distance <= reach(node) + options_.margin;
        node.role = near ? Role::near : Role::none;
        // It may still take us for near: one more update tells it where we are.
        node.parting = options_.watchful && was_near && node.placed && !near && node.link != kNoLink;
        if (near && !was_near) node.usual_gap = 2 * kGapUnit;  // a near node speaks more often than before
    }
    choose_sensors();
    if (options_.watchful) choose_lost_contacts();
    if (options_.contacts != 0) return;
    // As published: further ones whom we only heard of are discarded.
    const auto useless = [](const Node& n) { return n.placed && n.role == Role::none && n.link == kNoLink; };
    forget_if(useless);
}

void PSenseOverlay::choose_sensors() {
    order_.clear();
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        const Node& node = nodes_[i];
        if (node.placed && !node.doubted && node.role == Role::none)
            order_.push_back(static_cast<std::uint16_t>(i));
    }
    std::ranges::sort(order_, [&](std::uint16_t a, std::uint16_t b) {
        const Node& x = nodes_[a];
        const Node& y = nodes_[b];
        return x.distance != y.distance ? x.distance < y.distance : a < b;
    });
    std::ranges::fill(sensors_, PeerId{});
    std::array<std::uint8_t, kMaxSectors> backups{};
    std::array<Node*, kMaxSectors> candidate{};
    for (const std::uint16_t i : order_) {
        Node& node = nodes_[i];
        const unsigned sector = node.sector;
        const bool watched = sensors_[sector] != PeerId{};
        if (usable(node) && !watched) {
            node.role = Role::sensor;
            sensors_[sector] = node.contact.id;
            // A little closer is not worth a new link.
            Node* closer = candidate[sector];
            if (closer != nullptr && closer->link == kNoLink && closer->distance > kWorthIt * node.distance)
                closer->role = Role::backup;
        } else if (!usable(node) && !watched && candidate[sector] == nullptr) {
            node.role = Role::candidate;
            candidate[sector] = &node;
        } else if (backups[sector] < options_.backups) {
            node.role = Role::backup;
            ++backups[sector];
        }
    }
}

void PSenseOverlay::choose_lost_contacts() {
    // Nobody watches that sector: whoever was there when we last heard of it may be there yet.
    std::array<Node*, kMaxSectors> best{};
    std::array<bool, kMaxSectors> watched{};
    for (Node& node : nodes_) {
        const bool near = node.role == Role::near && node.proven && !node.doubted;
        if (near || node.role == Role::sensor || node.role == Role::candidate) watched[node.sector] = true;
        if (!node.known || !node.seen || node.placed || node.link != kNoLink) continue;
        if (!node.lost && !wary()) continue;
        Node*& other = best[node.sector];
        const bool better = other == nullptr || node.calls < other->calls ||
                            (node.calls == other->calls && node.distance < other->distance);
        if (better) other = &node;
    }
    for (unsigned sector = 0; sector < sectors_.count(); ++sector) {
        if (best[sector] != nullptr && !watched[sector]) best[sector]->role = Role::candidate;
    }
}

void PSenseOverlay::call(OverlayActions& actions) {
    for (Node& node : nodes_) {
        const bool wanted = node.role == Role::near || node.role == Role::sensor ||
                            node.role == Role::candidate || (node.role == Role::backup && wary());
        if (wanted) call(node, actions);
    }
    call_contacts(actions);
}

void PSenseOverlay::call_contacts(OverlayActions& actions) {
    // When everybody is lost; and now and then anyway: after a split of the network both halves are well, and
    // neither misses the other.
    const auto linked = [](const Node& n) { return n.link != kNoLink; };
    const auto near = [](const Node& n) { return n.role == Role::near && n.proven; };
    const Round turn = round_ + self_.bytes.back();
    std::size_t calls = 0;
    if (std::ranges::none_of(nodes_, linked)) {
        calls = kContactsCalled;
    } else if (options_.watchful && turn % kContactRounds == 0) {
        calls = 1;
    }
    const bool anybody = calls > 1 || turn % kAnybodyRounds == 0 || std::ranges::none_of(nodes_, near);
    while (calls > 0 && actions.calls.size() < kCallsPerRound) {
        Node* best = nullptr;
        for (Node& node : nodes_) {
            if (node.link != kNoLink || node.placed || round_ < node.call_at || barred(node)) continue;
            if (!anybody && !node.lost) continue;
            if (best == nullptr || node.calls < best->calls) best = &node;
        }
        if (best == nullptr) return;
        if (call(*best, actions)) --calls;
    }
}

bool PSenseOverlay::call(Node& node, OverlayActions& actions) {
    if (node.link != kNoLink || round_ < node.call_at || actions.calls.size() >= kCallsPerRound) return false;
    if (!node.known && !may_try(node.contact.address)) return false;
    actions.calls.push_back(node.contact);
    node.called = true;
    node.call_at = round_ + (2U << std::min<unsigned>(node.calls, kMostWaitShift));
    if (node.calls < 0xFF) ++node.calls;
    return true;
}

bool PSenseOverlay::keeps(LinkNumber link) const {
    const Node* node = find(link);
    return node != nullptr && (node->role == Role::near || node->role == Role::sensor);
}

}  // namespace fray
