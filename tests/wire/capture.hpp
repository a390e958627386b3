#pragma once
// Datagrams of real peers, as a corpus.

#include "support/pair.hpp"
#include "wire/captured_reader.hpp"
#include "wire/corpus.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace fray {

/// Takes one datagram of each shape, and one reliable message of each kind. `types` has the widths of the
/// payloads, as in the document.
struct Capture {
    Capture(const World& world_, const std::string& types_, const std::string& name)
        : world{world_},
          types{types_},
          bodies{name + "_body", "body", json(world_)},
          messages{name + "_reliable_message", "reliable_message", json(world_)} {}

    void add_sent_by(const test::Cluster& cluster, std::size_t from) {
        std::map<std::size_t, Reader> readers;  // by receiver
        for (const test::Flight& flight : cluster.sent_by(from)) {
            Reader& reader = readers.try_emplace(flight.to, world).first->second;
            const Reader::Told told = reader.tell(flight.bytes);
            if (!shapes.insert(told.shape).second) continue;
            bodies.add("[" + types + ", " + told.held + "]", told.value, [&](BitWriter& out) {
                out.copy(flight.bytes, (flight.bytes.size() - kSealBytes) * 8);
            });
        }
        for (const auto& [to, reader] : readers) {
            for (const std::vector<std::uint8_t>& bytes : reader.reliable) {
                if (!kinds.insert(bytes.at(0)).second) continue;
                messages.add("[" + types + "]", reader.tell_reliable(BitReader{bytes}),
                             [&](BitWriter& out) { out.copy(bytes, bytes.size() * 8); });
            }
        }
    }

    const World& world;
    std::string types;
    Corpus bodies;
    Corpus messages;
    std::set<std::string> shapes;
    std::set<std::uint8_t> kinds;
};

}  // namespace fray
