#include "session/link_table.hpp"

#include <fray/assert.hpp>

#include <algorithm>
#include <utility>

namespace fray {

LinkSlot* LinkTable::create(LinkEnds ends, Instant now, std::size_t most) {
    if (free_.empty() && slots_.size() >= std::min<std::size_t>(most, 0xFFFF)) return nullptr;
    if (free_.empty()) {
        free_.push_back(static_cast<LinkNumber>(slots_.size()));
        slots_.emplace_back();
    }
    const LinkNumber number = free_.back();
    free_.pop_back();
    ends.local_number = number;
    slots_[number] = std::make_unique<LinkSlot>(ends, now);
    pending_.push_back(number);
    return slots_[number].get();
}

void LinkTable::destroy(LinkNumber number) {
    FRAY_ASSERT(at(number) != nullptr);
    std::erase(up_, number);
    std::erase(pending_, number);
    slots_[number].reset();
    free_.push_back(number);
}

LinkSlot* LinkTable::pending_call(const PeerId& peer) const {
    for (const LinkNumber number : pending_) {
        LinkSlot* slot = at(number);
        if (slot->called && slot->link.ends.peer == peer) return slot;
    }
    return nullptr;
}

void LinkTable::set_up(LinkNumber number) {
    std::erase(pending_, number);
    const auto peer_of = [this](LinkNumber n) -> const PeerId& { return slots_[n]->link.ends.peer; };
    up_.insert(std::ranges::lower_bound(up_, peer_of(number), {}, peer_of), number);
    slots_[number]->up = true;
}

LinkSlot* LinkTable::up(const PeerId& peer) const {
    const auto peer_of = [this](LinkNumber n) -> const PeerId& { return slots_[n]->link.ends.peer; };
    const auto place = std::ranges::lower_bound(up_, peer, {}, peer_of);
    return place != up_.end() && peer_of(*place) == peer ? slots_[*place].get() : nullptr;
}

void LinkTable::clear() {
    slots_.clear();
    free_.clear();
    up_.clear();
    pending_.clear();
}

const RemoteView* LinkSlot::view(std::uint32_t number) const {
    const auto found = std::ranges::lower_bound(views, number, {}, &RemoteView::number);
    return found != views.end() && found->number == number ? &*found : nullptr;
}

void LinkSlot::forget_view(std::uint32_t number) {
    std::erase_if(views, [&](const RemoteView& view) { return view.number == number; });
}

RemoteView* LinkSlot::view(std::uint32_t number) {
    return const_cast<RemoteView*>(std::as_const(*this).view(number));  // it is ours
}

std::size_t LinkTable::memory_bytes() const {
    std::size_t sum = slots_.capacity() * sizeof(slots_[0]) +
                      (free_.capacity() + up_.capacity() + pending_.capacity()) * sizeof(LinkNumber);
    for (const auto& slot : slots_) {
        if (!slot) continue;
        sum += sizeof(LinkSlot) - sizeof(Link) + slot->link.memory_bytes() + slot->baselines.heap_bytes() +
               slot->replicas.heap_bytes() + slot->outbox.capacity() * sizeof(std::uint16_t) +
               slot->loose.heap_bytes() + slot->views.capacity() * sizeof(RemoteView);
        for (const RemoteView& view : slot->views) sum += sizeof(Showing) + view.showing->heap_bytes();
    }
    return sum;
}

}  // namespace fray
