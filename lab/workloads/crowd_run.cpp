#include "lab/workloads/crowd_run.hpp"

#include "lab/workloads/network_choice.hpp"

#include <algorithm>

namespace fray::lab {

std::vector<ParameterSpec> crowd_parameters() {
    return {ParameterSpec::number("loss_pct", 2, 0, 90, "datagrams lost; 0: as the network"),
            ParameterSpec::integer("interval_ms", 800, 100, 2000, "Crowd::interval"),
            ParameterSpec::number("seconds", 60, 2, 3600, "simulated time"),
            ParameterSpec::number("warm_up_seconds", 30, 1, 3600, "until screens and bytes count"),
            profile_parameter()};
}

Result<void> check_crowd(const Parameters& parameters) {
    if (parameters.number("warm_up_seconds") + 1 <= parameters.number("seconds")) return {};
    return Error{"warm_up_seconds must be at least a second less than seconds"};
}

Result<NetworkModel> crowd_network(const Parameters& parameters) {
    auto network = network_named(parameters.text("profile"));
    const double loss = parameters.number("loss_pct") / 100;
    if (network && loss > 0) network->loss = IndependentLoss{loss};
    return network;
}

std::shared_ptr<const PeerOptions> crowd_peer(const Parameters& parameters, const OpenField& field,
                                              std::uint32_t upload_kbps) {
    PeerOptions options;
    options.world = field.world();
    options.overlay = fray::Crowd{.interval = std::chrono::milliseconds{parameters.integer("interval_ms")}};
    options.interest = FocusSet{};
    options.link.upload_kbps = upload_kbps;
    options.link.keep_alive = 2s;
    return std::make_shared<const PeerOptions>(options);
}

std::vector<ColumnSpec> traffic_columns_of_crowd() {
    using enum Aggregate;
    std::vector<ColumnSpec> columns{
        {"upload_kbps_mean", "kbit/s", mean, "per peer, headers counted"},
        {"upload_kbps_p99", "kbit/s", mean, "of a peer in a second"},
        {"cap_violations", "", sum, "windows of 100 ms in which a peer sent more than its cap"},
        {"wire_bytes_per_update", "B", mean,
         "all bytes sent, headers included, per new update that arrived"}};
    for (std::size_t i = 0; i < kPurposeCount; ++i) {
        const std::string purpose{to_string(static_cast<Purpose>(i))};
        columns.push_back({"kbps_" + purpose, "kbit/s", mean, "upload of a peer for " + purpose});
    }
    return columns;
}

CrowdRun::CrowdRun(Swarm& swarm, const OpenField& field, Gaze gaze, Seed seed, Duration warm_up)
    : swarm_{swarm}, warm_up_{warm_up}, tanks_{field, gaze, seed}, upload_{warm_up}, caps_{swarm} {
    swarm_.set_workload(&tanks_);
    swarm_.add_observer(&upload_);
    swarm_.add_observer(&caps_);
}

bool CrowdRun::warm_up(RunContext& context, const std::function<void()>& each_frame) {
    if (!run_until(warm_up_, context, each_frame)) return false;
    before_ = sum_up();
    return true;
}

void CrowdRun::measure(std::vector<PeerIndex> observers,
                       std::function<std::vector<PeerIndex>(PeerIndex)> watched,
                       std::size_t others_of_every) {
    CrowdMeter::Sources sources;
    sources.entity = [this](PeerIndex index) { return tanks_.entity(index); };
    sources.truth = [this](PeerIndex index, Duration at) { return tanks_.truth(index, at); };
    sources.watched = std::move(watched);
    sources.others_of_every = others_of_every;
    screens_.emplace(swarm_, std::move(sources), std::move(observers));
    swarm_.add_observer(&*screens_);
}

bool CrowdRun::run_until(Duration end, RunContext& context, const std::function<void()>& each_frame) {
    while (swarm_.now() + CrowdMeter::kFrame <= end) {
        if (context.stop_requested()) return false;
        swarm_.run_for(CrowdMeter::kFrame);
        if (each_frame) each_frame();
        if (screens_) screens_->look();
        context.progress(static_cast<double>(micros(swarm_.now())) / static_cast<double>(micros(end)));
    }
    return true;
}

CrowdRun::Sent CrowdRun::sum_up() const {
    Sent sum;
    for (PeerIndex i = 0; i < swarm_.size(); ++i) {
        if (!swarm_.alive(i)) continue;
        const Stats stats = swarm_.peer(i).stats();
        sum.ledger += stats.ledger;
        sum.received += stats.updates_received;
    }
    return sum;
}

void CrowdRun::report_traffic(RunOutput& output) {
    caps_.conclude();
    const Sent after = sum_up();
    const double span = seconds(swarm_.now() - warm_up_) * swarm_.size();
    const auto updates = static_cast<double>(std::max<std::uint64_t>(1, after.received - before_.received));
    output.set("upload_kbps_mean", upload_.mean_kbps(swarm_.now(), swarm_.size()));
    output.set("upload_kbps_p99", upload_.kbps_in_a_second(0.99));
    output.set("cap_violations", std::uint64_t{caps_.violation_count()});
    const auto bytes = after.ledger.total_bytes() - before_.ledger.total_bytes();
    output.set("wire_bytes_per_update", static_cast<double>(bytes) / updates);
    for (std::size_t i = 0; i < kPurposeCount; ++i) {
        const auto purpose = static_cast<Purpose>(i);
        const double sent = after.ledger.bytes(purpose) - before_.ledger.bytes(purpose);
        output.set("kbps_" + std::string{to_string(purpose)}, sent * 8 / 1000 / span);
    }
}

}  // namespace fray::lab
