#pragma once
// Common to all checkers. A checker judges a swarm from outside: by what the network carried and what the
// games sent and received, never by a peer's own statistics (except for LedgerChecker, which compares the
// ledger).

#include <fray/swarm.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fray::sim {

class Checker : public Observer {
public:
    [[nodiscard]] virtual std::string_view name() const = 0;
    /// Call it after the run and before Swarm::finish(): checks what only the end shows.
    virtual void conclude() {}
    /// How much was checked: a checker that saw nothing proves nothing.
    [[nodiscard]] virtual std::size_t judged() const = 0;
    /// The first few violations; violation_count() counts all.
    [[nodiscard]] const std::vector<std::string>& violations() const { return violations_; }
    [[nodiscard]] std::size_t violation_count() const { return count_; }

protected:
    explicit Checker(const Swarm& swarm) : swarm_{swarm} {}
    void violation(std::string text) {
        if (++count_ <= kMostKept) violations_.push_back(std::move(text));
    }
    [[nodiscard]] const Swarm& swarm() const { return swarm_; }

private:
    static constexpr std::size_t kMostKept = 20;
    const Swarm& swarm_;
    std::vector<std::string> violations_;
    std::size_t count_ = 0;
};

/// "12.345678 s"
[[nodiscard]] std::string time_text(Duration at);

}  // namespace fray::sim
