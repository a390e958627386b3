#include <fray/ledger.hpp>

#include <numeric>

namespace fray {

std::string_view to_string(Purpose purpose) {
    switch (purpose) {
        case Purpose::state:
            return "state";
        case Purpose::guidance:
            return "guidance";
        case Purpose::agreement:
            return "agreement";
        case Purpose::overlay:
            return "overlay";
        case Purpose::relay:
            return "relay";
        case Purpose::event:
            return "event";
        case Purpose::reliable:
            return "reliable";
        case Purpose::clock:
            return "clock";
        case Purpose::link_header:
            return "link_header";
        case Purpose::ack:
            return "ack";
        case Purpose::crypto:
            return "crypto";
        case Purpose::udp_ip:
            return "udp_ip";
    }
    return "unknown";
}

std::uint64_t ByteLedger::total_bytes() const {
    return std::accumulate(bits_.begin(), bits_.end(), std::uint64_t{0}) / 8;
}

}  // namespace fray
