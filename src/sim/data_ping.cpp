#include "sim/data_ping.hpp"

#include "sim/data_text.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace fray::sim {

namespace {

constexpr double kMostMillis = 100'000;
constexpr double kMostSeconds = 1e6;
constexpr std::uint64_t kMostProbes = 1'000'000;

/// The text between `before` and `after`; nothing if they do not occur in this order.
std::optional<std::string_view> between(std::string_view text, std::string_view before,
                                        std::string_view after) {
    const std::size_t start = text.find(before);
    if (start == std::string_view::npos) return std::nullopt;
    text.remove_prefix(start + before.size());
    const std::size_t end = text.find(after);
    if (end == std::string_view::npos) return std::nullopt;
    return text.substr(0, end);
}

struct Answer {
    std::uint64_t sequence = 0;
    double ms = 0;
};

/// "... icmp_seq=N ttl=T time=X ms"
std::optional<Answer> parse_answer(std::string_view line) {
    const auto sequence_text = between(line, "icmp_seq=", " ");
    const auto time_text = between(line, " time=", " ms");
    if (!sequence_text || !time_text) return std::nullopt;
    const auto sequence = parse_whole(*sequence_text);
    const auto ms = parse_decimal(*time_text);
    if (!sequence || !ms || *ms < 0 || *ms > kMostMillis || *sequence > kMostProbes) return std::nullopt;
    return Answer{*sequence, *ms};
}

/// Sorts answers by sequence number; the gaps are lost probes.
PingTrace with_gaps(const std::map<std::uint64_t, double>& answers) {
    PingTrace trace;
    const std::uint64_t first = answers.begin()->first;
    for (std::uint64_t sequence = first; sequence <= answers.rbegin()->first; ++sequence) {
        const auto found = answers.find(sequence);
        trace.at.push_back(std::chrono::seconds{sequence - first});
        trace.rtt.push_back(found == answers.end() ? kLostSample : from_millis(found->second));
    }
    return trace;
}

/// The series of a (match, player), created at its first row.
GamePings& series(std::vector<GamePings>& all,
                  std::map<std::pair<std::string, std::uint32_t>, std::size_t>& numbers, std::string match,
                  std::uint32_t player) {
    const auto [found, is_new] = numbers.emplace(std::make_pair(match, player), all.size());
    if (is_new) {
        all.emplace_back();
        all.back().match = std::move(match);
        all.back().player = player;
    }
    return all[found->second];
}

void add_ping(CsvFile& csv, GamePings& pings, std::size_t time_column, std::size_t ping_column) {
    const Duration at = from_millis(csv.number(time_column, 0, kMostSeconds) * 1000);
    if (!pings.at.empty() && at < pings.at.back()) csv.fail("expected times of one player to rise");
    pings.at.push_back(at);
    pings.ping.push_back(from_millis(csv.number(ping_column, 0, kMostMillis)));
}

}  // namespace

std::size_t PingTrace::lost() const {
    return static_cast<std::size_t>(std::count(rtt.begin(), rtt.end(), kLostSample));
}

TraceLatency PingTrace::latency(double share) const {
    return TraceLatency{
        .samples = std::make_shared<const std::vector<Duration>>(rtt), .share = share, .interval = {}};
}

Result<PingTrace> load_starlink(const std::string& file) {
    Result<CsvFile> csv = CsvFile::load(file, "t_s,rtt_ms");
    if (!csv) return csv.error();
    PingTrace trace;
    while (csv->next()) {
        const Duration at = from_millis(csv->number(0, 0, kMostSeconds) * 1000);
        if (!trace.at.empty() && at < trace.at.back()) csv->fail("expected times to rise");
        const double ms = csv->number(1, -1, kMostMillis);
        if (ms < 0 && ms != -1) csv->fail("expected a time, or -1 for a lost probe");
        trace.at.push_back(at);
        trace.rtt.push_back(ms < 0 ? kLostSample : from_millis(ms));
    }
    if (Result<void> status = csv->status(); !status) return status.error();
    if (trace.at.empty()) return Error{file + ": expected at least one probe"};
    return trace;
}

Result<PingTrace> load_ping_output(const std::string& file) {
    Result<TextFile> text = TextFile::load(file);
    if (!text) return text.error();
    if (!text->line(1).starts_with("PING "))
        return text->error(1, "expected the output of ping, \"PING ...\"");
    std::map<std::uint64_t, double> answers;
    for (std::size_t number = 2; number <= text->line_count(); ++number) {
        const std::string_view line = text->line(number);
        if (line.starts_with("---")) break;  // the summary
        if (line.empty()) continue;
        const std::optional<Answer> answer = parse_answer(line);
        if (!answer) return text->error(number, "expected \"icmp_seq=N ... time=X ms\"");
        answers.emplace(answer->sequence, answer->ms);
    }
    if (answers.empty()) return Error{file + ": expected at least one answer"};
    return with_gaps(answers);
}

Result<std::vector<MobilePing>> load_mobile_pings(const std::string& file) {
    Result<CsvFile> csv = CsvFile::load(file,
                                        "session,mobility,t_s,mode,speed_kmh,ping_avg_ms,ping_min_ms,ping_"
                                        "max_ms,ping_stdev_ms,ping_loss_pct");
    if (!csv) return csv.error();
    std::vector<MobilePing> pings;
    const auto time_in = [&csv](std::size_t column) -> std::optional<Duration> {
        const std::optional<double> ms = csv->number_or_nothing(column, 0, kMostMillis);
        return ms ? std::optional<Duration>{from_millis(*ms)} : std::nullopt;
    };
    while (csv->next()) {
        const std::string_view mobility = csv->text(1);
        if (mobility != "driving" && mobility != "static")
            csv->fail("expected driving or static as mobility");
        if (csv->text(3).empty()) csv->fail("expected a radio technology as mode");
        pings.push_back(MobilePing{.session = csv->whole(0, 1'000'000),
                                   .driving = mobility == "driving",
                                   .at = from_millis(csv->number(2, 0, kMostSeconds) * 1000),
                                   .mode = std::string{csv->text(3)},
                                   .speed_kmh = csv->number(4, 0, 1000),
                                   .average = time_in(5),
                                   .least = time_in(6),
                                   .most = time_in(7),
                                   .loss = csv->number(9, 0, 100) / 100});
    }
    if (Result<void> status = csv->status(); !status) return status.error();
    return pings;
}

std::vector<Duration> GamePings::sampled(Duration interval) const {
    std::vector<Duration> values;
    std::size_t row = 0;
    for (Duration t = at.front(); t <= at.back(); t += interval) {
        while (row + 1 < at.size() && at[row + 1] <= t) ++row;
        values.push_back(ping[row]);
    }
    return values;
}

Result<std::vector<GamePings>> load_rocketleague_pings(const std::string& file) {
    Result<CsvFile> csv = CsvFile::load(file, "match,match_type,player,t_s,ping_ms");
    if (!csv) return csv.error();
    std::vector<GamePings> all;
    std::map<std::pair<std::string, std::uint32_t>, std::size_t> numbers;
    while (csv->next()) {
        add_ping(*csv, series(all, numbers, std::string{csv->text(0)}, csv->whole(2, 1000)), 3, 4);
    }
    if (Result<void> status = csv->status(); !status) return status.error();
    return all;
}

Result<std::vector<GamePings>> load_quakeworld_pings(const std::string& file) {
    Result<CsvFile> csv = CsvFile::load(file, "match,player,bot,t_s,ping_ms,loss_pct");
    if (!csv) return csv.error();
    std::vector<GamePings> all;
    std::map<std::pair<std::string, std::uint32_t>, std::size_t> numbers;
    while (csv->next()) {
        GamePings& pings = series(all, numbers, std::string{csv->text(0)}, csv->whole(1, 1000));
        pings.bot = csv->whole(2, 1) == 1;
        add_ping(*csv, pings, 3, 4);
        pings.loss.push_back(csv->number(5, 0, 100) / 100);
    }
    if (Result<void> status = csv->status(); !status) return status.error();
    return all;
}

}  // namespace fray::sim
