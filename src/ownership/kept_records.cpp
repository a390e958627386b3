#include "ownership/kept_records.hpp"

#include <utility>

namespace fray {

namespace {

std::size_t size_of(const Record& record) {
    std::size_t sum = sizeof(record) + record.state.size();
    for (const AskerRecord& asker : record.askers) sum += sizeof(asker) + asker.decided.size() * sizeof(Span);
    for (const Decision& decision : record.decisions) sum += decision.size();
    return sum;
}

}  // namespace

std::size_t KeptRecord::heap_bytes() const {
    std::size_t sum = sizeof(*this) + state.capacity() + decisions.heap_bytes();
    for (const Record& record : pending) sum += size_of(record);
    return sum;
}

bool KeptRecords::has_room(const PeerId& from, const Record& record) const {
    std::size_t count = 0;
    std::size_t bytes = size_of(record);
    for (const auto& [key, kept] : records_) {
        if (key.from != from) continue;
        ++count;
        bytes += kept.heap_bytes();
    }
    return count <= kMaxOfOne && bytes <= kMaxBytesOfOne;
}

KeptRecords::Progress KeptRecords::accept(const PeerId& from, Record&& record) {
    if (!has_room(from, record)) return Progress::no_room;
    KeptRecord* kept = find(record.claim.id, record.use, from);
    const bool continues = kept != nullptr && kept->stream == record.stream;
    if (record.whole) {
        // A stale record, delivered late, must not replace a newer one.
        if (kept != nullptr && record.stream < kept->stream) return Progress::ignored;
        if (!continues) {
            kept = &records_[{record.claim.id, record.use, from}];
            *kept = KeptRecord{.claim = record.claim, .stream = record.stream};
        }
        kept->pending.clear();
    } else if (!continues || (kept->pending.empty() && !kept->complete)) {
        return Progress::ignored;
    }
    const bool last = record.last;
    kept->pending.push_back(std::move(record));
    if (!last) return Progress::partial;
    if (kept->pending.front().whole) kept->decisions = Decisions{};
    for (Record& piece : kept->pending) {
        kept->decisions.add(piece);
        if (!piece.state.empty()) kept->state = std::move(piece.state);
    }
    kept->serial = kept->pending.back().serial;
    kept->claim = kept->pending.back().claim;
    kept->pending.clear();
    kept->complete = true;
    return Progress::complete;
}

KeptRecord* KeptRecords::find(const EntityId& id, RecordUse use, const PeerId& from) {
    const auto found = records_.find({id, use, from});
    return found == records_.end() ? nullptr : &found->second;
}

void KeptRecords::erase(const EntityId& id, RecordUse use) {
    std::erase_if(records_,
                  [&](const auto& entry) { return entry.first.id == id && entry.first.use == use; });
}

void KeptRecords::erase_superseded(const EntityId& id) {
    std::erase_if(records_, [&](const auto& entry) {
        return entry.first.id == id && entry.first.use == RecordUse::keep && !entry.second.displaced_until;
    });
}

void KeptRecords::expire(Instant now) {
    std::erase_if(records_, [&](const auto& entry) {
        return entry.second.displaced_until && now > *entry.second.displaced_until;
    });
}

void KeptRecords::drop_partial(const PeerId& from) {
    for (auto it = records_.begin(); it != records_.end();) {
        KeptRecord& kept = it->second;
        const bool stays = it->first.use == RecordUse::keep && kept.complete;
        if (it->first.from == from) kept.pending.clear();
        it = it->first.from == from && !stays ? records_.erase(it) : std::next(it);
    }
}

std::vector<EntityId> KeptRecords::kept_for(const PeerId& owner) const {
    std::vector<EntityId> ids;
    for (const auto& [key, kept] : records_) {
        if (key.use == RecordUse::keep && kept.complete && key.from == owner) ids.push_back(key.id);
    }
    return ids;
}

std::size_t KeptRecords::kept() const {
    std::size_t count = 0;
    for (const auto& [key, kept] : records_) {
        const bool counts = key.use == RecordUse::keep && kept.complete && !kept.displaced_until;
        count += counts ? 1U : 0U;
    }
    return count;
}

std::size_t KeptRecords::heap_bytes() const {
    constexpr std::size_t kNode = 4 * sizeof(void*) + sizeof(Key);
    std::size_t sum = 0;
    for (const auto& [key, kept] : records_) sum += kNode + kept.heap_bytes();
    return sum;
}

}  // namespace fray
