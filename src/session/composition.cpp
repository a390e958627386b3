#include "session/composition.hpp"

#include "interest/make_policy.hpp"
#include "overlay/make_overlay.hpp"

#include <utility>

namespace fray {

namespace {

PeerId draw_id(Seed seed) {
    RandomStream stream{seed, "peer id"};
    PeerId id;
    for (std::uint8_t& byte : id.bytes) byte = static_cast<std::uint8_t>(stream.next());
    return id;
}

PeerOptions with_id(PeerOptions options, Seed seed) {
    if (options.id == PeerId{}) options.id = draw_id(seed);
    return options;
}

}  // namespace

Composition::Composition(PeerOptions given, const RandomRoot& root, const Additions& additions,
                         LinkOwner& owner, ClockListener& clock_listener)
    : options{with_id(std::move(given), root.seed)},
      codec{options.world},
      out{links, options.link, rejections},
      clock{options.clock, options.id, links, out, clock_listener},
      context{options.id, options, codec, clock, links, out, mailbox, rejections},
      handshake{{links, out, parked, clock, owner, rejections}, options, options.id, root},
      reader{links, rejections},
      overlay{make_overlay(options.overlay, options.world, options.id, root.seed)},
      policy{additions.policy ? additions.policy(context) : make_policy(context, root.seed)},
      primaries{context, overlay->relays()},
      replicas{context, overlay->relays()},
      places{context, primaries, replicas},
      shared{context, primaries, replicas},
      relay{context, replicas},
      views{context, {primaries, replicas, replicas, relay, shared.known()}},
      guidance{context, {primaries, primaries, replicas}},
      agreement{context, primaries, shared.known()},
      messages{context} {
    const bool positions = overlay->wants_sightings() || policy->needs_positions();
    replicas.connect(views, shared.known(), positions ? overlay.get() : nullptr);
    relay.connect(*overlay, views);
    policy->connect(places);
    agreement.connect(*policy);
    policy->connect(*overlay);
    out.set_hellos(handshake);
    out.add_writer(clock, Purpose::clock);
    out.add_writer(primaries, Purpose::state);
    out.add_writer(guidance, Purpose::guidance, Outbound::Turn::rides);
    guidance.set_focus(policy->focus());
    reader.add_writer(primaries);
    parts = {&replicas, &shared, &agreement, overlay.get(), &views,   &primaries,
             &clock,    &relay,  &messages,  policy.get(),  &guidance};
    for (const Additions::MakePart& make : additions.parts) {
        added.push_back(make(context));
        parts.push_back(added.back().get());
    }
    for (Part* part : parts) reader.add_part(*part);
}

std::size_t Composition::memory_bytes() const {
    // Each part includes its own sizeof.
    std::size_t sum = links.memory_bytes() + out.memory_bytes() + parked.memory_bytes() +
                      handshake.memory_bytes() + reader.memory_bytes() + mailbox.memory_bytes();
    sum += sizeof(options) + sizeof(codec) + sizeof(rejections) + sizeof(context) +
           parts.capacity() * sizeof(Part*) + added.capacity() * sizeof(added[0]);
    for (const Part* part : parts) sum += part->memory_bytes();
    return sum;
}

}  // namespace fray
