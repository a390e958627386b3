// Step 2b: requests to sensor nodes, and suggestions to those who asked us.

#include "overlay/psense.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace fray {

namespace {

constexpr std::uint32_t kEmptyRarer = 3;
constexpr std::uint32_t kSomebody = 3;  // so many times as seldom as a sensor node
// Rounds from when we last became wary, new or alarmed: those who came together may be an island, and not
// know it.
constexpr std::uint32_t kYoung = 64;

}  // namespace

bool PSenseOverlay::due(unsigned sector) const {
    const bool empty = sensors_[sector] == PeerId{};
    // Where nobody is, hardly anybody comes from: all such sectors are asked for in one go, and less often.
    const Round rarer = young() ? 1 : kEmptyRarer;
    if (empty && options_.watchful && !wary()) return round_ % (rarer * interval_) == 0;
    return (round_ + sector) % interval_ == 0;
}

void PSenseOverlay::ask_sensors(OverlayActions& actions) {
    const auto late = [&](const Node& n) {
        return options_.watchful && n.asked != 0 && round_ - n.asked > answer_delay_ / kGapUnit;
    };
    const bool any_late = std::ranges::any_of(nodes_, late);
    const auto watchers = find_watchers();
    for (unsigned sector = 0; sector < sectors_.count(); ++sector) {
        Node* to = watchers[sector];
        const bool now = due(sector);
        if (to == nullptr && (now || any_late)) to = whom_else_to_ask(sector);
        if (to != nullptr && (now || late(*to))) ask(*to, sector, actions);
    }
    for (Node& node : nodes_) {
        const bool better = node.role == Role::candidate || (node.role == Role::backup && wary());
        const bool first = node.asked == 0 || (wary() && due(node.sector));
        if (better && node.link != kNoLink && first) ask(node, node.sector, actions);
        // Anybody else who comes to be linked with us may know a part of the world that we do not.
        const bool stranger =
            options_.watchful && node.proven && node.role == Role::none && node.link != kNoLink;
        if (stranger && !node.met) ask(node, blind_sector(), actions);
    }
    const Round seldom = young() ? interval_ : kSomebody * interval_;
    if (options_.watchful && round_ % seldom == 0) ask_somebody(round_ / seldom, actions);
}

bool PSenseOverlay::young() const { return wary_since_ != 0 && round_ - wary_since_ < kYoung; }

void PSenseOverlay::ask_somebody(Round turn, OverlayActions& actions) {
    // Sensor nodes of sensor nodes may be a world of their own. So each of those who are linked with us for
    // other reasons is asked in turn: through it we came in, or it has us as its sensor node.
    const auto other = [](const Node& n) {
        return n.link != kNoLink && n.proven && (n.role == Role::none || n.role == Role::backup);
    };
    const auto count = std::ranges::count_if(nodes_, other);
    if (count == 0) return;
    auto skip = turn % static_cast<Round>(count);
    for (Node& node : nodes_) {
        if (!other(node) || skip-- != 0) continue;
        return ask(node, blind_sector(), actions);
    }
}

unsigned PSenseOverlay::blind_sector() const {
    const auto empty = std::ranges::find(sensors_, PeerId{});
    if (empty != sensors_.end()) return static_cast<unsigned>(empty - sensors_.begin());
    return round_ % sectors_.count();
}

void PSenseOverlay::ask(Node& node, unsigned sector, OverlayActions& actions) {
    const SensorRequest request{static_cast<std::uint8_t>(sector), options_.vision_range,
                                quantise(world_, position_)};
    send_message(actions, node.link, PSenseKind::request, request);
    if (node.asked == 0) node.asked = round_;
    node.met = true;
    if (node.answers_due < 2 * kMaxSectors) ++node.answers_due;
    sensor_paper_bytes_ += kPaperRequest;
}

std::array<PSenseOverlay::Node*, kMaxSectors> PSenseOverlay::find_watchers() {
    // Of each sector the sensor node; else a near node there, the outermost sees furthest.
    std::array<Node*, kMaxSectors> found{};
    for (Node& node : nodes_) {
        const bool sensor = node.role == Role::sensor;
        if (node.link == kNoLink || node.doubted || (!sensor && node.role != Role::near)) continue;
        Node*& best = found[node.sector];
        const bool further = best != nullptr && best->role == Role::near && node.distance > best->distance;
        if (best == nullptr || sensor || further) best = &node;
    }
    return found;
}

PSenseOverlay::Node* PSenseOverlay::whom_else_to_ask(unsigned sector) {
    // The closest to that sector, or, while we look for our place, the closest to us.
    Node* best = nullptr;
    const auto turns = [&](const Node& n) {
        const unsigned d = (n.sector + sectors_.count() - sector) % sectors_.count();
        return std::min(d, sectors_.count() - d);
    };
    const auto there = [](const Node& n) { return n.placed && !n.doubted; };
    for (Node& node : nodes_) {
        if (node.link == kNoLink) continue;
        if (best == nullptr || (there(node) && !there(*best))) {
            best = &node;
        } else if (there(node)) {
            const bool closer = wary() ? node.distance < best->distance : turns(node) < turns(*best);
            if (closer) best = &node;
        }
    }
    return best;
}

SensorSuggestion PSenseOverlay::suggest(const Node& to, const SensorRequest& request) const {
    // The closest one beyond its near nodes in that sector. Where we know none, the closest of all: that
    // leads a newcomer towards its place, step by step.
    const Vec3 centre = restore(world_, request.position);
    const float beyond = squared(request.vision + options_.margin);
    const Node* best = nullptr;
    float least = std::numeric_limits<float>::max();  // squared
    bool best_fits = false;
    const auto closer = [&](const Vec3& position) {
        const Vec3 offset = way(world_, centre, position);
        const float distance = dot(offset, offset);
        if (best_fits && distance >= least) return false;
        const bool fits = distance > beyond && sectors_.of(offset) == request.sector;
        if (fits < best_fits || (fits == best_fits && distance >= least)) return false;
        least = distance;
        best_fits = fits;
        return true;
    };
    if (placed_) (void)closer(position_);
    for (const std::uint16_t at : order_) {
        if (&nodes_[at] != &to && closer(nodes_[at].position)) best = &nodes_[at];
    }
    SensorSuggestion suggestion{.sector = request.sector,
                                .itself = best == nullptr,
                                .position = quantise(world_, best == nullptr ? position_ : best->position),
                                .contact = {}};
    if (best != nullptr) suggestion.contact = best->contact;
    return suggestion;
}

void PSenseOverlay::answer(OverlayActions& actions) {
    if (asked_.empty()) return;
    order_.clear();  // whom we may name
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        const Node& node = nodes_[i];
        if (node.placed && !node.doubted && node.link != kNoLink && usable(node))
            order_.push_back(static_cast<std::uint16_t>(i));
    }
    for (const Asked& asked : asked_) {
        const Node* to = find(asked.link);
        if (to == nullptr || asked.request.sector >= sectors_.count()) continue;
        const SensorSuggestion suggestion = suggest(*to, asked.request);
        if (suggestion.itself && !placed_) continue;  // nobody to name
        send_message(actions, asked.link, PSenseKind::suggestion, suggestion);
        sensor_paper_bytes_ += kPaperSuggestion;
    }
    asked_.clear();
}

}  // namespace fray
