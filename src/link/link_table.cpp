#include "link/link_table.hpp"

#include <fray/assert.hpp>

#include <algorithm>

namespace fray {

Link* LinkTable::create(LinkEnds ends, Instant now, std::size_t most) {
    if (free_.empty() && links_.size() >= std::min<std::size_t>(most, kFirstAcquaintance)) return nullptr;
    if (free_.empty()) {
        free_.push_back(static_cast<LinkNumber>(links_.size()));
        links_.emplace_back();
    }
    const LinkNumber number = free_.back();
    free_.pop_back();
    ends.local_number = number;
    links_[number] = std::make_unique<Link>(ends, now);
    pending_.push_back(number);
    return links_[number].get();
}

void LinkTable::destroy(LinkNumber number) {
    FRAY_ASSERT(at(number) != nullptr);
    remove(number);
    std::erase(pending_, number);
    links_[number].reset();
    free_.push_back(number);
}

void LinkTable::set_up(LinkNumber number) {
    std::erase(pending_, number);
    add(number, links_[number]->ends.peer);
}

void LinkTable::clear() {
    remove_all();
    links_.clear();
    free_.clear();
    pending_.clear();
}

std::size_t LinkTable::memory_bytes() const {
    std::size_t sum = sizeof(*this) + directory_bytes() + links_.capacity() * sizeof(links_[0]) +
                      (free_.capacity() + pending_.capacity()) * sizeof(LinkNumber);
    for (const auto& link : links_) sum += link ? link->memory_bytes() : 0;
    return sum;
}

}  // namespace fray
