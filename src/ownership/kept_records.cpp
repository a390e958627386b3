#include "ownership/kept_records.hpp"

#include <iterator>
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

// --- shares of senders ---

KeptRecord& KeptRecords::create(const Key& key) {
    const auto [at, added] = records_.try_emplace(key);
    if (added) ++shares_[key.from].count;
    return at->second;
}

KeptRecords::Records::iterator KeptRecords::erase(Records::iterator at) {
    const auto share = shares_.find(at->first.from);
    share->second.bytes -= at->second.bytes;
    if (--share->second.count == 0) shares_.erase(share);
    return records_.erase(at);
}

template <class Condition>
void KeptRecords::erase_if(Condition condition) {
    for (auto it = records_.begin(); it != records_.end();)
        it = condition(it->first, it->second) ? erase(it) : std::next(it);
}

void KeptRecords::book(const PeerId& from, KeptRecord& kept, std::size_t bytes) {
    Share& share = shares_.at(from);
    share.bytes += bytes - kept.bytes;
    kept.bytes = bytes;
}

bool KeptRecords::has_room(const Key& key, std::size_t bytes) const {
    const auto share = shares_.find(key.from);
    if (share == shares_.end()) return true;
    const std::size_t added = records_.contains(key) ? 0 : 1;
    return share->second.count + added <= kMaxOfOne && share->second.bytes + bytes <= kMaxBytesOfOne;
}

// --- records ---

void KeptRecords::interrupt(const Key& key) {
    const auto found = records_.find(key);
    if (found == records_.end()) return;
    if (!found->second.complete) {
        erase(found);
        return;
    }
    found->second.pending.clear();
    found->second.interrupted = true;
    book(key.from, found->second, found->second.heap_bytes());
}

KeptRecords::Progress KeptRecords::accept(const PeerId& from, Record&& record) {
    const Key key{record.claim.id, record.use, from};
    const std::size_t size = size_of(record);
    if (!has_room(key, size)) {
        interrupt(key);
        return Progress::no_room;
    }
    KeptRecord* kept = find(key.id, key.use, from);
    const bool continues = kept != nullptr && kept->stream == record.stream;
    if (record.whole) {
        // A stale record, delivered late, must not replace a newer one.
        if (kept != nullptr && record.stream < kept->stream) return Progress::ignored;
        if (continues && record.serial <= kept->serial) return Progress::ignored;
        if (!continues) {
            kept = &create(key);
            KeptRecord fresh{.claim = record.claim, .stream = record.stream};
            fresh.bytes = kept->bytes;
            *kept = std::move(fresh);
        }
        kept->pending.clear();
        kept->interrupted = false;
        book(from, *kept, kept->heap_bytes());
    } else {
        if (!continues || kept->interrupted) return Progress::ignored;
        // The acknowledgement of a record holds for all before it.
        const std::uint32_t next = kept->pending.empty() ? kept->serial + 1 : kept->pending.front().serial;
        if (record.serial != next || (kept->pending.empty() && !kept->complete)) return Progress::ignored;
    }
    const bool last = record.last;
    kept->pending.push_back(std::move(record));
    book(from, *kept, kept->bytes + size);
    if (!last) return Progress::partial;
    complete(from, *kept);
    return Progress::complete;
}

void KeptRecords::complete(const PeerId& from, KeptRecord& kept) {
    if (kept.pending.front().whole) kept.decisions = Decisions{};
    for (Record& piece : kept.pending) {
        kept.decisions.add(piece);
        if (!piece.state.empty()) kept.state = std::move(piece.state);
    }
    kept.serial = kept.pending.back().serial;
    kept.claim = kept.pending.back().claim;
    kept.pending.clear();
    kept.complete = true;
    book(from, kept, kept.heap_bytes());
}

void KeptRecords::put(const PeerId& owner, KeptRecord record) {
    KeptRecord& kept = create({record.claim.id, RecordUse::keep, owner});
    record.bytes = kept.bytes;
    kept = std::move(record);
    book(owner, kept, kept.heap_bytes());
}

void KeptRecords::erase(const EntityId& id, RecordUse use, const PeerId& from) {
    const auto found = records_.find({id, use, from});
    if (found != records_.end()) erase(found);
}

KeptRecord* KeptRecords::find(const EntityId& id, RecordUse use, const PeerId& from) {
    const auto found = records_.find({id, use, from});
    return found == records_.end() ? nullptr : &found->second;
}

void KeptRecords::erase(const EntityId& id, RecordUse use) {
    erase_if([&](const Key& key, const KeptRecord&) { return key.id == id && key.use == use; });
}

void KeptRecords::erase_superseded(const EntityId& id) {
    erase_if([&](const Key& key, const KeptRecord& kept) {
        return key.id == id && key.use == RecordUse::keep && !kept.displaced_until;
    });
}

void KeptRecords::expire(Instant now) {
    erase_if([&](const Key&, const KeptRecord& kept) {
        return kept.displaced_until && now > *kept.displaced_until;
    });
}

void KeptRecords::drop_partial(const PeerId& from) {
    erase_if([&](const Key& key, KeptRecord& kept) {
        if (key.from != from) return false;
        if (key.use != RecordUse::keep || !kept.complete) return true;
        kept.pending.clear();
        book(from, kept, kept.heap_bytes());
        return false;
    });
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
    std::size_t sum = shares_.size() * (kNode + sizeof(Share));
    for (const auto& [key, kept] : records_) sum += kNode + kept.heap_bytes();
    return sum;
}

}  // namespace fray
