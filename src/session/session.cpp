#include "session/session.hpp"

#include "interest/broadcast.hpp"
#include "interest/nearest.hpp"
#include "interest/random_choice.hpp"
#include "overlay/full_mesh.hpp"
#include "overlay/psense.hpp"

#include <algorithm>
#include <utility>

namespace fray {

namespace {

std::unique_ptr<Overlay> make_overlay(const OverlayOptions& options, const World& world, PeerId self,
                                      Seed seed) {
    if (const auto* psense = std::get_if<PSense>(&options))
        return std::make_unique<PSenseOverlay>(*psense, world, self, seed);
    return std::make_unique<FullMeshOverlay>(std::get<FullMesh>(options), self, seed);
}

std::unique_ptr<UpdatePolicy> make_policy(const InterestOptions& options, Seed seed) {
    if (const auto* random = std::get_if<RandomChoice>(&options))
        return std::make_unique<RandomChoicePolicy>(*random, seed);
    if (std::holds_alternative<Nearest>(options)) return std::make_unique<NearestPolicy>();
    return std::make_unique<BroadcastPolicy>();
}

UploadBudget make_budget(const LinkOptions& options) {
    if (options.upload_bytes_per_round != 0) return UploadBudget::per_round(options.upload_bytes_per_round);
    if (options.upload_kbps != 0) return UploadBudget::rate(options.upload_kbps);
    return UploadBudget::unlimited();
}

PeerId draw_id(Seed seed) {
    RandomStream stream{seed, "peer id"};
    PeerId id;
    for (std::uint8_t& byte : id.bytes) byte = static_cast<std::uint8_t>(stream.next());
    return id;
}

Incarnation draw_incarnation(RandomStream& stream) {
    return Incarnation{static_cast<std::uint32_t>(stream.next()) | 1U};  // never zero
}

}  // namespace

Session::Session(PeerOptions options, Seed seed)
    : options_{std::move(options)},
      seed_{seed},
      tokens_{seed, "tokens"},
      id_{options_.id == PeerId{} ? draw_id(seed) : options_.id},
      incarnation_{options_.incarnation == Incarnation{} ? draw_incarnation(tokens_) : options_.incarnation},
      world_print_{options_.world.fingerprint()},
      codec_{options_.world},
      overlay_{make_overlay(options_.overlay, options_.world, id_, seed)},
      sightings_{std::holds_alternative<PSense>(options_.overlay)},
      policy_{make_policy(options_.interest, seed)},
      budget_{make_budget(options_.link)} {}

void Session::start(Instant now) {
    if (started_) return;
    started_ = true;
    next_frame_ = now;
    joined_us_ = wire_time(session_time(now));
}

void Session::restart_as_new_incarnation() {
    incarnation_ = draw_incarnation(tokens_);
    clock_.reset();
    overlay_->reset();
    parked_.clear();
    reference_.reset();
    join_.reset();
    host_.reset();
}

std::span<const Replica> Session::replicas(Instant now) const {
    shown_.clear();
    const SessionInstant at = session_time(now);
    for (const LinkNumber number : links_.up_links()) {
        const LinkSlot& slot = *links_.at(number);
        for (std::size_t i = 0; i < slot.replicas.size(); ++i) {
            shown_.push_back(slot.replicas.show(i, options_.world, codec_, at));
            shown_.back().id.owner = slot.link.ends.peer;
            if (!slot.views.empty()) show(shown_.back(), slot, at);
        }
    }
    return shown_;
}

std::optional<Replica> Session::replica(Instant now, const EntityId& id) const {
    const LinkSlot* slot = links_.up(id.owner);
    if (slot == nullptr) return std::nullopt;
    const auto at = slot->replicas.find(id.number);
    if (!at) return std::nullopt;
    Replica shown = slot->replicas.show(*at, options_.world, codec_, session_time(now));
    shown.id.owner = id.owner;
    show(shown, *slot, session_time(now));
    return shown;
}

std::vector<PeerId> Session::peers() const {
    std::vector<PeerId> ids;
    for (const LinkNumber number : links_.up_links()) ids.push_back(links_.at(number)->link.ends.peer);
    return ids;
}

Stats Session::stats() const {
    Stats stats{
        .ledger = ledger_, .rejections = rejections_, .clock = clock_.stats(), .psense = {}, .links = {}};
    stats.clock.hops = reference_ ? links_.at(*reference_)->clock_hops + 1U : 0U;
    stats.updates_sent = updates_sent_;
    stats.updates_received = updates_received_;
    stats.updates_stale = updates_stale_;
    stats.datagrams_received = datagrams_received_;
    stats.bytes_received = bytes_received_;
    stats.messages_delivered = messages_delivered_;
    stats.psense = overlay_->stats();
    for (const LinkNumber number : links_.up_links()) stats.links.push_back(links_.at(number)->link.stats());
    return stats;
}

std::size_t Session::memory_bytes() const {
    std::size_t sum = sizeof(*this) + links_.memory_bytes() + overlay_->memory_bytes();
    for (const Primary& primary : primaries_) sum += primary.memory_bytes();
    sum += requests_.memory_bytes();
    sum += own_views_.capacity() * sizeof(OwnView) + word_.payload.capacity() + word_.input.capacity();
    for (const OwnView& view : own_views_) {
        if (view.showing) sum += sizeof(Showing) + view.showing->heap_bytes();
    }
    sum += candidates_.capacity() * sizeof(Candidate) + shown_.capacity() * sizeof(Replica) +
           assembled_.capacity() + actions_.memory_bytes() + news_.capacity() * sizeof(News) +
           carried_.capacity() * sizeof(std::uint16_t) + passed_on_.all().capacity() * sizeof(Relayed);
    for (const Relayed& r : passed_on_.all()) sum += r.state.payload.capacity() + r.state.input.capacity();
    for (const ParkedChannel& p : parked_) {
        sum += sizeof(p) + p.channel.out.heap_bytes() + p.channel.in.heap_bytes();
    }
    sum += farewells_.capacity() * sizeof(Link) + mailbox_.memory_bytes();
    sum += (urgent_.capacity() + ready_.capacity()) * sizeof(LinkNumber);
    return sum;
}

}  // namespace fray
