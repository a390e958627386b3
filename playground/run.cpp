#include "playground/run.hpp"

#include "core/math.hpp"

#include <cmath>

namespace fray::playground {
namespace {

using namespace std::chrono_literals;

constexpr float kSpeed = 45;        // units per second
constexpr float kMargin = 20;       // units that goals stay away from the border
constexpr Duration kJoinSpan = 2s;  // within which all peers join
constexpr Duration kUploadWindow = 1s;
constexpr double kDegreesPerRadian = 57.29577951308232;

}  // namespace

Result<std::unique_ptr<Run>> Run::create(const Settings& settings) {
    auto swarm = Swarm::create(swarm_options(settings), Seed{static_cast<std::uint64_t>(settings.seed)});
    if (!swarm) return swarm.error();
    std::unique_ptr<Run> run{new Run{std::move(*swarm), settings}};
    const auto options = std::make_shared<const PeerOptions>(peer_options(settings));
    if (auto checked = options->check(); !checked) return checked.error();
    for (PeerIndex i = 0; i < static_cast<PeerIndex>(settings.players); ++i) {
        PeerPlan plan;
        plan.start = kJoinSpan * i / settings.players;
        if (auto added = run->swarm_.add_peer(options, plan); !added) return added.error();
    }
    return run;
}

Run::Run(Swarm swarm, const Settings& settings) : swarm_{std::move(swarm)}, settings_{settings} {
    for (int i = 0; i < settings.players; ++i) {
        walkers_.push_back(
            {.random = RandomStream{derive(swarm_.seed(), "walker", static_cast<std::uint64_t>(i)), "walk"}});
        Walker& walker = walkers_.back();
        choose_goal(walker);
        walker.position = walker.goal;
        choose_goal(walker);
    }
    swarm_.set_workload(this);
}

Run::~Run() { swarm_.set_workload(nullptr); }

void Run::choose_goal(Walker& walker) const {
    const auto place = [&] {
        return static_cast<float>(walker.random.uniform(kMargin, kFieldSize - kMargin));
    };
    walker.goal = {place(), 0, 0};
    walker.goal.y = place();
}

void Run::walk(Walker& walker, Duration until) const {
    const auto seconds_left = static_cast<float>(seconds(until - walker.moved));
    walker.moved = until;
    const Vec3 way = walker.goal - walker.position;
    const float distance = length(way);
    if (distance <= kSpeed * seconds_left) {
        walker.position = walker.goal;
        choose_goal(walker);
        return;
    }
    walker.velocity = way * (kSpeed / distance);
    walker.position = walker.position + walker.velocity * seconds_left;
    const double degrees = kDegreesPerRadian * math::atan2(double{way.y}, double{way.x});
    walker.yaw = static_cast<float>(degrees < 0 ? degrees + 360 : degrees);
}

Vec3 Run::place_at(const Walker& walker, Duration time) {
    return walker.position + walker.velocity * static_cast<float>(seconds(time - walker.moved));
}

State Run::state_of_walker(const Walker& walker) const {
    return state_of(Pose{.position = walker.position, .velocity = walker.velocity, .yaw = walker.yaw});
}

void Run::started(Swarm& swarm, PeerIndex index, Instant, const Peer&) {
    Walker& walker = walkers_[index];
    walk(walker, swarm.now());
    walker.beliefs.clear();
    if (const auto entity = swarm.publish(index, state_of_walker(walker))) walker.entity = *entity;
}

void Run::look(Walker& walker, Instant now, const Peer& peer) const {
    walker.beliefs.clear();
    for (const Replica& replica : peer.replicas(now))
        walker.beliefs.push_back({.peer = static_cast<std::uint32_t>(replica.owner.number() - 1),
                                  .x = replica.pose.position.x,
                                  .y = replica.pose.position.y,
                                  .age_ms = static_cast<float>(seconds(replica.age) * 1000),
                                  .is_guided = replica.mode != ReplicaMode::direct});
}

void Run::frame(Swarm& swarm, PeerIndex index, Instant now, const Peer& peer) {
    Walker& walker = walkers_[index];
    walk(walker, swarm.now());
    (void)swarm.update(index, walker.entity, state_of_walker(walker));
    look(walker, now, peer);
    walker.looked = swarm.now();
}

void Run::crash_half() {
    bool crashes = false;
    for (PeerIndex i = 0; i < swarm_.size(); ++i) {
        if (!swarm_.alive(i)) continue;
        crashes = !crashes;
        if (crashes)
            (void)swarm_.schedule(
                {.at = swarm_.now() + 1ms, .kind = ActionKind::crash, .peer = i, .through = {}});
    }
}

bool Run::in_vision(PeerIndex a, PeerIndex b) const {
    return length(walkers_[a].position - walkers_[b].position) <= static_cast<float>(settings_.vision);
}

void Run::measure(PeerIndex index, Measured& sum) const {
    for (PeerIndex other = 0; other < swarm_.size(); ++other)
        sum.in_vision += other != index && swarm_.alive(other) && in_vision(index, other) ? 1 : 0;
    for (const Belief& belief : beliefs(index)) {
        if (!swarm_.alive(belief.peer) || !in_vision(index, belief.peer)) continue;
        const Vec3 truth = place_at(walkers_[belief.peer], walkers_[index].looked);
        sum.error += double{length(Vec3{belief.x, belief.y, 0} - truth)};
        sum.age_ms += double{belief.age_ms};
        ++sum.seen;
    }
}

Overview Run::overview() {
    Overview view;
    Measured sum;
    for (PeerIndex i = 0; i < swarm_.size(); ++i) {
        if (!swarm_.alive(i)) continue;
        ++view.living;
        measure(i, sum);
    }
    view.links = static_cast<std::uint32_t>(links().size() / 2);
    const auto seen = static_cast<double>(std::max<std::uint64_t>(sum.seen, 1));
    view.age_ms = sum.age_ms / seen;
    view.error = sum.error / seen;
    view.known_pct =
        sum.in_vision == 0 ? 100 : 100 * static_cast<double>(sum.seen) / static_cast<double>(sum.in_vision);
    const Duration span = swarm_.now() - looked_;
    if (span >= kUploadWindow && view.living > 0) {
        const std::uint64_t bytes = swarm_.counts().sent_bytes;
        upload_kbps_ = static_cast<double>(bytes - bytes_before_) * 8 / 1000 / seconds(span) / view.living;
        bytes_before_ = bytes;
        looked_ = swarm_.now();
    }
    view.upload_kbps = upload_kbps_;
    return view;
}

std::vector<PeerDot> Run::peers() const {
    std::vector<PeerDot> dots;
    for (PeerIndex i = 0; i < walkers_.size(); ++i)
        dots.push_back({.x = walkers_[i].position.x,
                        .y = walkers_[i].position.y,
                        .is_alive = i < swarm_.size() && swarm_.alive(i)});
    return dots;
}

std::vector<std::uint32_t> Run::links() const {
    std::vector<std::uint32_t> pairs;
    for (PeerIndex i = 0; i < swarm_.size(); ++i) {
        if (!swarm_.alive(i)) continue;
        for (const PeerId& id : swarm_.peer(i).peers()) {
            const auto other = static_cast<PeerIndex>(id.number() - 1);
            if (other <= i || other >= swarm_.size() || !swarm_.alive(other)) continue;
            pairs.push_back(i);
            pairs.push_back(other);
        }
    }
    return pairs;
}

const std::vector<Belief>& Run::beliefs(PeerIndex of) const {
    static const std::vector<Belief> kNone;
    return of < swarm_.size() && swarm_.alive(of) ? walkers_[of].beliefs : kNone;
}

std::vector<LinkDot> Run::links_of(PeerIndex index) const {
    std::vector<LinkDot> found;
    if (index >= swarm_.size() || !swarm_.alive(index)) return found;
    for (const LinkStats& link : swarm_.peer(index).stats().links) {
        const auto other = static_cast<PeerIndex>(link.peer.number() - 1);
        if (other < swarm_.size())
            found.push_back({.peer = other, .in_vision = in_vision(index, other), .in_focus = link.in_focus});
    }
    return found;
}

std::vector<double> Run::traffic(PeerIndex of) const {
    std::vector<double> bytes(kPurposeCount + 1);
    if (of >= swarm_.size() || !swarm_.alive(of)) return bytes;
    const Stats stats = swarm_.peer(of).stats();
    for (std::size_t i = 0; i < kPurposeCount; ++i) bytes[i] = stats.ledger.bytes(static_cast<Purpose>(i));
    bytes[kPurposeCount] = static_cast<double>(stats.bytes_received);
    return bytes;
}

}  // namespace fray::playground
