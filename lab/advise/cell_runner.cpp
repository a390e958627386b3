// The cells of fray advise: the ten recordings of the paper's study, with one algorithm over one network.

#include "games/snagger/pilot/recording.hpp"
#include "lab/advise/cells.hpp"
#include "lab/workloads/network_choice.hpp"
#include "lab/workloads/recorded_pair.hpp"
#include "lab/workloads/snagger_pair.hpp"

#include <algorithm>
#include <atomic>

namespace fray::lab::advise {

namespace {

class SimulatedCells final : public CellRunner {
public:
    Result<CellResult> measure(const Cell& cell) override {
        auto network = network_named(cell.network);
        if (!network) return network.error();
        Consistency consistency = cell.consistency;
        if (auto* serialized = std::get_if<CentralizedSerialization>(&consistency.algorithm))
            serialized->serializer = serializer_id();
        if (auto* everquest = std::get_if<EverQuest>(&consistency.algorithm);
            everquest != nullptr && everquest->validator)
            everquest->validator = serializer_id();
        CellResult result;
        FeltMean mean;
        for (std::uint64_t i = 0; i < snagger::kRecordings; ++i) {
            std::atomic<double> progress{0};
            const std::atomic<bool> never{false};
            RunContext context{never, progress};
            const auto played = play_recorded(
                consistency, *network, i + 1, derive(Seed{1}, "cell", i), context,
                {.shots = cell.shots ? kBetweenShots : Duration{0}, .trades = {}, .third_peer = false});
            if (!played) return played.error();
            const PairFigures& figures = **played;
            mean.add(figures.felt);
            add(result, figures);
            if (!playable(figures.felt) || (cell.shots && !decided(figures.felt))) ++result.unplayable;
        }
        result.felt = mean.mean();
        result.bytes_per_s /= static_cast<double>(result.recordings);
        return result;
    }

private:
    static void add(CellResult& sum, const PairFigures& figures) {
        // Each player has one ship and one viewer; a third peer relays for both.
        sum.bytes_per_s += figures.bytes_per_s + figures.serializer_bytes_per_s / 2;
        sum.top_speed = std::max(sum.top_speed, figures.top_speed);
        ++sum.recordings;
    }
};

}  // namespace

std::unique_ptr<CellRunner> make_cell_runner() { return std::make_unique<SimulatedCells>(); }

}  // namespace fray::lab::advise
