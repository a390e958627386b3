// Steps 2b and 2c: requests and suggestions, our own updates and those of others, and the lists that go with
// them.

#include "overlay/psense.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace fray {

namespace {

// The paper's marshalling: 4-byte ids, nothing compressed. It says that about 30 nodes are reached directly
// with 5 KByte a round; a copy with a list of 30 then takes 170 bytes, of which the list is 120.
constexpr std::uint16_t kPaperUpdate = 50;
constexpr std::uint16_t kPaperId = 4;
constexpr std::size_t kPaperRequest = 44;
constexpr std::size_t kPaperSuggestion = 52;

constexpr std::uint16_t kForwardBytes = 90;  // contact, list, state, and its part of a datagram, about
constexpr unsigned kMarginInterval = 2;      // rounds between two updates for those not yet in view

template <class T>
OverlayActions::Message encode(LinkNumber link, PSenseKind kind, const T& value) {
    std::array<std::uint8_t, 128> buffer{};
    BitWriter out{buffer};
    out.bits(static_cast<std::uint64_t>(kind), 2);
    write(out, value);
    const auto bytes = out.finish();
    return {.link = link, .bytes = {bytes.begin(), bytes.end()}, .reliable = false};
}

void insert(std::vector<std::uint32_t>& names, std::uint32_t name) {
    const auto at = std::ranges::lower_bound(names, name);
    if (at == names.end() || *at != name) names.insert(at, name);
}

}  // namespace

// --- sensor nodes ---

void PSenseOverlay::ask_sensors(OverlayActions& actions) {
    for (unsigned sector = 0; sector < sectors_.count(); ++sector) {
        if ((round_ + sector) % options_.sensor_interval != 0) continue;
        const Node* to = whom_to_ask(sector);
        if (to == nullptr) continue;
        const SensorRequest request{static_cast<std::uint8_t>(sector), options_.vision_range, position_};
        actions.messages.push_back(encode(to->link, PSenseKind::request, request));
        sensor_paper_bytes_ += kPaperRequest;
    }
}

const PSenseOverlay::Node* PSenseOverlay::whom_to_ask(unsigned sector) const {
    // The sensor node; else a near node in that sector, the outermost sees furthest; else the closest to it.
    const Node* best = nullptr;
    const auto rank = [&](const Node& n) {
        if (n.role == Role::sensor && n.sector == sector) return 3;
        if (n.role == Role::near && n.sector == sector) return 2;
        return n.placed ? 1 : 0;
    };
    const auto turns = [&](const Node& n) {
        const unsigned d = (n.sector + sectors_.count() - sector) % sectors_.count();
        return std::min(d, sectors_.count() - d);
    };
    for (const Node& node : nodes_) {
        if (node.link == kNoLink) continue;
        if (best == nullptr || rank(node) > rank(*best)) {
            best = &node;
        } else if (rank(node) == rank(*best)) {
            const bool further = rank(node) == 2 && node.distance > best->distance;
            const bool closer = rank(node) == 1 && turns(node) < turns(*best);
            if (further || closer) best = &node;
        }
    }
    return best;
}

SensorSuggestion PSenseOverlay::suggest(const Node& to, const SensorRequest& request) const {
    // The closest one out of its sight in that sector. Where we know none, the closest of all: that leads a
    // newcomer towards its place, step by step.
    const Node* best = nullptr;
    float best_distance = 0;
    bool best_fits = false;
    const auto consider = [&](const Node* node, const Vec3& position) {
        const Vec3 offset = way(world_, request.position, position);
        const float distance = length(offset);
        const bool fits = distance > request.vision && sectors_.of(offset) == request.sector;
        const bool first = best == nullptr && node != nullptr && !placed_;
        if (first || fits > best_fits || (fits == best_fits && distance < best_distance)) {
            best = node;
            best_distance = distance;
            best_fits = fits;
        }
    };
    if (placed_) {
        const Vec3 offset = way(world_, request.position, position_);
        best_distance = length(offset);
        best_fits = best_distance > request.vision && sectors_.of(offset) == request.sector;
    }
    for (const Node& node : nodes_) {
        if (node.placed && node.link != kNoLink && node.contact.id != to.contact.id)
            consider(&node, node.position);
    }
    SensorSuggestion suggestion{
        .sector = request.sector, .itself = best == nullptr, .position = position_, .contact = {}};
    if (best != nullptr) {
        suggestion.position = best->position;
        suggestion.contact = best->contact;
    }
    return suggestion;
}

void PSenseOverlay::answer(OverlayActions& actions) {
    for (const Asked& asked : asked_) {
        const Node* to = find(asked.link);
        if (to == nullptr || asked.request.sector >= sectors_.count()) continue;
        const SensorSuggestion suggestion = suggest(*to, asked.request);
        if (suggestion.itself && !placed_) continue;  // nobody to name
        actions.messages.push_back(encode(asked.link, PSenseKind::suggestion, suggestion));
        sensor_paper_bytes_ += kPaperSuggestion;
    }
    asked_.clear();
}

// --- updates ---

void PSenseOverlay::candidates(std::span<const News> news, std::vector<Candidate>& out) {
    offer_own(news, out);
    offer_forwards(out);
}

void PSenseOverlay::offer_own(std::span<const News> news, std::vector<Candidate>& out) const {
    const bool paper = options_.paper_cap_bytes != 0;
    for (const Node& node : nodes_) {
        if (node.link == kNoLink) continue;
        const bool seen = node.role == Role::near && node.distance <= reach(node);
        const bool soon = node.role == Role::near && (round_ + node.name) % kMarginInterval == 0;
        const bool sensor =
            node.role == Role::sensor && (round_ + node.sector) % options_.sensor_interval == 0;
        if (!seen && !soon && !sensor) continue;
        for (const News& n : news) {
            const Vec3 offset = way(world_, node.position, n.position);
            out.push_back({.link = node.link,
                           .primary = n.primary,
                           .importance = 1 / (1 + length(offset)),
                           .bytes = paper ? kPaperUpdate : n.bytes,
                           .update = n.primary,
                           .per_copy = kPaperId});
        }
    }
}

void PSenseOverlay::offer_forwards(std::vector<Candidate>& out) {
    forwardings_.clear();
    for (std::size_t i = 0; i < heard_.size(); ++i) {
        const Heard& heard = heard_[i];
        const Node* origin = find(heard.origin);
        if (origin == nullptr || !origin->placed || heard.hops >= options_.hop_limit) continue;
        bool any = false;
        for (const Node& node : nodes_) {
            const bool listed = node.role == Role::near || node.role == Role::sensor;
            if (!listed || node.link == kNoLink || node.contact.id == heard.origin) continue;
            if (node.contact.id == heard.from || !in_sight_of_each_other(*origin, node)) continue;
            any = true;
            if (std::ranges::binary_search(heard.receivers, node.name)) continue;
            offer_forward(i, node, out);
        }
        if (any || origin->distance <= reach(*origin)) continue;
        if (const Node* closest = closest_to(*origin, heard)) offer_forward(i, *closest, out);
    }
}

const PSenseOverlay::Node* PSenseOverlay::closest_to(const Node& origin, const Heard& heard) const {
    const Node* best = nullptr;
    float least = origin.distance;  // only who is closer to it than we are
    for (const Node& node : nodes_) {
        const bool listed = node.role == Role::near || node.role == Role::sensor;
        if (!listed || node.link == kNoLink || node.contact.id == heard.from ||
            node.contact.id == heard.origin) {
            continue;
        }
        const float distance = length(way(world_, origin.position, node.position));
        if (distance >= least || std::ranges::binary_search(heard.receivers, node.name)) continue;
        best = &node;
        least = distance;
    }
    return best;
}

void PSenseOverlay::offer_forward(std::size_t heard, const Node& to, std::vector<Candidate>& out) {
    constexpr std::size_t kMost = 0x7FFF;
    if (forwardings_.size() >= kMost) return;
    const bool paper = options_.paper_cap_bytes != 0;
    const auto list = static_cast<std::uint16_t>(heard_[heard].receivers.size() * kPaperId);
    out.push_back({.link = to.link,
                   .primary = static_cast<std::uint16_t>(kForwards + forwardings_.size()),
                   .importance = 0,
                   .bytes = paper ? static_cast<std::uint16_t>(kPaperUpdate + list) : kForwardBytes,
                   .update = static_cast<std::uint16_t>(kForwards + heard),
                   .per_copy = kPaperId});
    forwardings_.push_back({static_cast<std::uint16_t>(heard), to.name});
}

std::optional<std::size_t> PSenseOverlay::own_budget() const {
    if (options_.paper_cap_bytes == 0) return std::nullopt;
    return options_.paper_cap_bytes - std::min<std::size_t>(options_.paper_cap_bytes, sensor_paper_bytes_);
}

// --- step 2c ---

void PSenseOverlay::dispatch(Instant, std::span<const Candidate> chosen, OverlayActions& actions) {
    // Who really gets them is on the lists, and nobody else.
    receivers_.clear();
    std::vector<LinkNumber> own;
    for (const Candidate& c : chosen) {
        if (c.primary >= kForwards) {
            const Forwarding& f = forwardings_[c.primary - kForwards];
            insert(heard_[f.heard].receivers, f.name);
            continue;
        }
        const Node* node = find(c.link);
        if (node == nullptr) continue;
        own.push_back(c.link);
        if (node->role == Role::near) insert(receivers_, node->name);
    }
    std::ranges::sort(own);
    own.erase(std::ranges::unique(own).begin(), own.end());
    std::size_t lists = options_.lists_per_round == 0 ? own.size() : options_.lists_per_round;
    for (std::size_t i = 0; i < own.size(); ++i) {
        const Node* node = find(own[i]);
        const bool sensor = node->role == Role::sensor;
        // The lists of this round go to some of them, drawn evenly; sensor nodes get theirs with every
        // update.
        const bool drawn = lists != 0 && choice_.below(static_cast<std::uint32_t>(own.size() - i)) < lists;
        if (!sensor && !drawn) continue;
        if (drawn) --lists;
        send_list(own[i], actions);
    }
    for (const Candidate& c : chosen) {
        if (c.primary < kForwards) continue;
        const Heard& heard = heard_[forwardings_[c.primary - kForwards].heard];
        if (const Node* origin = find(heard.origin)) send_forward(heard, *origin, c.link, actions);
    }
    paper_bytes_ += sensor_paper_bytes_ + own.size() * (kPaperUpdate + kPaperId * receivers_.size());
    heard_.clear();
}

void PSenseOverlay::send_list(LinkNumber link, OverlayActions& actions) {
    std::vector<std::uint8_t> bytes(16 + receivers_.size() * 4);
    BitWriter out{bytes};
    out.bits(static_cast<std::uint64_t>(PSenseKind::receivers), 2);
    WriteStream stream{out};
    serialize_length(stream, options_.vision_range);
    write_id_set(out, receivers_);
    bytes.resize(out.finish().size());
    actions.messages.push_back({.link = link, .bytes = std::move(bytes), .reliable = false});
}

void PSenseOverlay::send_forward(const Heard& heard, const Node& origin, LinkNumber to,
                                 OverlayActions& actions) {
    OverlayActions::Forward forward{.to = to, .origin = origin.contact.id, .header = {}};
    forward.header.resize(64 + heard.receivers.size() * 4);
    BitWriter out{forward.header};
    write(out, ForwardHeader{heard.hops, origin.contact, origin.vision});
    write_id_set(out, heard.receivers);
    forward.header_bits = out.bit_count();
    forward.header.resize(out.finish().size());
    actions.forwards.push_back(std::move(forward));
    ++forwarded_;
    paper_bytes_ += kPaperUpdate + kPaperId * heard.receivers.size();
}

}  // namespace fray
