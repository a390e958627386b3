#include "games/panzer/event_warp/event_match.hpp"

#include "games/panzer/event_warp/keyboard.hpp"
#include "games/panzer/event_warp/outer_queue.hpp"
#include "games/panzer/event_warp/shown_deaths.hpp"
#include "games/panzer/match/jump_meter.hpp"
#include "games/panzer/match/pilot.hpp"
#include "games/panzer/rules/rules.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace fray::panzer {

namespace {

using Kind = EventMessage::Kind;

constexpr Duration kBeforeStart{2s};  // clocks settle
constexpr Duration kSettle{3s};       // after the end, beside the lag: what is under way arrives
// A tank that is farther from where the others see it says so, in metres.
constexpr float kToldPosition = 0.5F;
constexpr std::uint16_t kAtRest = steps(0.1F);
constexpr float kResting = 1;  // degrees per step
constexpr std::uint16_t kNoShell = steps(5);

Battle first_battle(const Battlefield& field, const EventMatchOptions& options) {
    return Rules{field.map()}.start({.tanks = options.players, .mode = {}, .seed = options.seed}).value();
}

}  // namespace

class EventMatch::Parts {
public:
    Parts(const Battlefield& field, const NavQuery& query, const EventMatchOptions& options,
          std::uint32_t number)
        : field_{&field},
          query_{&query},
          options_{options},
          self_{static_cast<std::uint16_t>(number)},
          outer_{options.render_pass, derive(options.seed, "player", number)},
          rules_{field.map()},
          screen_{first_battle(field, options)},
          keyboard_{derive(options.seed, "player", number)} {
        const double most = seconds(options.clock_error);
        clock_error_ = from_seconds(RandomStream{options.seed, "clock error", number}.uniform(-most, most));
        report_.phases.resize(options.lags.size());
    }

    void frame(Commands& peer) {
        const SessionInstant now = clock(peer);
        if (!start_ && self_ == 0 && peer.peers().size() + 1 >= options_.players) {
            start_ = peer.session_time() + kBeforeStart;
            (void)peer.send(EventNote{.kind = EventNote::Kind::start, .at = *start_});
        }
        if (!start_ || now < *start_) return;
        if (!warp_) begin(peer);
        if (is_playing(now)) enter_phase(now);
        const bool ends_pass = outer_.ends_pass(now);
        const std::uint64_t before = warp_->counts().rollbacks;
        warp_->run(now);  // the inner queue does not wait for the render loop
        if (is_playing(now) && options_.keys_first) play(now);
        if (ends_pass) take_in(now);
        if (is_playing(now) && !options_.keys_first) play(now);
        if (ends_pass) send_out(peer);
        if (!is_playing(now)) return end(peer, now);
        show(now);
        measure(warp_->counts().rollbacks != before);
    }
    void receive(const Message& message) {
        const auto note = message.as<EventNote>();
        if (!note) return;
        if (note->kind == EventNote::Kind::start) {
            if (message.from == PeerId::from_number(1) && !start_) start_ = note->at;
            return;
        }
        outer_.receive(message.from, *note);
    }

    [[nodiscard]] bool is_over() const { return is_over_; }
    [[nodiscard]] double progress() const { return progress_; }
    [[nodiscard]] EventReport report() const {
        EventReport report = report_;
        if (!warp_) return report;
        report.counts = warp_->counts();
        report.counts.refused += outer_.refused();
        report.jumps = jumps_.jumps();
        report.deaths_shown = deaths_.shown();
        report.reversed_deaths = deaths_.reversed();
        report.tanks = battle_->save();
        return report;
    }
    [[nodiscard]] const std::map<Stamp, EventMessage>& history() const { return history_; }
    [[nodiscard]] EventBattle beginning() const {
        return {*field_, first_battle(*field_, options_), start_.value_or(SessionInstant{}), std::nullopt};
    }

private:
    [[nodiscard]] SessionInstant clock(const Commands& peer) const {
        return peer.session_time() + clock_error_;
    }
    [[nodiscard]] bool is_playing(SessionInstant now) const { return now < *start_ + options_.length; }
    [[nodiscard]] Tank& own() { return screen_.tanks[self_]; }

    void begin(const Commands& peer) {
        battle_.emplace(*field_, screen_, *start_, self_);
        warp_.emplace(*battle_, peer.id(),
                      TimeWarpOptions{.ignored_lateness = options_.ignored_lateness,
                                      .late_by_state = options_.late_by_state,
                                      .window = 30s},
                      *start_);
        bytes_at_start_ = peer.peer().stats().ledger.total_bytes();
    }
    void enter_phase(SessionInstant now) {
        const std::size_t phases = options_.lags.size();
        const Duration passed = now - *start_;
        progress_ = seconds(passed) / seconds(options_.length);
        phase_ = static_cast<std::size_t>(passed * static_cast<std::int64_t>(phases) / options_.length);
        if (pilot_ && phase_ == piloted_phase_) return;
        piloted_phase_ = phase_;
        const Duration lag = options_.lags[phase_];
        warp_->set_lag(lag);
        BotOptions bot = options_.bot;
        bot.seed = derive(derive(options_.seed, "bot", self_), "phase", phase_);
        bot.dynamic_share = dynamic_share(options_.is_adapting ? millis(lag) : 0);
        pilot_.emplace(bot, field_->map(), *query_);
    }
    void end(const Commands& peer, SessionInstant now) {
        if (progress_ < 1) {
            progress_ = 1;
            constexpr double kKbit = 8.0 / 1000;
            report_.upload_kbps =
                static_cast<double>(peer.peer().stats().ledger.total_bytes() - bytes_at_start_) * kKbit /
                seconds(options_.length);
        }
        const Duration lag = *std::ranges::max_element(options_.lags);
        is_over_ = now >= *start_ + options_.length + lag + kSettle;
    }

    // --- queues ---

    void send_out(Commands& peer) {
        for (const EventNote& note : outer_.take_outgoing()) (void)peer.send(note);
    }
    /// What has come since the last pass goes into the middle queue, and from there into the inner one.
    void take_in(SessionInstant now) {
        for (const OuterQueue::Received& received : outer_.take_incoming()) {
            const Stamp stamp{received.note.at, {received.from, received.note.number}};
            if (received.note.kind == EventNote::Kind::null)
                warp_->receive_null(now, received.from, stamp);
            else
                warp_->receive(now, stamp, received.note.message);
        }
        warp_->run(now);
        write_caused();
        for (const Rollback& rollback : warp_->take_rollbacks()) {
            if (!is_playing(now)) continue;
            report_.rollbacks.push_back(rollback);
            ++report_.phases[phase_].rollbacks;
        }
    }
    void write(const Stamp& stamp, const EventMessage& message) {
        history_[stamp] = message;
        ++report_.sent[static_cast<std::size_t>(message.kind)];
        outer_.send({EventNote::Kind::message, stamp.at, stamp.name.number, message});
    }
    void write_caused() {
        for (const auto& sent : warp_->take_emitted()) write(sent.stamp, sent.message);
        for (const Stamp& stamp : warp_->take_nulls()) {
            history_.erase(stamp);
            outer_.send({EventNote::Kind::null, stamp.at, stamp.name.number, {}});
        }
    }
    void say(SessionInstant now, const EventMessage& message) {
        write(warp_->add_own(now, message), message);
        write_caused();
        ++(is_moving_ ? report_.sent_moving : report_.sent_standing);
    }

    // --- playing ---

    void play(SessionInstant now) {
        show(now);
        Input wanted = pilot_->play(screen_, self_);
        wanted.shell = false;
        const Input before = keys_;
        keys_ = own().alive() ? keyboard_.press(wanted) : Input{.aim = own().turret};
        keys_.aim = sent_aim(keys_.aim);
        is_moving_ = own().alive() && (has_key(before) || has_key(keys_) || own().speed != 0);
        rules_.step_own(screen_, self_, keys_, ThingsAre::elsewhere);
        for (const Happening& happening : rules_.happenings()) tell(now, happening);
        if (own().alive()) tell_motion(now, before.throttle != keys_.throttle || before.steer != keys_.steer);
    }
    /// The tanks of others as the inner queue has them; the own one is what the rules have made of it, unless
    /// it was destroyed, or was not after all.
    void show(SessionInstant now) {
        for (std::uint16_t i = 0; i < screen_.tanks.size(); ++i) {
            if (i != self_) screen_.tanks[i] = battle_->at(i, now);
        }
        for (Item& item : screen_.items) item.wait = 0xFFFF;
        for (Door& door : screen_.doors) door = {kDoorSteps, 0xFFFF};
        const Tank& known = battle_->tanks()[self_].tank;
        if (known.alive() && !own().alive()) {
            own() = battle_->at(self_, now);
        } else if (!known.alive() && own().alive()) {
            own() = known;
            own().respawn_wait = kRespawnSteps;
            keyboard_.release();
        }
        own().armour = known.armour;
        own().shell_wait = kNoShell;
    }
    [[nodiscard]] static bool has_key(const Input& keys) { return keys.throttle != 0 || keys.steer != 0; }

    void tell(SessionInstant now, const Happening& happening) {
        if (happening.kind == Happening::Kind::shot)
            say(now, {.kind = Kind::shoot, .position = own().position, .turret = own().turret});
        if (happening.kind == Happening::Kind::spawn)
            say(now, {.kind = Kind::respawn, .position = own().position, .hull = own().hull});
    }
    void tell_motion(SessionInstant now, bool has_changed) {
        const Tank seen = battle_->at(self_, now);
        const float off = length(own().position - seen.position);
        const float turned = degrees_between(seen.turret, own().turret);
        at_rest_ = degrees_between(turret_, own().turret) < kResting ? at_rest_ + 1 : 0;
        turret_ = own().turret;
        Input keys = keys_;
        keys.gun = keys.shell = false;
        if (has_changed || off > kToldPosition) {
            say(now, {.kind = Kind::move,
                      .position = own().position,
                      .speed = own().speed,
                      .hull = own().hull,
                      .turret = own().turret,
                      .keys = keys});
        } else if (turned > (at_rest_ >= kAtRest ? options_.told_angle : options_.told_turning)) {
            say(now, {.kind = Kind::angles, .turret = own().turret, .keys = keys});
        }
    }

    [[nodiscard]] static float degrees_between(Angle a, Angle b) {
        return std::abs(static_cast<float>(turn_between(a, b))) * (360.0F / 65536);
    }

    void measure(bool has_rolled_back) {
        EventReport::Phase& phase = report_.phases[phase_];
        ++report_.frames;
        if (is_moving_) ++report_.moving_frames;
        if (own().alive()) {
            ++phase.living_frames;
            if (has_key(keys_)) ++phase.dynamic_frames;
        }
        bool has_jumped = false;
        for (std::size_t i = 0; i < screen_.tanks.size(); ++i) {
            const Tank& tank = screen_.tanks[i];
            has_jumped = jumps_.show(i, tank, kStep) || has_jumped;
            deaths_.show(i, tank.alive(), battle_->tanks()[i].life);
        }
        if (has_jumped && has_rolled_back) ++report_.visible_rollbacks;
    }

    const Battlefield* field_;
    const NavQuery* query_;
    EventMatchOptions options_;
    std::uint16_t self_;
    Duration clock_error_{};
    OuterQueue outer_;
    Rules rules_;
    Battle screen_;
    std::optional<SessionInstant> start_;
    std::optional<EventBattle> battle_;
    std::optional<TimeWarp<EventBattle>> warp_;
    std::optional<BotPilot> pilot_;
    std::size_t phase_ = 0;
    std::size_t piloted_phase_ = 0;
    Keyboard keyboard_;
    Input keys_{};
    Angle turret_ = 0;
    std::uint32_t at_rest_ = 0;  // steps
    bool is_moving_ = false;
    bool is_over_ = false;
    double progress_ = 0;
    std::uint64_t bytes_at_start_ = 0;
    std::map<Stamp, EventMessage> history_;
    JumpMeter jumps_;
    ShownDeaths deaths_;
    EventReport report_;
};

EventMatch::EventMatch(const Battlefield& field, const NavQuery& query, const EventMatchOptions& options,
                       std::uint32_t number)
    : parts_{std::make_unique<Parts>(field, query, options, number)} {}
EventMatch::~EventMatch() = default;
void EventMatch::frame(Commands& peer) { parts_->frame(peer); }
void EventMatch::event(Commands&, const Event& event) {
    if (const auto* message = std::get_if<Message>(&event)) parts_->receive(*message);
}
bool EventMatch::is_over() const { return parts_->is_over(); }
double EventMatch::progress() const { return parts_->progress(); }
EventReport EventMatch::report() const { return parts_->report(); }
const std::map<Stamp, EventMessage>& EventMatch::history() const { return parts_->history(); }
EventBattle EventMatch::beginning() const { return parts_->beginning(); }

PeerOptions event_peer_options(const Battlefield& field, std::uint32_t number) {
    PeerOptions options;
    options.id = PeerId::from_number(number + std::uint64_t{1});
    options.world = world(field);
    options.world.name += " events";
    options.world.tick = kStepTime;
    return options;
}

}  // namespace fray::panzer
