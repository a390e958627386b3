#pragma once
// What fray advise measures: one algorithm with its parameters over one network.

#include <fray/consistency.hpp>
#include <fray/result.hpp>

#include "lab/metrics/felt.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace fray::lab::advise {

struct Cell {
    Consistency consistency{};
    std::string network{};  ///< as network_named() takes it
    bool shots = false;     ///< players shoot at each other, so that decisions are measured as well
};

/// Means over recordings of players, for one entity and one viewer.
struct CellResult {
    Felt felt{};                   ///< distances in % of the screen; counts are sums over all recordings
    double bytes_per_s = 0;        ///< sent by all peers for this entity, datagram headers included
    double top_speed = 0;          ///< of the recorded entity, % of the screen per second; above 0
    std::uint64_t recordings = 0;  ///< above 0
    /// Recordings in which players did not see each other or each other's inputs, or shots were not answered:
    /// see playable() and decided() in recorded_pair.hpp. If above 0, the figures cover only what arrived.
    std::uint64_t unplayable = 0;
};

class CellRunner {
public:
    virtual ~CellRunner() = default;
    /// The same cell always gives the same result. Called from several threads at once. If the algorithm
    /// needs a third peer (a serializer), the runner provides it and ignores the PeerId in the cell.
    [[nodiscard]] virtual Result<CellResult> measure(const Cell& cell) = 0;
};

/// The runner that simulates.
[[nodiscard]] std::unique_ptr<CellRunner> make_cell_runner();

/// "local_lag": the algorithm's name in results and on command lines.
[[nodiscard]] std::string algorithm_name(const Consistency& consistency);
/// "lag 100 ms"; empty for an algorithm without parameters.
[[nodiscard]] std::string parameters_text(const Consistency& consistency);
/// "every 50 ms".
[[nodiscard]] std::string interval_text(const Consistency& consistency);
/// "local_lag, lag 100 ms, every 50 ms".
[[nodiscard]] std::string to_text(const Consistency& consistency);

/// Everything that determines a cell's result, except the program: the cache's key.
/// network_content: fingerprint of the measurements (see network.hpp); empty for a built-in network.
[[nodiscard]] std::string cell_key(const Cell& cell, const std::string& network_content);

}  // namespace fray::lab::advise
