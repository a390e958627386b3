#include <fray/event.hpp>

namespace fray {

std::string_view to_string(Reason reason) {
    switch (reason) {
        case Reason::left:
            return "left";
        case Reason::timed_out:
            return "timed out";
        case Reason::rejoined:
            return "rejoined";
        case Reason::version_mismatch:
            return "version mismatch";
        case Reason::world_mismatch:
            return "world mismatch";
        case Reason::full:
            return "full";
        case Reason::busy:
            return "busy";
        case Reason::overloaded:
            return "overloaded";
        case Reason::own_id:
            return "own id";
    }
    return "unknown";
}

}  // namespace fray
