#include "ownership/histories.hpp"

#include "ownership/owned_entity.hpp"

#include <algorithm>
#include <utility>

namespace fray {

void Histories::send(const KnownEntity& known, Post& post) {
    const Post::Neighbour* owner = post.find(known.claim.owner);
    if (owner == nullptr) return;
    for (History& history : lost_) {
        if (history.claim.id != known.claim.id || history.sent_to == owner->peer) continue;
        const Record header{.claim = history.claim,
                            .stream = history.claim.term,
                            .serial = 1,
                            .use = RecordUse::history,
                            .whole = true,
                            .state = history.state};
        if (send_record(post, owner->link, header, history.decisions.askers(), history.decisions.list()) != 0)
            history.sent_to = owner->peer;
    }
}

void Histories::send_all(const KnownEntities& known, Post& post) {
    for (const History& history : lost_) {
        if (const KnownEntity* entity = known.find(history.claim.id)) send(*entity, post);
    }
}

void Histories::handle_link_down(const PeerId& peer) {
    for (History& history : lost_) {
        if (history.sent_to == peer) history.sent_to.reset();
    }
}

std::optional<Histories::Rival> Histories::take_rival(const EntityId& id, const PeerId& other) {
    const auto found = std::ranges::find_if(
        rivals_, [&](const Rival& rival) { return rival.id == id && rival.other == other; });
    if (found == rivals_.end()) return std::nullopt;
    Rival rival = std::move(*found);
    rivals_.erase(found);
    return rival;
}

std::size_t Histories::heap_bytes() const {
    std::size_t sum = 0;
    for (const History& history : lost_)
        sum += sizeof(history) + history.state.capacity() + history.decisions.heap_bytes();
    for (const Rival& rival : rivals_)
        sum += sizeof(rival) + rival.state.capacity() + rival.decisions.heap_bytes();
    return sum;
}

}  // namespace fray
