#include <fray/stats.hpp>

#include <numeric>

namespace fray {

std::string_view to_string(Rejection rejection) {
    switch (rejection) {
        case Rejection::too_short:
            return "too_short";
        case Rejection::too_long:
            return "too_long";
        case Rejection::unknown_kind:
            return "unknown_kind";
        case Rejection::unknown_link:
            return "unknown_link";
        case Rejection::bad_token:
            return "bad_token";
        case Rejection::duplicate:
            return "duplicate";
        case Rejection::stale:
            return "stale";
        case Rejection::malformed:
            return "malformed";
        case Rejection::unknown_message:
            return "unknown_message";
        case Rejection::unknown_entity:
            return "unknown_entity";
        case Rejection::no_baseline:
            return "no_baseline";
        case Rejection::impossible:
            return "impossible";
        case Rejection::no_room:
            return "no_room";
        case Rejection::version:
            return "version";
        case Rejection::world:
            return "world";
    }
    return "unknown";
}

std::uint64_t RejectionCounts::total() const {
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

}  // namespace fray
