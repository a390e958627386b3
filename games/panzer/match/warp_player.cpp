#include "games/panzer/match/warp_player.hpp"

#include <fray/fingerprint.hpp>

#include "games/panzer/match/input_recording.hpp"
#include "games/panzer/match/screen_recording.hpp"
#include "games/panzer/rules/map_text.hpp"

#include <algorithm>
#include <utility>

namespace fray::panzer {

namespace {

constexpr Duration kLinger{1500ms};    // others may lack the last lines
constexpr Duration kMostClosing{20s};  // after the end
constexpr std::uint64_t kMeterEvery = 3;
constexpr Duration kLagChanges{1s};

/// Messages of a match on Time Warp: what its streams say, a player's name, or that of a lost player (after
/// its id).
enum class WarpNote : std::uint8_t { streams, name, name_of_lost };

BotOptions seeded_bot(const MatchOptions& match, const PlayerOptions& player) {
    BotOptions options = player.bot;
    options.seed = derive(match.seed, "bot", player.number);
    return options;
}

}  // namespace

WarpPlayer::WarpPlayer(const Battlefield& field, const NavQuery& query, const MatchOptions& match,
                       const PlayerOptions& player, ScreenRecorder* recorder)
    : field_{&field},
      match_{match},
      player_{player},
      recorder_{recorder},
      end_{match.length / kWarpFrame},
      bot_{seeded_bot(match, player), field.map(), query},
      pilot_{player.pilot != nullptr ? player.pilot : &bot_},
      random_{derive(match.seed, "lag", player.number), "lag"},
      meter_{match.time_warp->glides} {}

WarpMatchOptions WarpPlayer::warp_options() const {
    const TimeWarpChoice& choice = *match_.time_warp;
    WarpMatchOptions options;
    options.streams.seats = match_.players;
    options.streams.match =
        static_cast<std::uint32_t>(Fingerprint{}.add(field_->map().name).add(match_.seed.value).value());
    options.streams.lag = choice.lag;
    options.streams.watches = player_.watches;
    options.warp.step = kWarpFrame;
    options.warp.reexecution = choice.reexecution;
    options.warp.store = choice.store;
    options.warp.budget = choice.budget;
    options.input_delay = choice.input_delay;
    options.delay_follows_network = true;
    options.last = end_;
    options.keeps_lines = choice.keeps_lines || player_.inputs != nullptr;
    return options;
}

void WarpPlayer::started(Commands& peer) {
    names_[peer.id()] = player_.name;
    WarpBattle battle{PartBattle::start(field_->map(),
                                        {.tanks = match_.players, .mode = match_.mode, .seed = match_.seed},
                                        PartBattle::Players::absent)
                          .value()};
    const WarpMatchOptions options = warp_options();
    auto match = player_.begins
                     ? WarpMatch<WarpBattle>::found(peer.now(), peer.id(), std::move(battle), options,
                                                    peer.session_time())
                     : WarpMatch<WarpBattle>::join(peer.now(), peer.id(), std::move(battle), options);
    warp_.emplace(std::move(match).value());
}

void WarpPlayer::frame(Commands& peer) {
    if (match_.time_warp->lag_changes) change_lag(peer.now());
    warp_->frame(peer.now(), peer.session_time(), press());
    send_messages(peer);
    if (player_.inputs != nullptr) record_inputs();
    if (warp_->game() != nullptr) look(peer);
    if (frames_++ % kMeterEvery == 0 && warp_->game() != nullptr && !ended_at_) network_.frame(peer, {}, {});
    close(peer);
}

/// What the hands do, if that is something new.
std::optional<BattleMessage> WarpPlayer::press() {
    const PartNumber seat = warp_->streams().seat();
    if (warp_->game() == nullptr || seat >= view_.tanks.size() || warp_->warp()->present() >= end_)
        return std::nullopt;
    const Input before = hands_.held();
    const Input wish = pilot_->play(view_, static_cast<std::uint16_t>(seat));
    const Input now = hands_.move(view_.step, wish);
    if (now == before) return std::nullopt;
    meter_.press(warp_->input_delay());
    return BattleMessage{seat, BattleMessage::Kind::input, now};
}

void WarpPlayer::change_lag(Instant now) {
    if (now < lag_changes_at_) return;
    lag_changes_at_ = now + kLagChanges;
    warp_->set_lag(Duration{random_.below(static_cast<std::uint32_t>(micros(match_.time_warp->lag)) + 1)});
}

void WarpPlayer::send_messages(Commands& peer) {
    while (auto message = warp_->poll_message()) {
        message->bytes.insert(message->bytes.begin(), static_cast<std::uint8_t>(WarpNote::streams));
        (void)peer.send(
            Outgoing{std::move(message->bytes), Audience::only(message->to), message->delivery, {}});
    }
}

/// What the pilot and the screen see.
void WarpPlayer::look(Commands& peer) {
    warp_->game()->copy_to(view_, warp_->warp()->present());
    screen_ = view_;
    meter_.frame(*warp_, screen_, kWarpFrame);
    record(peer);
}

void WarpPlayer::record(const Commands& peer) {
    if (recorder_ == nullptr || frames_ % kMeterEvery != 0 || warp_->horizon() >= end_) return;
    std::vector<std::string> names(screen_.tanks.size());
    for (const auto& [seat, id] : warp_->seats()) {
        const auto name = names_.find(id);
        if (seat < names.size() && name != names_.end()) names[seat] = name->second;
    }
    recorder_->add(peer.session_time() - warp_->start(), screen_, names);
}

void WarpPlayer::record_inputs() {
    for (const StreamLine& line : warp_->take_final_lines()) player_.inputs->said.add(line);
    player_.inputs->said.end = warp_->horizon();
}

void WarpPlayer::finish_inputs() {
    InputRecording& recording = *player_.inputs;
    recording.map = to_text(field_->map());
    recording.mode = match_.mode;
    recording.seed = match_.seed;
    recording.tanks = match_.players;
    recording.players.clear();
    for (const auto& [seat, id] : warp_->seats()) recording.players.push_back({seat, id, name_of(id)});
    Battle last;
    warp_->game()->copy_to(last, warp_->warp()->present());
    recording.state_hash = fingerprint(last);
}

// --- events ---

void WarpPlayer::event(Commands& peer, const Event& event) {
    if (!warp_) return;
    std::visit([&](const auto& one) { handle(peer, one); }, event);
}

void WarpPlayer::handle(Commands& peer, const PeerJoined& joined) {
    warp_->link_up(peer.now(), joined.peer);
    std::vector<std::uint8_t> bytes{static_cast<std::uint8_t>(WarpNote::name)};
    bytes.insert(bytes.end(), player_.name.begin(), player_.name.end());
    (void)peer.send(Outgoing{std::move(bytes), Audience::only(joined.peer), Delivery::reliable, {}});
    send_names_of_lost(peer, joined.peer);
}

/// By one of the players: those that were lost cannot tell a newcomer their names.
void WarpPlayer::send_names_of_lost(Commands& peer, const PeerId& to) {
    const std::vector<PeerId> members = warp_->streams().members();
    if (members.empty() || members.front() != peer.id()) return;
    for (const auto& [seat, id] : warp_->seats()) {
        const auto name = names_.find(id);
        if (name == names_.end() || id == to || std::ranges::binary_search(members, id)) continue;
        std::vector<std::uint8_t> bytes{static_cast<std::uint8_t>(WarpNote::name_of_lost)};
        bytes.insert(bytes.end(), id.bytes.begin(), id.bytes.end());
        bytes.insert(bytes.end(), name->second.begin(), name->second.end());
        (void)peer.send(Outgoing{std::move(bytes), Audience::only(to), Delivery::reliable, {}});
    }
}

void WarpPlayer::take_name(PeerId player, std::span<const std::uint8_t> name, bool is_own) {
    if (name.size() > kMostNameBytes || names_.size() >= kMostTanks) return;
    if (is_own || !names_.contains(player)) names_[player] = std::string{name.begin(), name.end()};
}

void WarpPlayer::handle(Commands& peer, const Message& message) {
    if (message.bytes.empty()) return;
    const std::span<const std::uint8_t> rest{message.bytes.data() + 1, message.bytes.size() - 1};
    if (message.bytes[0] == static_cast<std::uint8_t>(WarpNote::streams))
        warp_->handle_message(peer.now(), message.from, rest);
    else if (message.bytes[0] == static_cast<std::uint8_t>(WarpNote::name))
        take_name(message.from, rest, true);
    else if (PeerId lost; message.bytes[0] == static_cast<std::uint8_t>(WarpNote::name_of_lost) &&
                          rest.size() > lost.bytes.size()) {
        std::copy_n(rest.begin(), lost.bytes.size(), lost.bytes.begin());
        take_name(lost, rest.subspan(lost.bytes.size()), false);
    }
}

// --- the end ---

void WarpPlayer::close(Commands& peer) {
    const SessionInstant end = warp_->start() + end_ * kWarpFrame;
    if (warp_->game() == nullptr || peer.session_time() < end) return;
    if (!ended_at_) ended_at_ = peer.now();
    const bool is_complete = warp_->horizon() >= end_;
    if (is_complete && !complete_since_) complete_since_ = peer.now();
    if (is_complete && player_.inputs != nullptr && player_.inputs->map.empty()) finish_inputs();
    const Duration linger = kLinger + 2 * match_.time_warp->lag;
    is_over_ = is_over_ || peer.now() - *ended_at_ > kMostClosing ||
               (complete_since_ && peer.now() - *complete_since_ > linger);
}

std::string WarpPlayer::name_of(const PeerId& player) const {
    const auto name = names_.find(player);
    return name == names_.end() ? to_string(player).substr(0, kMostNameBytes) : name->second;
}

double WarpPlayer::progress() const {
    if (!warp_ || warp_->game() == nullptr) return 0;
    return std::clamp(static_cast<double>(warp_->warp()->present()) / static_cast<double>(end_), 0.0, 1.0);
}

std::uint16_t WarpPlayer::own_tank() const {
    if (!warp_ || warp_->game() == nullptr || player_.watches) return kNone;
    const PartNumber seat = warp_->streams().seat();
    return seat < screen_.tanks.size() ? static_cast<std::uint16_t>(seat) : kNone;
}

void WarpPlayer::list_seats(std::vector<Seat>& seats) const {
    seats.assign(screen_.tanks.size(), {});
    for (std::size_t i = 0; i < std::min(seats.size(), screen_.records.size()); ++i)
        seats[i].record = screen_.records[i];
    if (!warp_) return;
    for (const auto& [seat, id] : warp_->seats()) {
        if (seat >= seats.size()) continue;
        seats[seat].player = id;
        seats[seat].name = name_of(id);
    }
}

MatchReport WarpPlayer::report() const {
    MatchReport report;
    report.player = PeerId::from_number(player_.number + std::uint64_t{1});
    if (player_.watches) report.name = player_.name;
    report.network = network_.report();
    if (!warp_ || warp_->game() == nullptr) return report;
    report.finished = warp_->horizon() >= end_;
    for (const auto& [seat, id] : warp_->seats()) {
        const auto& part = std::get<TankPart>(warp_->warp()->part_at(warp_->horizon(), seat).value);
        report.standings.merge({.player = id,
                                .name = name_of(id),
                                .revision = 1,
                                .is_final = report.finished,
                                .record = part.record});
        if (id != report.player) ++report.players_seen;
    }
    std::vector<Record> records;
    for (PartNumber seat = 0; seat < match_.players; ++seat)
        records.push_back(std::get<TankPart>(warp_->warp()->part_at(warp_->horizon(), seat).value).record);
    report.warp = meter_.report(*warp_, records);
    Battle last;
    warp_->game()->copy_to(last, warp_->warp()->present());
    report.warp->state_hash = fingerprint(last);
    return report;
}

}  // namespace fray::panzer
