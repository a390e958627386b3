#include <fray/event.hpp>

#include <chrono>
#include <string>
#include <variant>
#include <vector>

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
            return "id in use";
        case Reason::overlay_mismatch:
            return "overlay mismatch";
        case Reason::already_joined:
            return "already joined";
        case Reason::unneeded:
            return "unneeded";
    }
    return "unknown";
}

std::string_view to_string(Change change) {
    switch (change) {
        case Change::handed_over:
            return "handed over";
        case Change::owner_lost:
            return "owner lost";
        case Change::returned:
            return "returned";
        case Change::outranked:
            return "outranked";
    }
    return "unknown";
}

namespace {

std::string name(const PeerId& peer) { return "peer " + to_string(peer); }
std::string size(const std::vector<std::uint8_t>& bytes) { return std::to_string(bytes.size()) + " bytes"; }
std::string name(const RequestId& request) {
    return "request " + std::to_string(request.number) + " of " + name(request.asker);
}
std::string name(Incarnation incarnation) {
    return "incarnation " + std::to_string(static_cast<std::uint32_t>(incarnation));
}
std::string name(SessionInstant when) {
    return std::to_string(std::chrono::floor<std::chrono::milliseconds>(when.time_since_epoch()).count()) +
           " ms";
}
std::string_view name(Delivery delivery) {
    switch (delivery) {
        case Delivery::unreliable:
            return "unreliable";
        case Delivery::reliable:
            return "reliable";
        case Delivery::ordered:
            return "ordered";
        case Delivery::riding:
            return "riding";
    }
    return "unknown";
}

/// One line per kind of event.
struct Line {
    std::string operator()(const Joined& e) const { return "Joined through " + name(e.through); }
    std::string operator()(const JoinCompleted& e) const {
        return "JoinCompleted: linked with " + std::to_string(e.peers) + (e.peers == 1 ? " peer" : " peers");
    }
    std::string operator()(const Refused& e) const {
        return "Refused by " + to_string(e.address) + ": " + std::string{to_string(e.reason)};
    }
    std::string operator()(const PeerJoined& e) const {
        return "PeerJoined: " + name(e.peer) + ", " + name(e.incarnation);
    }
    std::string operator()(const PeerLeft& e) const {
        return "PeerLeft: " + name(e.peer) + ", " + name(e.incarnation) + ": " +
               std::string{to_string(e.reason)};
    }
    std::string operator()(const EntityAppeared& e) const { return "EntityAppeared: " + to_string(e.entity); }
    std::string operator()(const EntityGone& e) const { return "EntityGone: " + to_string(e.entity); }
    std::string operator()(const Overruled& e) const {
        return "Overruled: " + to_string(e.entity) + ", at session time " + name(e.when);
    }
    std::string operator()(const Asked& e) const {
        return "Asked: " + name(e.request) + ", by " + to_string(e.by) + ", target " + to_string(e.target) +
               ", seen at " + name(e.seen) + ", " + size(e.bytes);
    }
    std::string operator()(const Answered& e) const {
        return "Answered: " + name(e.request) + ", target " + to_string(e.target) + ", " +
               (e.answered ? size(e.bytes) : "no answer");
    }
    std::string operator()(const Message& e) const {
        return "Message from " + name(e.from) + ", " + std::string{name(e.delivery)} + ", for session time " +
               name(e.at) + ", " + size(e.bytes);
    }
    std::string operator()(const Acquired& e) const {
        return "Acquired: " + to_string(e.entity) + ", from " + name(e.from) + ": " +
               std::string{to_string(e.why)};
    }
    std::string operator()(const Relinquished& e) const {
        return "Relinquished: " + to_string(e.entity) + ", to " + name(e.to) + ": " +
               std::string{to_string(e.why)};
    }
    std::string operator()(const Diverged& e) const {
        return "Diverged: " + to_string(e.entity) + ", also owned by " + name(e.other) + ", " +
               std::to_string(e.only_there.size()) + " interactions only there" +
               (e.complete ? "" : ", and older ones");
    }
};

}  // namespace

std::string to_string(const Event& event) { return std::visit(Line{}, event); }

}  // namespace fray
