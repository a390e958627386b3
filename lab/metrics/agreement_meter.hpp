#pragma once
// Pairwise rapid agreement: how long a request takes, from interact() to the owner's answer.

#include <fray/swarm.hpp>

#include "lab/metrics/histogram.hpp"

#include <cstdint>
#include <map>

namespace fray::lab {

class AgreementMeter : public Observer {
public:
    void on_command(const Command& command) override {
        if (command.kind == CommandKind::interact && command.accepted) open_[command.request] = command.at;
    }
    void on_event(Duration at, PeerIndex, const Event& event) override {
        const auto* answered = std::get_if<Answered>(&event);
        const auto asked = answered == nullptr ? open_.end() : open_.find(answered->request);
        if (asked == open_.end()) return;
        if (answered->answered && answered->bytes.empty())
            ++elided_;
        else if (answered->answered)
            latency_.add(millis(at - asked->second));
        else
            ++unanswered_;
        open_.erase(asked);
    }

    /// Milliseconds, of answers that somebody waits for.
    [[nodiscard]] const Histogram& latency() const { return latency_; }
    /// Answers "as expected": they cause no datagram, and nobody waits for them (section III-B).
    [[nodiscard]] std::uint64_t elided() const { return elided_; }
    /// Requests whose owner left before it decided.
    [[nodiscard]] std::uint64_t unanswered() const { return unanswered_; }

private:
    std::map<RequestId, Duration> open_;
    Histogram latency_{0, 1, 5000};
    std::uint64_t elided_ = 0;
    std::uint64_t unanswered_ = 0;
};

}  // namespace fray::lab
