#pragma once
// Choices of consistency, requests and whole states as text, with the names that WIRE_FORMAT.md uses.

#include "agreement/requests.hpp"
#include "consistency/consistency_choice.hpp"
#include "replica/replica_store.hpp"
#include "wire/corpus_json.hpp"

#include <array>
#include <string>
#include <variant>
#include <vector>

namespace fray {

inline std::string json(const ConsistencyChoice& choice) {
    const Consistency& c = choice.consistency;
    const auto ms = [](Duration d) { return d / Duration{1ms}; };
    const auto* everquest = std::get_if<EverQuest>(&c.algorithm);
    const auto* centralized = std::get_if<CentralizedSerialization>(&c.algorithm);
    const auto* local_lag = std::get_if<LocalLag>(&c.algorithm);
    const auto* buckets = std::get_if<BucketSync>(&c.algorithm);
    const auto* half_life = std::get_if<HalfLife>(&c.algorithm);
    const auto* adaptive = std::get_if<Adaptive>(&c.algorithm);
    const bool validated = everquest != nullptr && everquest->validator.has_value();
    const std::string none{"[]"};
    return record({{"number", choice.number},
                   {"version", choice.version},
                   {"algorithm", c.algorithm.index()},
                   {"motion_model", everquest != nullptr && everquest->motion_model ? 1 : 0},
                   {"validated", validated ? 1 : 0},
                   {"validator", validated ? list(everquest->validator->bytes) : none},
                   {"serializer", centralized != nullptr ? list(centralized->serializer.bytes) : none},
                   {"bucket", buckets != nullptr ? ms(buckets->bucket) : 0},
                   {"depth", buckets != nullptr ? int{buckets->depth} : 0},
                   {"remote_lag", half_life != nullptr ? ms(half_life->remote_lag) : 0},
                   {"most_lag", adaptive != nullptr ? ms(adaptive->most_lag) : 0},
                   {"blend", adaptive != nullptr ? ms(adaptive->blend) : 0},
                   {"lag", adaptive != nullptr    ? ms(adaptive->lag)
                           : local_lag != nullptr ? ms(local_lag->lag)
                                                  : 0},
                   {"interval", ms(c.interval)},
                   {"horizon", ms(c.horizon)}});
}

inline std::string json(const Request& r) {
    return record({{"number", r.number},
                   {"by", r.by},
                   {"target", r.target},
                   {"seen_us", r.seen},
                   {"bytes", list(r.bytes)}});
}

inline std::string json(const Reply& r) {
    return record({{"number", r.number}, {"answered", r.answered ? 1 : 0}, {"bytes", list(r.bytes)}});
}

inline std::string json(const WholeState& whole, const World& world) {
    const auto type = static_cast<std::size_t>(whole.type);
    std::vector<std::uint64_t> fields;
    EXPECT_TRUE(world.types[type].fields(whole.payload, fields));
    return record({{"number", whole.number},
                   {"type", type},
                   {"pose", json(whole.pose)},
                   {"payload", list(fields)},
                   {"input", list(whole.input)}});
}

}  // namespace fray
