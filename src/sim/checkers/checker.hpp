#pragma once
// What all checkers share. A checker judges a swarm from outside: by what the network carried and what the
// games said and heard, never by what a peer thinks of itself (the ledger excepted, which is what
// LedgerChecker is about).

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
    /// To be called once the run is over, before Swarm::finish(): judges what only the end shows.
    virtual void conclude() {}
    /// How much there was to judge: a checker that saw nothing proves nothing.
    [[nodiscard]] virtual std::size_t judged() const = 0;
    /// What was wrong, the first few of it; violation_count() counts all.
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
