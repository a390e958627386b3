// Step 1: what comes in.
#include "overlay/psense.hpp"

#include <algorithm>
#include <utility>

namespace fray {

namespace {

constexpr std::size_t kMaxHeard = 1024;  // per round
constexpr std::size_t kMaxAsked = 256;   // per round
constexpr std::size_t kMostLinks = 1024;
constexpr std::uint16_t kNobody = 0xFFFF;
constexpr float kBelievable = 4;  // so many times as far as we do: nobody sees further
// A list names those who see the same part of the world as we do: not many more than we know. A run of names
// costs a few bytes, but each copy that is passed on would carry them one by one.
constexpr std::size_t kListLeast = 64;
constexpr std::size_t kListFactor = 4;
// What naming somebody costs, if it never answers. Who passes an update on may have been lied to: so the
// closer to the lie, the more it costs, and a liar is found out before those who believed it.
constexpr std::uint8_t kFromAfar = 4;  // the next one passes it on as if it were at first hand
constexpr std::uint8_t kFirstHand = 2;
constexpr std::uint8_t kSecondHand = 1;

}  // namespace

PSenseOverlay::PSenseOverlay(const PSense& options, const World& world, PeerId self, Seed seed)
    : Overlay{true},
      options_{options},
      world_{world},
      self_{self},
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

const PSenseOverlay::Node* PSenseOverlay::find(LinkNumber link) const {
    if (link >= by_link_.size() || by_link_[link] == kNobody) return nullptr;
    return &nodes_[by_link_[link]];
}

PSenseOverlay::Node* PSenseOverlay::find(LinkNumber link) {
    return const_cast<Node*>(std::as_const(*this).find(link));  // NOLINT(*-const-cast): the same, not const
}

void PSenseOverlay::index_links() {
    std::ranges::fill(by_link_, kNobody);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        const LinkNumber link = nodes_[i].link;
        if (link == kNoLink) continue;
        if (link >= by_link_.size()) by_link_.resize(link + std::size_t{1}, kNobody);
        by_link_[link] = static_cast<std::uint16_t>(i);
    }
}

void PSenseOverlay::place(Node& node, const Vec3& position) {
    node.position = position;
    node.placed = true;
    node.seen = true;
    node.heard = round_;
}

void PSenseOverlay::measure_way(Node& node) const {
    const Vec3 offset = way(world_, position_, node.position);
    node.distance = length(offset);
    node.sector = static_cast<std::uint8_t>(sectors_.of(offset));
}

float PSenseOverlay::reach(const Node& node) const {
    return std::max(options_.vision_range, node.vision);  // who sees the other must be told, whoever it is
}

float PSenseOverlay::believable(float vision) const {
    const float most = options_.most_vision > 0 ? options_.most_vision : kBelievable * options_.vision_range;
    return std::min(vision, most);
}

void PSenseOverlay::handle_link_up(Instant, const LinkUp& up) {
    Node* node = remember(up.contact);
    if (node == nullptr) return;
    node->contact = up.contact;
    node->link = up.link;
    node->heard = round_;
    node->spoke = round_;
    node->asked = 0;
    node->answers_due = 0;
    node->usual_gap = kGapUnit;
    node->told = 0;
    node->proven = false;
    node->met = false;
    node->linked = round_;
    set_complete(false);  // the next round states it anew
    node->suggests = false;
    index_links();
    const auto linked = std::ranges::count_if(nodes_, [](const Node& n) { return n.link != kNoLink; });
    if (linked == 1) be_wary();  // the first in a while: there is all to learn
}

void PSenseOverlay::handle_link_down(Instant, const LinkDown& down) {
    Node* node = find(down.link);
    if (node == nullptr) return;
    by_link_[down.link] = kNobody;
    node->link = kNoLink;
    // Whoever fell silent while it had something to say is called, but hardly there.
    if (node->doubted) node->calls = std::max<std::uint8_t>(node->calls, 2);
    node->lost = down.reason == Reason::timed_out && node->known &&
                 (node->doubted || node->role == Role::near || node->role == Role::sensor);
    node->role = Role::none;
    node->placed = false;
    node->proven = false;
    node->doubted = false;
    if (down.reason == Reason::left || options_.contacts == 0)
        node->heard = 0;  // forgotten with the next round
}

void PSenseOverlay::handle_alive(Instant, LinkNumber link) {
    Node* node = find(link);
    if (node == nullptr) return;
    if (!node->known) {
        if (Tried* entry = tried(node->contact.address)) *entry = {};
        praise(*node);
    }
    node->proven = true;
    node->known = true;
    node->lost = false;
    node->calls = 0;
    node->called = false;
    spoke(*node);
}

void PSenseOverlay::handle_sighting(Instant, LinkNumber link, const Sighting& sighting) {
    Node* node = find(link);
    if (node == nullptr || sighting.when < node->when) return;
    node->when = sighting.when;
    place(*node, sighting.position);
}

Receipt PSenseOverlay::handle_message(const Arrival& arrival, MessageKind, BitReader& in) {
    Node* from = find(arrival.link);
    if (from == nullptr) return taken_unacknowledged();  // a link too many for us: what it says is of no use
    const auto receipt = [](bool understood) { return understood ? taken_unacknowledged() : malformed(); };
    switch (static_cast<PSenseKind>(in.bits(2))) {
        case PSenseKind::request:
            return receipt(read_request(*from, in));
        case PSenseKind::suggestion:
            return receipt(read_suggestion(*from, in));
        case PSenseKind::receivers:
            return receipt(read_receivers(*from, in));
        case PSenseKind::greeting: {
            PSenseGreeting greeting;
            if (!read(in, greeting)) return malformed();
            from->vision = believable(greeting.vision);
            from->upload = greeting.upload == 0 ? 0 : 1U << (greeting.upload - 1U);  // at least
            return taken_unacknowledged();
        }
    }
    return malformed();
}

bool PSenseOverlay::read_request(Node& from, BitReader& in) {
    SensorRequest request;
    if (!read(in, request)) return false;
    paper_bytes_in_ += kPaperRequest;
    from.vision = believable(request.vision);
    request.vision = from.vision;
    place(from, restore(world_, request.position));
    const auto same = [&](const Asked& a) {
        return a.link == from.link && a.request.sector == request.sector;
    };
    if (asked_.size() < kMaxAsked && std::ranges::none_of(asked_, same))
        asked_.push_back({from.link, request});
    return true;
}

bool PSenseOverlay::read_suggestion(Node& from, BitReader& in) {
    SensorSuggestion suggestion;
    if (!read(in, suggestion)) return false;
    if (from.answers_due == 0) return true;  // nobody asked
    answered(from);
    paper_bytes_in_ += kPaperSuggestion;
    const Vec3 position = restore(world_, suggestion.position);
    if (suggestion.itself) {
        place(from, position);
        return true;
    }
    Node* node = hear_of(suggestion.contact, from, kFirstHand);
    // What somebody tells of itself is better, where it is not old.
    if (node == nullptr || (node->placed && node->heard + 1 >= round_)) return true;
    place(*node, position);
    measure_way(*node);
    walk(*node);
    return true;
}

bool PSenseOverlay::read_receivers(Node& from, BitReader& in) {
    Heard& heard = incoming_;
    heard.origin = from.contact;
    heard.position = from.position;
    heard.vision = from.vision;
    heard.when = from.when;
    heard.from = from.contact.id;
    heard.hops = 1;
    heard.state.clear();
    heard.state_bits = 0;
    heard.partial = in.boolean();
    if (!read_id_set(in, heard.receivers, kMaxReceivers)) return false;
    paper_bytes_in_ += options_.paper_update_bytes + kPaperId * heard.receivers.size();
    if (!from.placed || std::exchange(from.listed, round_) == round_) return true;  // one a round is enough
    note(heard);
    return true;
}

std::optional<PeerId> PSenseOverlay::handle_forward(Instant, LinkNumber link, BitReader& header,
                                                    const PassedOn& update) {
    ForwardHeader read_header;
    const Node* from = find(link);
    Heard& heard = incoming_;
    heard.partial = false;
    const bool complete = read(header, read_header) &&
                          (read_header.helping || read_id_set(header, heard.receivers, kMaxReceivers));
    if (!complete) {
        header.fail();
        return std::nullopt;
    }
    if (from == nullptr || !update.timely) return std::nullopt;  // or a link too many for us
    if (read_header.helping) return take_help(read_header.name, update);
    paper_bytes_in_ += options_.paper_update_bytes + kPaperId * heard.receivers.size();
    if (read_header.origin.id == self_) return std::nullopt;
    heard.from = from->contact.id;
    const Vec3 last_place = from->seen ? from->position : update.where.position;
    const std::uint32_t introducer = from->number;
    Node* origin = hear_of(read_header.origin, *from, read_header.hops <= 1 ? kFirstHand : kSecondHand);
    if (origin == nullptr || !is_news(*origin, update.where)) return std::nullopt;
    // How far it sees, whoever is linked with us tells us itself.
    if (origin->link == kNoLink) origin->vision = believable(read_header.vision);
    measure_way(*origin);
    heard.origin = origin->contact;
    heard.position = origin->position;
    heard.vision = origin->vision;
    heard.when = origin->when;
    heard.hops = static_cast<std::uint8_t>(read_header.hops + 1);
    if (came_from_afar(last_place, *origin)) {  // among us who see its originator it begins anew
        heard.hops = 1;
        if (origin->introducer == introducer) origin->charge = kFromAfar;
    }
    heard.state.assign(update.state.begin(), update.state.end());
    heard.state_bits = update.state_bits;
    const bool wanted = origin->distance <= reach(*origin) + options_.margin;
    const PeerId id = origin->contact.id;
    note(heard);
    return wanted ? std::optional{id} : std::nullopt;
}

bool PSenseOverlay::came_from_afar(const Vec3& last_place, const Node& origin) const {
    const float last_way = length(way(world_, last_place, origin.position));
    return options_.watchful && last_way > reach(origin) + options_.margin &&
           origin.distance <= reach(origin);
}

std::optional<PeerId> PSenseOverlay::take_help(std::uint16_t name, const PassedOn& update) {
    paper_bytes_in_ += options_.paper_update_bytes;
    const auto meant = [&](const Node& n) { return n.name == name && n.link != kNoLink && n.proven; };
    const auto origin = std::ranges::find_if(nodes_, meant);
    if (origin == nodes_.end() || std::find_if(origin + 1, nodes_.end(), meant) != nodes_.end())
        return std::nullopt;  // nobody, or one of two: who knows which
    return is_news(*origin, update.where) ? std::optional{origin->contact.id} : std::nullopt;
}

bool PSenseOverlay::is_news(Node& origin, const Sighting& where) {
    if (where.when <= origin.when) {  // whether or not we still know where it is
        ++forward_duplicates_;
        return false;
    }
    origin.when = where.when;
    place(origin, where.position);
    return true;
}

void PSenseOverlay::note(const Heard& heard) {
    const std::size_t plausible = std::min(std::max(kListLeast, kListFactor * nodes_.size()), kMaxReceivers);
    if (heard.receivers.size() > plausible) return;
    // One of each originator: the newest, with everybody on its list who has it.
    const auto same =
        std::ranges::find_if(heard_, [&](const Heard& h) { return h.origin.id == heard.origin.id; });
    if (same == heard_.end()) {
        if (heard_.size() < kMaxHeard) heard_.add() = heard;
    } else if (heard.when > same->when) {
        *same = heard;
    } else if (heard.when == same->when) {
        receivers_.clear();
        std::ranges::set_union(same->receivers, heard.receivers, std::back_inserter(receivers_));
        if (receivers_.size() <= plausible) same->receivers.swap(receivers_);
    }
}

void PSenseOverlay::handle_clock_set(Instant) {
    for (Node& node : nodes_) node.when = SessionInstant::min();
    for (Former& former : former_) former.when = SessionInstant::min();
    heard_.clear();
}

void PSenseOverlay::reset() {
    nodes_.clear();
    by_link_.clear();
    heard_.clear();
    asked_.clear();
    forwardings_.clear();
    std::ranges::fill(sensors_, PeerId{});
    // Wherever we come in next, we are new there.
    wary_since_ = 0;
    wary_until_ = 0;
    walked_to_ = 0;
    answer_delay_ = kGapUnit;
    tried_.fill({});
    next_tried_ = 0;
    former_.fill({});
    next_former_ = 0;
    position_ = {};
    placed_ = false;
    set_complete(false);
}

std::size_t PSenseOverlay::memory_bytes() const {
    std::size_t sum = sizeof(*this) + nodes_.capacity() * sizeof(Node) +
                      sensors_.capacity() * sizeof(PeerId) + asked_.capacity() * sizeof(Asked) +
                      forwardings_.capacity() * sizeof(Forwarding) + heard_.all().capacity() * sizeof(Heard) +
                      (by_link_.capacity() + order_.capacity()) * sizeof(std::uint16_t) +
                      (receivers_.capacity() + receivers_now_.capacity()) * sizeof(std::uint32_t) +
                      own_receivers_.capacity() * sizeof(LinkNumber) + list_.capacity() +
                      incoming_.heap_bytes();
    for (const Heard& heard : heard_.all()) sum += heard.heap_bytes();
    return sum;
}

PSenseStats PSenseOverlay::stats() const {
    PSenseStats stats{.paper_bytes = paper_bytes_,
                      .paper_bytes_in = paper_bytes_in_,
                      .forwarded = forwarded_,
                      .forward_duplicates = forward_duplicates_};
    for (const Node& node : nodes_) {
        stats.near += node.role == Role::near ? 1 : 0;
        if (node.role == Role::near || node.role == Role::sensor)
            stats.nodes.push_back({node.contact.id, node.role == Role::near, node.sector});
    }
    for (const PeerId& id : sensors_) stats.sensors += id != PeerId{} ? 1 : 0;
    return stats;
}

}  // namespace fray
