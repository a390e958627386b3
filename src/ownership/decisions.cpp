#include "ownership/decisions.hpp"

#include <algorithm>
#include <utility>

namespace fray {

// --- NumberSet ---

void NumberSet::add(std::uint32_t first, std::uint32_t last) {
    if (first > last) return;
    // Spans that touch the new one become part of it.
    const auto begin =
        std::ranges::find_if(spans_, [&](const Span& s) { return std::uint64_t{s.last} + 1 >= first; });
    auto end = begin;
    for (; end != spans_.end() && end->first <= std::uint64_t{last} + 1; ++end) {
        first = std::min(first, end->first);
        last = std::max(last, end->last);
    }
    const auto place = spans_.erase(begin, end);
    spans_.insert(place, Span{first, last});
    if (spans_.size() <= kMaxSpans) return;
    spans_[1].first = spans_[0].first;
    spans_.erase(spans_.begin());
}

void NumberSet::merge(const NumberSet& other) {
    for (const Span& span : other.spans_) add(span.first, span.last);
}

bool NumberSet::contains(std::uint32_t number) const {
    return std::ranges::any_of(spans_, [&](const Span& s) { return s.first <= number && number <= s.last; });
}

bool NumberSet::contains(const NumberSet& other) const {
    return std::ranges::all_of(other.spans_, [&](const Span& inner) {
        return std::ranges::any_of(
            spans_, [&](const Span& s) { return s.first <= inner.first && inner.last <= s.last; });
    });
}

// --- Decisions ---

const Decisions::Asker* Decisions::asker(const PeerId& peer, std::uint32_t incarnation) const {
    const auto found = std::ranges::find_if(
        askers_, [&](const Asker& a) { return a.peer == peer && a.incarnation == incarnation; });
    return found == askers_.end() ? nullptr : &*found;
}

Decisions::Asker& Decisions::use_asker(const PeerId& peer, std::uint32_t incarnation) {
    const auto found = std::ranges::find_if(
        askers_, [&](const Asker& a) { return a.peer == peer && a.incarnation == incarnation; });
    if (found != askers_.end()) {
        std::rotate(found, found + 1, askers_.end());
        return askers_.back();
    }
    if (askers_.size() >= kMaxAskers) {
        const auto idle = std::ranges::find_if(
            askers_, [&](const Asker& a) { return open_of(a.peer, a.incarnation) == 0; });
        askers_.erase(idle == askers_.end() ? askers_.begin() : idle);
    }
    return askers_.emplace_back(Asker{peer, incarnation, 0, {}});
}

bool Decisions::contains(const PeerId& peer, std::uint32_t incarnation, std::uint32_t number) const {
    const Asker* known = asker(peer, incarnation);
    return known != nullptr && known->decided.contains(number);
}

bool Decisions::is_closed(const PeerId& peer, std::uint32_t incarnation, std::uint32_t number) const {
    const Asker* known = asker(peer, incarnation);
    return known != nullptr && number < known->oldest;
}

const Decision* Decisions::find(const PeerId& peer, std::uint32_t incarnation, std::uint32_t number) const {
    const auto found =
        std::ranges::find_if(list_, [&](const Decision& d) { return d.is_of(peer, incarnation, number); });
    return found == list_.end() ? nullptr : &*found;
}

bool Decisions::is_open(const Decision& decision) const {
    return !is_closed(decision.asker, decision.incarnation, decision.number);
}

std::size_t Decisions::open_of(const PeerId& peer, std::uint32_t incarnation) const {
    return static_cast<std::size_t>(std::ranges::count_if(list_, [&](const Decision& d) {
        return d.asker == peer && d.incarnation == incarnation && is_open(d);
    }));
}

bool Decisions::has_room(const PeerId& peer, std::uint32_t incarnation) const {
    std::size_t open_bytes = 0;
    for (const Decision& decision : list_) open_bytes += is_open(decision) ? decision.size() : 0;
    if (open_bytes >= kMaxOpenBytes) return false;
    if (asker(peer, incarnation) != nullptr || askers_.size() < kMaxAskers) return true;
    return std::ranges::any_of(askers_, [&](const Asker& a) { return open_of(a.peer, a.incarnation) == 0; });
}

void Decisions::add(const Decision& decision) {
    // The asker asked nothing about this entity between the two numbers.
    use_asker(decision.asker, decision.incarnation).decided.add(decision.previous + 1, decision.number);
    if (find(decision.asker, decision.incarnation, decision.number) == nullptr) list_.push_back(decision);
    trim();
}

void Decisions::close(const PeerId& peer, std::uint32_t incarnation, std::uint32_t oldest) {
    if (asker(peer, incarnation) == nullptr && askers_.size() >= kMaxAskers) return;
    Asker& known = use_asker(peer, incarnation);
    if (oldest <= known.oldest) return;
    known.oldest = oldest;
    trim();
}

void Decisions::add(const Record& record) {
    for (const AskerRecord& one : record.askers) {
        Asker& known = use_asker(one.asker, one.incarnation);
        known.oldest = std::max(known.oldest, one.oldest);
        for (const Span& span : one.decided) known.decided.add(span.first, span.last);
    }
    for (const Decision& decision : record.decisions) add(decision);
}

Decisions::Merged Decisions::merge(const Decisions& other) {
    Merged merged;
    for (const Decision& decision : other.list_) {
        if (contains(decision.asker, decision.incarnation, decision.number)) continue;
        merged.added.push_back(decision);
        add(decision);
    }
    for (const Asker& theirs : other.askers_) {
        Asker& ours = use_asker(theirs.peer, theirs.incarnation);
        merged.complete = merged.complete && ours.decided.contains(theirs.decided);
        ours.decided.merge(theirs.decided);
        ours.oldest = std::max(ours.oldest, theirs.oldest);
    }
    trim();
    return merged;
}

void Decisions::trim() {
    std::size_t history = 0;
    std::size_t keep_from = list_.size();  // of the closed ones
    while (keep_from > 0) {
        const Decision& decision = list_[keep_from - 1];
        if (!is_open(decision)) history += decision.size();
        if (history > kHistoryBytes) break;
        --keep_from;
    }
    if (keep_from == 0) return;
    std::size_t i = 0;
    std::erase_if(list_, [&](const Decision& d) { return i++ < keep_from && !is_open(d); });
}

std::vector<AskerRecord> Decisions::askers() const {
    std::vector<AskerRecord> records;
    records.reserve(askers_.size());
    for (const Asker& a : askers_) records.push_back({a.peer, a.incarnation, a.oldest, a.decided.spans()});
    return records;
}

std::size_t Decisions::heap_bytes() const {
    std::size_t sum = askers_.capacity() * sizeof(Asker) + list_.capacity() * sizeof(Decision);
    for (const Asker& a : askers_) sum += a.decided.spans().capacity() * sizeof(Span);
    for (const Decision& d : list_) sum += d.bytes.capacity() + d.reply.capacity();
    return sum;
}

// --- records ---

std::vector<Record> split_record(const Record& header, std::vector<AskerRecord> askers,
                                 std::span<const Decision> decisions) {
    std::vector<Record> pieces{header};
    pieces.back().askers = std::move(askers);
    std::size_t size = pieces.back().state.size();
    for (const AskerRecord& one : pieces.back().askers)
        size += sizeof(AskerRecord) + one.decided.size() * sizeof(Span);
    for (const Decision& decision : decisions) {
        const bool full = pieces.back().decisions.size() >= kMaxListed;
        if (size + decision.size() > kRecordBytes || full) {
            pieces.push_back(header);
            pieces.back().state.clear();
            pieces.back().whole = false;
            size = 0;
        }
        size += decision.size();
        pieces.back().decisions.push_back(decision);
    }
    pieces.back().last = true;
    return pieces;
}

}  // namespace fray
