#pragma once
// The baseline of the pSense paper (section 5.1): in each round every player sends to a server, which
// forwards in the next one with unlimited upload. Updates are always two rounds old, so only the players are
// simulated.

#include "lab/workloads/psense_setup.hpp"
#include "lab/workloads/update_system.hpp"

#include <array>
#include <vector>

namespace fray::lab {

class ClientServer : public UpdateSystem {
public:
    static constexpr std::uint32_t kPositionAge = 2;  ///< rounds: to the server, and from the server

    ClientServer(const PSenseSetup& setup, Population& population) : setup_{setup}, population_{population} {}

    [[nodiscard]] Result<void> change(std::uint32_t round, const Change& change) override;
    void run_until(Duration t) override;
    [[nodiscard]] std::optional<Sighting> about(PlayerIndex who, PlayerIndex whom) override;
    [[nodiscard]] std::optional<RoundNetwork> end_round(std::uint32_t, std::span<const Placed>,
                                                        bool) override {
        return std::nullopt;
    }
    [[nodiscard]] Result<void> conclude(RunOutput& output) override;

private:
    struct Told {
        std::uint32_t round = kNoRound;
        Vec3 position{};
        Vec3 velocity{};  ///< units per round
    };
    /// The updates of each player in the last rounds.
    using History = std::array<Told, kPositionAge + 1>;

    const PSenseSetup& setup_;
    Population& population_;
    std::uint32_t round_ = 0;
    std::uint64_t frames_ = 0;
    std::vector<History> told_;
};

}  // namespace fray::lab
