#pragma once
// No peer sends more than its upload allows: in no window of 100 ms more than the larger of rate x 100 ms and
// one datagram of full size; in round mode, in no round more than its bytes per round. Headers counted.

#include "sim/checkers/checker.hpp"

#include <cstdint>
#include <deque>
#include <vector>

namespace fray::sim {

class UploadCapChecker : public Checker {
public:
    static constexpr Duration kWindow{100ms};
    static constexpr std::uint64_t kLargestDatagram = kMaxDatagramBytes + kHeaderBytes;

    explicit UploadCapChecker(const Swarm& swarm) : Checker{swarm} {}
    [[nodiscard]] std::string_view name() const override { return "upload cap"; }
    [[nodiscard]] std::size_t judged() const override { return judged_; }
    /// The largest window of this peer, in bytes.
    [[nodiscard]] std::uint64_t fullest_window(PeerIndex index) const {
        return index < peers_.size() ? peers_[index].fullest : 0;
    }

    void on_started(Duration at, PeerIndex index, const Peer& peer) override;
    void on_sent(const Transit& transit) override;

private:
    struct Sent {
        Duration at;
        std::uint64_t bytes;
    };
    struct Sender {
        std::deque<Sent> window;
        std::uint64_t in_window = 0;
        std::uint64_t fullest = 0;
    };

    void slide(Sender& sender, Duration at, Duration length, bool by_rounds);
    void judge(const Transit& transit, std::uint64_t bytes, std::uint64_t allowed);

    std::vector<Sender> peers_;
    std::size_t judged_ = 0;
};

}  // namespace fray::sim
