// Steps 1 and 2a: what comes in, and the lists that follow from it. psense_send.cpp has the rest.

#include "overlay/psense.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace fray {

namespace {

constexpr std::uint32_t kStaleRounds = 10;  // nothing heard for so long: it is not there any more
constexpr std::uint8_t kMostCalls = 4;      // unanswered ones
constexpr std::size_t kCallsPerRound = 16;
constexpr std::size_t kMaxNodes = 2048;
constexpr std::size_t kMaxHeard = 1024;  // per round
constexpr std::size_t kMaxAsked = 256;   // per round
constexpr std::size_t kMostLinks = 1024;
constexpr std::size_t kContactsCalled = 3;  // per round, when everybody else is lost

}  // namespace

PSenseOverlay::PSenseOverlay(const PSense& options, const World& world, PeerId self, Seed seed)
    : options_{options},
      world_{world},
      self_{self},
      self_name_{static_cast<std::uint16_t>(short_id(self))},
      choice_{seed, "psense"},
      sectors_{options.sectors},
      sensors_(options.sectors) {}

std::size_t PSenseOverlay::room() const {
    const auto linked = std::ranges::count_if(nodes_, [](const Node& n) { return n.link != kNoLink; });
    return kMostLinks - std::min(kMostLinks, static_cast<std::size_t>(linked));
}

PSenseOverlay::Node* PSenseOverlay::find(const PeerId& id) {
    const auto found = std::ranges::find_if(nodes_, [&](const Node& n) { return n.contact.id == id; });
    return found == nodes_.end() ? nullptr : &*found;
}

PSenseOverlay::Node* PSenseOverlay::find(LinkNumber link) {
    const auto found = std::ranges::find(nodes_, link, &Node::link);
    return found == nodes_.end() ? nullptr : &*found;
}

const PSenseOverlay::Node* PSenseOverlay::find(LinkNumber link) const {
    const auto found = std::ranges::find(nodes_, link, &Node::link);
    return found == nodes_.end() ? nullptr : &*found;
}

PSenseOverlay::Node* PSenseOverlay::remember(const Contact& contact) {
    if (contact.id == self_ || contact.id == PeerId{}) return nullptr;
    if (Node* known = find(contact.id)) {
        if (known->link == kNoLink && known->contact.address != contact.address) known->calls = 0;
        if (known->link == kNoLink) known->contact = contact;
        return known;
    }
    if (nodes_.size() >= kMaxNodes) return nullptr;
    return &nodes_.emplace_back(Node{.contact = contact,
                                     .name = static_cast<std::uint16_t>(short_id(contact.id)),
                                     .heard = round_,
                                     .vision = options_.vision_range});
}

void PSenseOverlay::place(Node& node, const Vec3& position) {
    node.position = position;
    node.placed = true;
    node.heard = round_;
    const Vec3 offset = way(world_, position_, position);
    node.distance = length(offset);
    node.sector = static_cast<std::uint8_t>(sectors_.of(offset));
}

float PSenseOverlay::reach(const Node& node) const {
    return std::max(options_.vision_range, node.vision);  // who sees the other must be told, whoever it is
}

bool PSenseOverlay::in_sight_of_each_other(const Node& a, const Node& b) const {
    return length(way(world_, a.position, b.position)) <= std::max(a.vision, b.vision);
}

// --- step 1 ---

void PSenseOverlay::handle_link_up(Instant, LinkNumber link, const Contact& contact, bool) {
    Node* node = remember(contact);
    if (node == nullptr) return;
    node->contact = contact;
    node->link = link;
    node->heard = round_;
    node->calls = 0;
}

void PSenseOverlay::handle_link_down(Instant, LinkNumber link, const Contact&, Reason reason) {
    Node* node = find(link);
    if (node == nullptr) return;
    node->link = kNoLink;
    node->role = Role::none;
    node->placed = false;
    if (reason == Reason::left || options_.contacts == 0) node->heard = 0;  // forgotten with the next round
}

void PSenseOverlay::handle_sighting(Instant, LinkNumber link, const Sighting& sighting) {
    Node* node = find(link);
    if (node == nullptr || (node->placed && sighting.when < node->when)) return;
    node->when = sighting.when;
    place(*node, sighting.position);
}

bool PSenseOverlay::handle_message(Instant, LinkNumber link, BitReader& in) {
    Node* from = find(link);
    if (from == nullptr) return true;  // a link too many for us: what it says is of no use
    switch (static_cast<PSenseKind>(in.bits(2))) {
        case PSenseKind::request: {
            SensorRequest request;
            if (!read(in, request)) return false;
            from->vision = request.vision;
            place(*from, request.position);
            if (asked_.size() < kMaxAsked) asked_.push_back({link, request});
            return true;
        }
        case PSenseKind::suggestion: {
            SensorSuggestion suggestion;
            if (!read(in, suggestion)) return false;
            Node* node = suggestion.itself ? from : remember(suggestion.contact);
            const bool fresher = node != nullptr && (!node->placed || node->heard + 1 < round_);
            if (fresher) place(*node, suggestion.position);
            return true;
        }
        case PSenseKind::receivers:
            return read_receivers(*from, in);
    }
    return false;
}

bool PSenseOverlay::read_receivers(Node& from, BitReader& in) {
    Heard heard{.origin = from.contact.id, .from = from.contact.id, .hops = 1, .receivers = {}};
    ReadStream stream{in};
    float vision = 0;
    serialize_length(stream, vision);
    if (!stream.ok() || !read_id_set(in, heard.receivers, kMaxReceivers)) return false;
    from.vision = vision;
    if (heard_.size() < kMaxHeard) heard_.push_back(std::move(heard));
    return true;
}

std::optional<Contact> PSenseOverlay::handle_forward(Instant, LinkNumber link, BitReader& header,
                                                     const Sighting& sighting) {
    ForwardHeader read_header;
    const Node* from = find(link);
    Heard heard;
    if (!read(header, read_header) || from == nullptr ||
        !read_id_set(header, heard.receivers, kMaxReceivers)) {
        header.fail();
        return std::nullopt;
    }
    const PeerId sender = from->contact.id;
    if (read_header.origin.id == self_) return std::nullopt;
    Node* origin = remember(read_header.origin);
    if (origin == nullptr) return std::nullopt;
    if (origin->placed && sighting.when <= origin->when) {
        ++forward_duplicates_;
        return std::nullopt;
    }
    origin->when = sighting.when;
    origin->vision = read_header.vision;
    place(*origin, sighting.position);
    heard.origin = origin->contact.id;
    heard.from = sender;
    heard.hops = static_cast<std::uint8_t>(read_header.hops + 1);
    if (heard_.size() < kMaxHeard) heard_.push_back(std::move(heard));
    if (origin->distance > reach(*origin) + options_.margin) return std::nullopt;
    return origin->contact;
}

// --- step 2a ---

void PSenseOverlay::round(Instant, const std::optional<Vec3>& self, OverlayActions& actions) {
    ++round_;
    sensor_paper_bytes_ = 0;
    if (self) position_ = *self;
    placed_ = placed_ || self.has_value();
    for (Node& node : nodes_) {
        const Vec3 offset = way(world_, position_, node.position);
        node.distance = length(offset);
        node.sector = static_cast<std::uint8_t>(sectors_.of(offset));
    }
    forget_stale();
    choose_roles();
    call(actions);
    if (placed_) ask_sensors(actions);
    answer(actions);
}

void PSenseOverlay::forget_stale() {
    for (Node& node : nodes_) {
        if (node.placed && round_ - node.heard > kStaleRounds) node.placed = false;
    }
    // Who is neither linked nor anywhere is a mere contact: the ones heard of last are kept.
    const auto mere = [](const Node& n) { return n.link == kNoLink && !n.placed; };
    std::erase_if(nodes_, [&](const Node& n) { return mere(n) && (n.heard == 0 || n.calls >= kMostCalls); });
    auto count = static_cast<std::size_t>(std::ranges::count_if(nodes_, mere));
    while (count > options_.contacts) {
        auto oldest = nodes_.end();
        for (auto at = nodes_.begin(); at != nodes_.end(); ++at) {
            if (mere(*at) && (oldest == nodes_.end() || at->heard < oldest->heard)) oldest = at;
        }
        nodes_.erase(oldest);
        --count;
    }
}

void PSenseOverlay::choose_roles() {
    for (Node& node : nodes_) {
        const bool near = node.placed && node.distance <= reach(node) + options_.margin;
        node.role = near ? Role::near : Role::none;
    }
    choose_sensors();
    // Further ones whom we only heard of are of no use; those who hold a link with us still are to somebody.
    std::erase_if(nodes_, [&](const Node& n) {
        return n.placed && n.role == Role::none && n.link == kNoLink && options_.contacts == 0;
    });
}

void PSenseOverlay::choose_sensors() {
    for (unsigned sector = 0; sector < sectors_.count(); ++sector) {
        for (unsigned rank = 0; rank <= options_.backups; ++rank) {
            Node* best = nullptr;
            for (Node& node : nodes_) {
                if (!node.placed || node.role != Role::none || node.sector != sector) continue;
                if (best == nullptr || node.distance < best->distance) best = &node;
            }
            if (rank == 0) sensors_[sector] = best == nullptr ? PeerId{} : best->contact.id;
            if (best == nullptr) break;
            best->role = rank == 0 ? Role::sensor : Role::backup;
        }
    }
}

void PSenseOverlay::call(OverlayActions& actions) {
    std::size_t linked = 0;
    for (const Node& node : nodes_) linked += node.link != kNoLink ? 1 : 0;
    std::size_t contacts = linked == 0 ? kContactsCalled : 0;
    for (Node& node : nodes_) {
        if (node.link != kNoLink || round_ < node.call_at || actions.calls.size() >= kCallsPerRound) continue;
        const bool wanted = node.role == Role::near || node.role == Role::sensor;
        if (!wanted && (node.placed || contacts == 0)) continue;
        if (!wanted) --contacts;
        if (node.calls >= kMostCalls) {
            node.placed = false;  // whoever named it: it does not answer
            continue;
        }
        actions.calls.push_back(node.contact);
        node.call_at = round_ + (2U << node.calls);
        ++node.calls;
    }
}

bool PSenseOverlay::keeps(LinkNumber link) const {
    const Node* node = find(link);
    return node != nullptr && (node->role == Role::near || node->role == Role::sensor);
}

void PSenseOverlay::reset() {
    nodes_.clear();
    heard_.clear();
    asked_.clear();
    forwardings_.clear();
    std::ranges::fill(sensors_, PeerId{});
    placed_ = false;
}

std::size_t PSenseOverlay::memory_bytes() const {
    std::size_t sum = sizeof(*this) + nodes_.capacity() * sizeof(Node) +
                      sensors_.capacity() * sizeof(PeerId) + asked_.capacity() * sizeof(Asked) +
                      forwardings_.capacity() * sizeof(Forwarding) + heard_.capacity() * sizeof(Heard);
    for (const Heard& heard : heard_) sum += heard.receivers.capacity() * sizeof(std::uint32_t);
    return sum;
}

PSenseStats PSenseOverlay::stats() const {
    PSenseStats stats{.paper_bytes = paper_bytes_,
                      .paper_bytes_in = paper_bytes_in_,
                      .forwarded = forwarded_,
                      .forward_duplicates = forward_duplicates_};
    for (const Node& node : nodes_) stats.near += node.role == Role::near ? 1 : 0;
    for (const PeerId& id : sensors_) stats.sensors += id != PeerId{} ? 1 : 0;
    return stats;
}

}  // namespace fray
