#include "sim/checkers/upload_cap_checker.hpp"

#include <algorithm>

namespace fray::sim {

void UploadCapChecker::on_started(Duration, PeerIndex index, const Peer&) {
    if (peers_.size() <= index) peers_.resize(index + std::size_t{1});
    // A new incarnation does not know what the last one sent.
    peers_[index].window.clear();
    peers_[index].in_window = 0;
}

void UploadCapChecker::on_sent(const Transit& transit) {
    const LinkOptions& link = swarm().options_of(transit.from).link;
    const bool by_rounds = link.upload_bytes_per_round > 0;
    if (!by_rounds && link.upload_kbps == 0) return;
    Sender& sender = peers_[transit.from];
    const std::uint64_t bytes = transit.bytes.size() + kHeaderBytes;
    slide(sender, transit.at, by_rounds ? swarm().options_of(transit.from).world.tick : kWindow, by_rounds);
    sender.window.push_back(Sent{transit.at, bytes});
    sender.in_window += bytes;
    sender.fullest = std::max(sender.fullest, sender.in_window);
    // kbit/s times 100 ms is 12.5 bytes.
    const std::uint64_t rate = std::max<std::uint64_t>(link.upload_kbps * 25ULL / 2, kLargestDatagram);
    judge(transit, sender.in_window, by_rounds ? link.upload_bytes_per_round : rate);
}

/// A window excludes its beginning: what was sent exactly 100 ms ago does not count. Rounds do not overlap.
void UploadCapChecker::slide(Sender& sender, Duration at, Duration length, bool by_rounds) {
    const auto is_out = [&](const Sent& sent) {
        return by_rounds ? sent.at / length != at / length : sent.at <= at - length;
    };
    while (!sender.window.empty() && is_out(sender.window.front())) {
        sender.in_window -= sender.window.front().bytes;
        sender.window.pop_front();
    }
}

void UploadCapChecker::judge(const Transit& transit, std::uint64_t bytes, std::uint64_t allowed) {
    ++judged_;
    if (bytes <= allowed) return;
    violation("peer " + std::to_string(transit.from) + " sent " + std::to_string(bytes) +
              " bytes in the window up to " + time_text(transit.at) + ", " + std::to_string(allowed) +
              " are allowed");
}

}  // namespace fray::sim
