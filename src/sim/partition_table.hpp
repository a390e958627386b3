#pragma once
// Which peers cannot reach each other, and when.

#include <fray/network_model.hpp>

#include "sim/event_queue.hpp"

#include <vector>

namespace fray::sim {

class PartitionTable {
public:
    void add(const Partition& partition);
    [[nodiscard]] bool separates(Micros now, PeerIndex from, PeerIndex to) const {
        for (const Cut& cut : cuts_) {
            if (now >= cut.from && now < cut.until && cut.group(from) != cut.group(to)) return true;
        }
        return false;
    }

private:
    struct Cut {
        Micros from = 0;
        Micros until = 0;
        std::vector<std::uint32_t> group_of;  // 0: in none of the groups
        [[nodiscard]] std::uint32_t group(PeerIndex peer) const {
            return peer < group_of.size() ? group_of[peer] : 0;
        }
    };
    std::vector<Cut> cuts_;
};

}  // namespace fray::sim
