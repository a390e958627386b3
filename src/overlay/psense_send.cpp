// Steps 2b and 2c: requests and suggestions, our own updates and those of others, and the lists that go with
// them.

#include "overlay/psense.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <utility>

namespace fray {

namespace {

constexpr std::uint16_t kForwardBytes = 90;  // contact, list, state, and its part of a datagram, about
// The first forwards of a round are worth as much as updates of our own: they introduce those who come close.
// The others help out where there is room.
constexpr std::size_t kPromptShare = 8;  // of the upload, one part in so many
constexpr std::size_t kPromptLeast = 2;
constexpr float kHelpWorth = 0.1F;
constexpr float kNearCounts = 3;         // so many times more often than at the edge of our sight, and one
constexpr unsigned kMarginInterval = 2;  // rounds between two updates for those not yet in view
constexpr unsigned kMarginCrowd = 3;     // the same in a crowd
constexpr std::uint8_t kToldEnough = 2;  // greetings at the beginning of a link
constexpr std::uint32_t kLately = 3;     // rounds
constexpr std::size_t kWaryLists = 8;
constexpr std::size_t kMuch = 1U << 30U;  // bytes of upload
constexpr std::uint32_t kEmptyRarer = 3;
constexpr std::uint32_t kSomebody = 3;  // so many times as seldom as a sensor node
constexpr std::size_t kCrowd =
    24;  // near nodes; then they tell us whom we would hear of through sensor nodes

/// A message with room for so many bytes, which finish() cuts to those written.
OverlayActions::Message& begin(OverlayActions& actions, LinkNumber link, std::size_t most, bool passing) {
    OverlayActions::Message& message = actions.messages.add();
    message.link = link;
    message.reliable = false;
    message.passing = passing;
    message.bytes.resize(most);
    return message;
}

template <class T>
void send(OverlayActions& actions, LinkNumber link, PSenseKind kind, const T& value) {
    OverlayActions::Message& message = begin(actions, link, 64, false);
    BitWriter out{message.bytes};
    out.bits(static_cast<std::uint64_t>(kind), 2);
    write(out, value);
    message.bytes.resize(out.finish().size());
}

float squared(float x) { return x * x; }

void insert(std::vector<std::uint32_t>& names, std::uint32_t name) {
    const auto at = std::ranges::lower_bound(names, name);
    if (at == names.end() || *at != name) names.insert(at, name);
}

}  // namespace

// --- sensor nodes ---

bool PSenseOverlay::due(unsigned sector) const {
    const bool empty = sensors_[sector] == PeerId{};
    // Where nobody is, hardly anybody comes from: all such sectors are asked for in one go, and less often.
    if (empty && options_.watchful && !wary()) return round_ % (kEmptyRarer * interval_) == 0;
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
    if (options_.watchful && round_ % (kSomebody * interval_) == 0) ask_somebody(actions);
}

void PSenseOverlay::ask_somebody(OverlayActions& actions) {
    // Sensor nodes of sensor nodes may be a world of their own. So each of those who are linked with us for
    // other reasons is asked in turn: through it we came in, or it has us as its sensor node.
    const auto other = [](const Node& n) {
        return n.link != kNoLink && n.proven && (n.role == Role::none || n.role == Role::backup);
    };
    const auto count = std::ranges::count_if(nodes_, other);
    if (count == 0) return;
    const Round turn = round_ / (kSomebody * interval_);
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
    send(actions, node.link, PSenseKind::request, request);
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
        send(actions, asked.link, PSenseKind::suggestion, suggestion);
        sensor_paper_bytes_ += kPaperSuggestion;
    }
    asked_.clear();
}

// --- updates ---

void PSenseOverlay::candidates(std::span<const News> news, std::vector<Candidate>& out) {
    offer_own(news, out);
    offer_forwards(out);
}

void PSenseOverlay::offer_own(std::span<const News> news, std::vector<Candidate>& out) {
    const bool paper = options_.paper_cap_bytes != 0;
    own_offered_ = 0;
    for (const Node& node : nodes_) {
        if (node.link == kNoLink) continue;
        const bool seen = node.role == Role::near && node.distance <= reach(node);
        const unsigned rest = options_.watchful && nodes_.size() > kCrowd ? kMarginCrowd : kMarginInterval;
        const bool soon = node.role == Role::near && (round_ + node.name) % rest == 0;
        const bool sensor = (node.role == Role::sensor && due(node.sector)) || leads_on(node);
        if (!seen && !soon && !sensor && !node.parting) continue;
        ++own_offered_;
        for (const News& n : news) {
            const Vec3 offset = way(world_, node.position, n.position);
            out.push_back({.link = node.link,
                           .primary = n.primary,
                           .importance = importance(length(offset)),
                           .bytes = paper ? kPaperUpdate : n.bytes,
                           .update = n.primary,
                           .per_copy = kPaperId,
                           .named = node.role == Role::near});
        }
    }
}

bool PSenseOverlay::leads_on(const Node& node) const {
    // Through it we came, wherever it is: it passes our updates on to where we are.
    return wary() && node.proven && !node.seen;
}

float PSenseOverlay::importance(float distance) const {
    return 1 / (1 + kNearCounts * distance / options_.vision_range);
}

void PSenseOverlay::find_listeners() {
    order_.clear();
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        const Node& node = nodes_[i];
        const bool listed = node.role == Role::near || node.role == Role::sensor;
        if (listed && node.link != kNoLink && !node.doubted) order_.push_back(static_cast<std::uint16_t>(i));
    }
}

bool PSenseOverlay::has(const Node& node, const Heard& heard) {
    return node.contact.id == heard.origin.id || node.contact.id == heard.from;
}

void PSenseOverlay::offer_forwards(std::vector<Candidate>& out) {
    // On the way to its originator an update may go further than among its neighbours: each step comes
    // closer, and so a newcomer finds its place.
    const unsigned way_limit = options_.watchful ? kMaxHops : options_.hop_limit;
    forwardings_.clear();
    find_listeners();
    for (std::size_t i = 0; i < heard_.size(); ++i) {
        const Heard& heard = heard_[i];
        bool any = false;
        for (const std::uint16_t at : order_) {
            const Node& node = nodes_[at];
            const Vec3 apart = way(world_, heard.position, node.position);
            const float sight = std::max(heard.vision, node.vision) + options_.margin;
            if (heard.hops >= options_.hop_limit || dot(apart, apart) > squared(sight)) continue;
            if (has(node, heard)) continue;
            any = true;
            if (!std::ranges::binary_search(heard.receivers, node.name)) offer_forward(i, node, out);
        }
        const float away = length(way(world_, heard.position, position_));
        const bool in_sight = away <= std::max(options_.vision_range, heard.vision);
        if (any || in_sight || heard.hops >= way_limit) continue;
        if (const Node* closest = closest_to(heard)) offer_forward(i, *closest, out);
    }
}

const PSenseOverlay::Node* PSenseOverlay::closest_to(const Heard& heard) const {
    const Node* best = nullptr;
    float least = length(way(world_, heard.position, position_));  // only who is closer to it than we are
    for (const std::uint16_t at : order_) {
        const Node& node = nodes_[at];
        const float distance = length(way(world_, heard.position, node.position));
        if (distance >= least || has(node, heard) || std::ranges::binary_search(heard.receivers, node.name))
            continue;
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
    const float apart = length(way(world_, heard_[heard].position, to.position));
    const std::size_t prompt = std::max(kPromptLeast, upload_bytes_ / kPromptShare / kForwardBytes);
    const float worth = forwardings_.size() < prompt && !heard_[heard].partial ? 1 : kHelpWorth;
    out.push_back({.link = to.link,
                   .primary = static_cast<std::uint16_t>(kForwards + forwardings_.size()),
                   .importance = worth * importance(apart),
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
    std::vector<LinkNumber>& own = own_receivers_;
    own.clear();
    for (const Candidate& c : chosen) {
        if (c.primary >= kForwards) {
            const Forwarding& f = forwardings_[c.primary - kForwards];
            insert(heard_[f.heard].receivers, f.name);
            continue;
        }
        Node* node = find(c.link);
        if (node == nullptr) continue;
        own.push_back(c.link);
        node->served = round_;
    }
    name_receivers();
    std::ranges::sort(own);
    own.erase(std::ranges::unique(own).begin(), own.end());
    send_lists(own, actions);
    for (const Candidate& c : chosen) {
        if (c.primary < kForwards) continue;
        send_forward(heard_[forwardings_[c.primary - kForwards].heard], c.link, actions);
    }
    paper_bytes_ += sensor_paper_bytes_ + own.size() * (kPaperUpdate + kPaperId * receivers_.size());
    heard_.clear();
}

void PSenseOverlay::name_receivers() {
    // As published, those who get this one. Else those who get one every few rounds, so that who is missing
    // is new to us, and does not only wait for its turn.
    const Round lately = options_.watchful ? kLately : 0;
    receivers_.clear();
    receivers_now_.clear();
    for (const Node& node : nodes_) {
        if (node.role != Role::near || node.link == kNoLink || node.served == 0) continue;
        if (round_ - node.served <= lately) insert(receivers_, node.name);
        if (node.served == round_) insert(receivers_now_, node.name);
    }
}

void PSenseOverlay::send_lists(std::span<const LinkNumber> own, OverlayActions& actions) {
    // The lists of this round go to some near nodes, drawn evenly; sensor nodes get theirs with every update.
    // Whoever cannot know yet how far we see is told.
    std::size_t lists = options_.lists_per_round == 0 ? own.size() : options_.lists_per_round;
    const bool crowd = options_.watchful && !wary() && receivers_.size() > kCrowd;
    if (wary()) lists = std::max(lists, kWaryLists);
    // A rich neighbour may help out with this very update.
    const bool short_of_upload = options_.watchful && own.size() < own_offered_;
    const LinkNumber helper = short_of_upload ? richest(own) : kNoLink;
    for (std::size_t i = 0; i < own.size(); ++i) {
        Node* node = find(own[i]);
        const bool drawn = lists != 0 && choice_.below(static_cast<std::uint32_t>(own.size() - i)) < lists;
        if (drawn) --lists;
        const bool sensor = node->role == Role::sensor && !crowd;
        if (own[i] == helper) {
            send_list(own[i], receivers_now_, true, actions);
        } else if (drawn || sensor || leads_on(*node)) {
            send_list(own[i], receivers_, false, actions);
        }
        if (node->told >= kToldEnough) continue;
        const auto upload =
            static_cast<std::uint8_t>(std::bit_width(std::min<std::size_t>(upload_bytes_, kMuch)));
        const Greeting greeting{options_.vision_range, upload};
        send(actions, own[i], PSenseKind::greeting, greeting);
        ++node->told;
    }
}

LinkNumber PSenseOverlay::richest(std::span<const LinkNumber> own) {
    // One of those who have at least twice our upload, in turn.
    order_.clear();
    for (const LinkNumber link : own) {
        const Node* node = find(link);
        if (node->role == Role::near && node->upload / 2 >= upload_bytes_) order_.push_back(link);
    }
    return order_.empty() ? kNoLink : order_[choice_.below(static_cast<std::uint32_t>(order_.size()))];
}

void PSenseOverlay::send_list(LinkNumber link, std::span<const std::uint32_t> names, bool partial,
                              OverlayActions& actions) {
    OverlayActions::Message& message = begin(actions, link, 16 + names.size() * 4, true);
    BitWriter out{message.bytes};
    out.bits(static_cast<std::uint64_t>(PSenseKind::receivers), 2);
    out.boolean(partial);
    write_id_set(out, names);
    message.bytes.resize(out.finish().size());
}

void PSenseOverlay::send_forward(Heard& heard, LinkNumber to, OverlayActions& actions) {
    OverlayActions::Forward& forward = actions.forwards.add();
    forward.to = to;
    forward.origin = heard.origin.id;
    forward.state = heard.state;
    forward.state_bits = heard.state_bits;
    forward.header.resize(64 + heard.receivers.size() * 4);
    BitWriter out{forward.header};
    ForwardHeader header{heard.hops, heard.origin, heard.vision};
    write(out, header);
    write_id_set(out, heard.receivers);
    forward.header_bits = out.bit_count();
    forward.header.resize(out.finish().size());
    ++forwarded_;
    paper_bytes_ += kPaperUpdate + kPaperId * heard.receivers.size();
}

}  // namespace fray
