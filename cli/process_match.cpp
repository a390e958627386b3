#include "cli/process_match.hpp"

#include "cli/child_processes.hpp"
#include "cli/match_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace fray::cli {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::chrono::seconds kMostStartTime{120};    // also on a busy machine
constexpr std::chrono::seconds kMostTimeAfterEnd{60};  // final scores, goodbyes, reports
constexpr Duration kWait{200ms};

/// One process and what it has told so far.
struct Crew {
    std::uint32_t first = 0;  // player
    std::uint32_t count = 0;
    bool is_ready = false;
    std::string address{};  // empty: the sockets are not open yet
    double share = 0;
    std::size_t reports = 0;
    bool is_late = false;  // joins at half-time
};

class ProcessMatch {
public:
    ProcessMatch(const ProcessMatchOptions& options, const std::function<bool(double)>& progress)
        : options_{options}, progress_{progress} {}

    Result<GatheredMatch> run() {
        if (const auto started = start(); !started) return started.error();
        if (const auto begun = begin(); !begun) return begun.error();
        if (const auto gathered = gather(); !gathered) return gathered.error();
        std::sort(result_.reports.begin(), result_.reports.end(),
                  [](const auto& a, const auto& b) { return a.player < b.player; });
        return std::move(result_);
    }

private:
    using Condition = std::function<bool()>;

    Result<void> start();
    Result<void> begin();
    Result<void> gather();
    void send_address(bool late);
    Result<void> wait_until(const Condition& is_reached, SteadyClock::time_point deadline);
    Result<void> handle(const ChildNews& news);
    Result<void> handle_message(std::size_t child, PeerMessage message);
    Result<void> handle_end(std::size_t child);
    [[nodiscard]] bool has_every(bool (*is_so)(const Crew&)) const {
        return std::all_of(crews_.begin(), crews_.end(), is_so);
    }
    [[nodiscard]] double share() const;
    [[nodiscard]] std::string name_of(std::size_t child) const;

    const ProcessMatchOptions& options_;
    const std::function<bool(double)>& progress_;
    ChildProcesses children_;
    std::vector<Crew> crews_;
    bool has_begun_ = false;
    GatheredMatch result_;
};

/// Starts all processes; each gets its share of the players.
Result<void> ProcessMatch::start() {
    std::uint32_t first = 0;
    for (std::uint32_t i = 0; i < options_.processes; ++i) {
        const std::uint32_t end = (i + 1) * options_.match.peers() / options_.processes;
        const std::uint32_t bots = options_.match.bots;
        const bool is_late = first >= bots - options_.match.late && first < bots;
        crews_.push_back({.first = first, .count = end - first, .is_late = is_late});
        PlayArguments match = options_.match;
        if (i > 0) {
            match.record.clear();
            match.record_inputs.clear();
        }
        std::vector<std::string> words = words_of(match);
        words.insert(words.begin(), "play-peer");
        for (const auto& [name, value] : {std::pair{"--first", first}, std::pair{"--count", end - first},
                                          std::pair{"--port", i == 0 ? std::uint32_t{options_.port} : 0}}) {
            words.emplace_back(name);
            words.push_back(fmt::format("{}", value));
        }
        if (const auto started = children_.start(words); !started) return started.error();
        first = end;
    }
    return {};
}

/// The first process begins the match when all are ready, and the others join it.
Result<void> ProcessMatch::begin() {
    const auto deadline = SteadyClock::now() + kMostStartTime;
    auto reached =
        wait_until([&] { return has_every([](const Crew& crew) { return crew.is_ready; }); }, deadline);
    if (!reached) return reached;
    children_.send(0, "");
    reached = wait_until([&] { return !crews_.front().address.empty(); }, deadline);
    if (!reached) return reached;
    send_address(false);
    const auto is_open = [](const Crew& crew) { return crew.is_late || !crew.address.empty(); };
    reached = wait_until([&] { return has_every(is_open); }, deadline);
    has_begun_ = reached.has_value();
    return reached;
}

Result<void> ProcessMatch::gather() {
    const auto length = std::chrono::duration_cast<SteadyClock::duration>(
        std::chrono::duration<double>{options_.match.seconds});
    const auto begin = SteadyClock::now();
    const auto deadline = begin + length + kMostTimeAfterEnd;
    const auto is_half_time = [&] { return SteadyClock::now() - begin >= length / 2; };
    const bool has_late = options_.match.late > 0;
    if (auto reached = wait_until([&] { return !has_late || is_half_time(); }, deadline); !reached)
        return reached;
    send_address(true);
    return wait_until([&] { return children_.running() == 0; }, deadline);
}

/// Where to join, to those that join now.
void ProcessMatch::send_address(bool late) {
    for (std::size_t i = 1; i < crews_.size(); ++i) {
        if (crews_[i].is_late == late) children_.send(i, crews_.front().address);
    }
}

/// Handles what the processes tell until the condition holds.
Result<void> ProcessMatch::wait_until(const Condition& is_reached, SteadyClock::time_point deadline) {
    while (!is_reached()) {
        for (const ChildNews& news : children_.wait(kWait)) {
            if (auto handled = handle(news); !handled) return handled;
        }
        if (!progress_(share())) return Error{"the match was stopped"};
        if (SteadyClock::now() > deadline)
            return Error{has_begun_ ? "the match did not end: a process of players hangs"
                                    : "the match did not begin: a process of players hangs"};
    }
    return {};
}

Result<void> ProcessMatch::handle(const ChildNews& news) {
    if (!news.line) return handle_end(news.child);
    auto message = parse_line(*news.line);
    if (!message)
        return Error{fmt::format("{}: unreadable: {}", name_of(news.child), message.error().message)};
    return handle_message(news.child, std::move(*message));
}

Result<void> ProcessMatch::handle_message(std::size_t child, PeerMessage message) {
    Crew& crew = crews_[child];
    if (std::holds_alternative<PeerReady>(message)) crew.is_ready = true;
    if (auto* at = std::get_if<PeerAddress>(&message)) crew.address = at->address;
    if (const auto* progress = std::get_if<PeerProgress>(&message)) crew.share = progress->share;
    if (const auto* failed = std::get_if<PeerFailed>(&message)) {
        if (!has_begun_) return Error{failed->message};
        result_.failures.push_back(failed->message);  // the others play on
    }
    if (auto* report = std::get_if<panzer::MatchReport>(&message)) {
        result_.reports.push_back(std::move(*report));
        ++crew.reports;
    }
    return {};
}

Result<void> ProcessMatch::handle_end(std::size_t child) {
    Crew& crew = crews_[child];
    crew.share = 1;
    if (crew.reports == crew.count && children_.ended_well(child)) return {};
    const std::string end = children_.end_of(child);
    if (!has_begun_) return Error{fmt::format("{} ended before the match began: {}", name_of(child), end)};
    // Reports of a process that failed after them are kept.
    const auto reported = static_cast<std::uint32_t>(crew.reports);
    result_.lost.push_back({.first = crew.first + reported,
                            .count = crew.count - reported,
                            .end = end,
                            .was_killed = children_.was_killed(child)});
    return {};
}

double ProcessMatch::share() const {
    double sum = 0;
    for (const Crew& crew : crews_) sum += crew.share;
    return sum / static_cast<double>(std::max<std::size_t>(crews_.size(), 1));
}

std::string ProcessMatch::name_of(std::size_t child) const {
    const Crew& crew = crews_[child];
    if (crew.count == 1) return fmt::format("the process of player {}", crew.first + 1);
    return fmt::format("the process of players {} to {}", crew.first + 1, crew.first + crew.count);
}

}  // namespace

Result<GatheredMatch> play_in_processes(const ProcessMatchOptions& options,
                                        const std::function<bool(double)>& progress) {
    return ProcessMatch{options, progress}.run();
}

}  // namespace fray::cli
