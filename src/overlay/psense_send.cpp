// Steps 2b and 2c: our own updates and those of others, and the lists that go with them.

#include "overlay/psense.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

namespace fray {

namespace {

constexpr std::uint16_t kForwardBytes = 90;  // contact, list, state, and its part of a datagram, about
constexpr std::size_t kListInIt = 24;        // names; further ones take up to two bytes each
constexpr std::uint16_t kHelpBytes = 20;     // the same for who knows the originator
// The first forwards of a round are worth as much as updates of our own: they introduce those who come close.
// The others help out where there is room.
constexpr std::size_t kPromptShare = 8;  // of the upload, one part in so many
constexpr std::size_t kPromptLeast = 2;
constexpr float kAhead = 2;              // rounds: its word was on the way for one, so will ours be
constexpr std::uint8_t kToldEnough = 2;  // greetings at the beginning of a link
constexpr std::uint32_t kLately = 3;     // rounds
constexpr std::size_t kWaryLists = 8;
constexpr std::size_t kMuch = 1U << 30U;  // bytes of upload
constexpr std::size_t kCrowd = 24;        // near nodes: they tell us of whom else sensor nodes would

void insert(std::vector<std::uint32_t>& names, std::uint32_t name) {
    const auto at = std::ranges::lower_bound(names, name);
    if (at == names.end() || *at != name) names.insert(at, name);
}

}  // namespace

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
        const bool seen = node.role == Role::near && node.distance - kAhead * node.approach <= reach(node);
        const bool soon = node.role == Role::near && (round_ + node.name) % kMarginInterval == 0;
        const bool sensor = (node.role == Role::sensor && due(node.sector)) || leads_on(node);
        if (!seen && !soon && !sensor && !node.parting) continue;
        ++own_offered_;
        for (const News& n : news) {
            const float distance = length(way(world_, node.position, n.position));
            out.push_back({.link = node.link,
                           .primary = n.primary,
                           .distance = node.seen ? distance / options_.vision_range : kDistanceUnknown,
                           .bytes = paper ? std::uint16_t{options_.paper_update_bytes} : n.bytes,
                           .update = n.primary,
                           .per_copy = paper ? kPaperId : std::uint16_t{0},
                           .named = node.role == Role::near});
        }
    }
}

bool PSenseOverlay::leads_on(const Node& node) const {
    // Through it we came, wherever it is: it passes our updates on to where we are.
    return wary() && node.proven && !node.seen;
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
    const bool helping = heard_[heard].partial;
    const std::size_t names = heard_[heard].receivers.size();
    const auto longer = static_cast<std::uint16_t>(2 * (std::max(names, kListInIt) - kListInIt));
    const auto real = helping ? kHelpBytes : static_cast<std::uint16_t>(kForwardBytes + longer);
    out.push_back({.link = to.link,
                   .primary = static_cast<std::uint16_t>(kForwards + forwardings_.size()),
                   .distance = apart / options_.vision_range,
                   .bytes = paper ? static_cast<std::uint16_t>(options_.paper_update_bytes + list) : real,
                   .update = static_cast<std::uint16_t>(kForwards + heard),
                   .per_copy = paper ? kPaperId : std::uint16_t{0},
                   .is_help = helping || forwardings_.size() >= prompt});
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
            std::vector<std::uint32_t>& names = heard_[f.heard].receivers;
            if (names.size() < kMaxReceivers) insert(names, f.name);
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
    paper_bytes_ +=
        sensor_paper_bytes_ + own.size() * (options_.paper_update_bytes + kPaperId * receivers_.size());
    heard_.clear();
}

void PSenseOverlay::name_receivers() {
    // As published, those who get this one. Else those who get one every few rounds, so that who is missing
    // is new to us, and does not only wait for its turn.
    const Round lately = options_.watchful ? kLately : 0;
    receivers_.clear();
    receivers_now_.clear();
    for (const Node& node : nodes_) {
        // Who just left our sight is in it yet, as others see it.
        const bool left =
            options_.watchful && node.placed && node.distance <= reach(node) + 2 * options_.margin;
        if ((node.role != Role::near && !left) || node.link == kNoLink || node.served == 0) continue;
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
    const LinkNumber helper = short_of_upload ? closest_rich(own) : kNoLink;
    bool written = false;  // all get the same list, so it is written once
    for (std::size_t i = 0; i < own.size(); ++i) {
        Node* node = find(own[i]);
        const bool drawn = lists != 0 && choice_.below(static_cast<std::uint32_t>(own.size() - i)) < lists;
        if (drawn) --lists;
        const bool sensor = node->role == Role::sensor && !crowd;
        if (own[i] == helper) {
            write_list(receivers_now_, true);
            begin_message(actions, own[i], true).bytes = list_;
            written = false;
        } else if (drawn || sensor || leads_on(*node)) {
            if (!std::exchange(written, true)) write_list(receivers_, false);
            begin_message(actions, own[i], true).bytes = list_;
        }
        if (node->told >= kToldEnough) continue;
        const auto upload =
            static_cast<std::uint8_t>(std::bit_width(std::min<std::size_t>(upload_bytes_, kMuch)));
        const PSenseGreeting greeting{options_.vision_range, upload};
        send_message(actions, own[i], PSenseKind::greeting, greeting);
        ++node->told;
    }
}

LinkNumber PSenseOverlay::closest_rich(std::span<const LinkNumber> own) const {
    // Of those who have at least twice our upload: the closest knows most of our neighbours.
    LinkNumber best = kNoLink;
    float least = std::numeric_limits<float>::max();
    for (const LinkNumber link : own) {
        const Node* node = find(link);
        if (node->role != Role::near || node->upload / 2 < upload_bytes_ || node->distance >= least) continue;
        best = link;
        least = node->distance;
    }
    return best;
}

void PSenseOverlay::write_list(std::span<const std::uint32_t> names, bool partial) {
    list_.resize(16 + names.size() * 4);
    BitWriter out{list_};
    out.bits(static_cast<std::uint64_t>(PSenseKind::receivers), 2);
    out.boolean(partial);
    write_id_set(out, names);
    list_.resize(out.finish().size());
}

void PSenseOverlay::write_header(Heard& heard) {
    heard.header.resize(64 + heard.receivers.size() * 4);
    BitWriter out{heard.header};
    ForwardHeader header{heard.hops, heard.origin, heard.vision, heard.partial};
    if (heard.partial) header.name = static_cast<std::uint16_t>(short_id(heard.origin.id));
    write(out, header);
    if (!heard.partial) write_id_set(out, heard.receivers);
    heard.header_bits = out.bit_count();
    heard.header.resize(out.finish().size());
}

void PSenseOverlay::send_forward(Heard& heard, LinkNumber to, OverlayActions& actions) {
    if (heard.header.empty()) write_header(heard);
    OverlayActions::Forward& forward = actions.forwards.add();
    forward.to = to;
    forward.origin = heard.origin.id;
    forward.state = heard.state;
    forward.state_bits = heard.state_bits;
    forward.header = heard.header;
    forward.header_bits = heard.header_bits;
    ++forwarded_;
    paper_bytes_ += options_.paper_update_bytes + kPaperId * heard.receivers.size();
}

}  // namespace fray
