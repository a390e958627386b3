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

const Decisions::Known* Decisions::known(const Asker& asker) const {
    const auto found = askers_.find(asker);
    return found == askers_.end() ? nullptr : &found->second;
}

Decisions::Known& Decisions::use(const Asker& asker) {
    if (askers_.size() >= kMaxAskers && !askers_.contains(asker)) evict();
    Known& used = askers_[asker];
    used.used = ++uses_;
    return used;
}

void Decisions::evict() {
    auto least = askers_.end();
    const auto rank = [](const Known& one) { return std::pair{one.open != 0, one.used}; };
    for (auto it = askers_.begin(); it != askers_.end(); ++it, ++steps_) {
        if (least == askers_.end() || rank(it->second) < rank(least->second)) least = it;
    }
    while (!least->second.kept.empty()) drop(least->second.kept.begin()->second);
    askers_.erase(least);
}

bool Decisions::contains(const Asker& asker, std::uint32_t number) const {
    const Known* one = known(asker);
    return one != nullptr && one->decided.contains(number);
}

const Decision* Decisions::find(const Asker& asker, std::uint32_t number) const {
    const Known* one = known(asker);
    if (one == nullptr) return nullptr;
    const auto found = one->kept.find(number);
    return found == one->kept.end() ? nullptr : &list_.at(found->second);
}

std::size_t Decisions::open_of(const Asker& asker) const {
    const Known* one = known(asker);
    return one == nullptr ? 0 : one->open;
}

std::vector<Asker> Decisions::open_askers() const {
    std::vector<Asker> open;
    if (list_.size() == closed_.size()) return open;
    for (const auto& [asker, one] : askers_) {
        if (one.has_open()) open.push_back(asker);
    }
    return open;
}

bool Decisions::has_room(const Asker& asker) const {
    if (open_bytes_ >= kMaxOpenBytes) return false;
    if (const Known* one = known(asker)) return one->open_bytes < kMaxOpenBytesOfAsker;
    return askers_.size() < kMaxAskers ||
           std::ranges::any_of(askers_, [](const auto& entry) { return entry.second.open == 0; });
}

void Decisions::book_open(Known& one, Age age, const Decision& decision, bool add) {
    const auto change = [&](std::size_t& sum, std::size_t by) { sum = add ? sum + by : sum - by; };
    if (decision.heard) {
        if (add) heard_.insert(age);
        if (!add) heard_.erase(age);
        return change(heard_bytes_, decision.size());
    }
    change(one.open, 1);
    change(one.open_bytes, decision.size());
    change(open_bytes_, decision.size());
}

void Decisions::add(const Decision& decision) {
    Known& one = use(decision.of());
    // The asker asked nothing about this entity between the two numbers.
    one.decided.add(decision.previous + 1, decision.number);
    if (!one.kept.try_emplace(decision.number, next_age_).second) return;
    const Age age = next_age_++;
    list_.emplace(age, decision);
    ++steps_;
    if (decision.number < one.oldest) {
        closed_.insert(age);
        closed_bytes_ += decision.size();
    } else {
        book_open(one, age, decision, true);
    }
    trim();
}

bool Decisions::close(const Asker& asker, std::uint32_t oldest) {
    const auto found = askers_.find(asker);
    if (found == askers_.end() || oldest <= found->second.oldest) return false;
    Known& one = found->second;
    for (auto it = one.kept.lower_bound(one.oldest); it != one.kept.end() && it->first < oldest; ++it) {
        ++steps_;
        const Decision& decision = list_.at(it->second);
        book_open(one, it->second, decision, false);
        closed_.insert(it->second);
        closed_bytes_ += decision.size();
    }
    one.oldest = oldest;
    trim();
    return true;
}

void Decisions::add(const Record& record) {
    for (const AskerRecord& one : record.askers) {
        if (!one.decided.empty()) {
            Known& used = use({one.asker, one.incarnation});
            for (const Span& span : one.decided) used.decided.add(span.first, span.last);
            steps_ += one.decided.size();
        }
        close({one.asker, one.incarnation}, one.oldest);
    }
    for (const Decision& decision : record.decisions) add(decision);
}

Decisions::Merged Decisions::merge(const Decisions& other) {
    Merged merged;
    for (const auto& [age, decision] : other.list_) {
        if (contains(decision.of(), decision.number)) continue;
        merged.added.push_back(decision);
        merged.added.back().heard = true;
        add(merged.added.back());
    }
    // When its asker confirmed a reply is not taken from the other history: the asker will tell.
    for (const auto& [asker, theirs] : other.askers_) {
        Known& ours = use(asker);
        merged.complete = merged.complete && ours.decided.contains(theirs.decided);
        ours.decided.merge(theirs.decided);
    }
    return merged;
}

void Decisions::drop(Age age) {
    const auto found = list_.find(age);
    const Decision& decision = found->second;
    Known& one = askers_.at(decision.of());
    if (closed_.erase(age) != 0) {
        closed_bytes_ -= decision.size();
    } else {
        book_open(one, age, decision, false);
    }
    one.kept.erase(decision.number);
    list_.erase(found);
    ++steps_;
}

void Decisions::trim() {
    while (closed_bytes_ > kHistoryBytes) drop(*closed_.begin());
    while (heard_bytes_ > kMaxHeardBytes) drop(*heard_.begin());
}

std::vector<AskerRecord> Decisions::askers() const {
    std::vector<AskerRecord> records;
    records.reserve(askers_.size());
    for (const auto& [asker, one] : askers_)
        records.push_back({asker.peer, asker.incarnation, one.oldest, one.decided.spans()});
    return records;
}

std::vector<AskerRecord> Decisions::askers(const std::set<Asker>& among) const {
    auto records = askers();
    std::erase_if(records, [&](const AskerRecord& record) {
        return !among.contains({record.asker, record.incarnation});
    });
    return records;
}

std::vector<const Decision*> Decisions::list() const {
    std::vector<const Decision*> all;
    all.reserve(list_.size());
    for (const auto& [age, decision] : list_) all.push_back(&decision);
    return all;
}

std::size_t Decisions::heap_bytes() const {
    constexpr std::size_t kNode = 4 * sizeof(void*) + sizeof(Age);
    // Of each decision: in the list, by number, and as heard or closed.
    std::size_t sum =
        open_bytes_ + heard_bytes_ + closed_bytes_ + list_.size() * (2 * kNode + sizeof(std::uint64_t)) +
        (heard_.size() + closed_.size()) * kNode + askers_.size() * (kNode + sizeof(Asker) + sizeof(Known));
    for (const auto& [asker, one] : askers_) sum += one.decided.spans().capacity() * sizeof(Span);
    return sum;
}

// --- records ---

std::vector<Record> split_record(const Record& header, std::vector<AskerRecord> askers,
                                 std::span<const Decision* const> decisions) {
    std::vector<Record> pieces{header};
    pieces.back().askers = std::move(askers);
    std::size_t size = pieces.back().state.size();
    for (const AskerRecord& one : pieces.back().askers)
        size += sizeof(AskerRecord) + one.decided.size() * sizeof(Span);
    for (const Decision* decision : decisions) {
        const bool full = pieces.back().decisions.size() >= kMaxListed;
        if (size + decision->size() > kRecordBytes || full) {
            pieces.push_back(header);
            pieces.back().state.clear();
            pieces.back().whole = false;
            size = 0;
        }
        size += decision->size();
        pieces.back().decisions.push_back(*decision);
    }
    pieces.back().last = true;
    return pieces;
}

}  // namespace fray
