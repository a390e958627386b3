#include "sim/partition_table.hpp"

#include <algorithm>
#include <utility>

namespace fray::sim {

void PartitionTable::add(const Partition& partition) {
    Cut cut{.from = partition.from.count(), .until = partition.until.count(), .group_of = {}};
    PeerIndex last = 0;
    for (const auto& group : partition.groups) {
        for (const PeerIndex peer : group) last = std::max(last, peer);
    }
    cut.group_of.resize(last + std::size_t{1});
    std::uint32_t number = 0;
    for (const auto& group : partition.groups) {
        ++number;
        for (const PeerIndex peer : group) cut.group_of[peer] = number;
    }
    cuts_.push_back(std::move(cut));
}

}  // namespace fray::sim
