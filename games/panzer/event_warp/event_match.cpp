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
using Warp = EventWarp<EventBattle>;

constexpr Duration kBeforeStart{2s};  // clocks settle
constexpr Duration kLinger{3s};       // after the end, beside the lag: others may lack the last lines
constexpr Duration kMostClosing{30s};
constexpr Duration kLagChanges{1s};
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
          std::uint32_t number, bool founds)
        : field_{&field},
          query_{&query},
          options_{options},
          self_{static_cast<std::uint16_t>(number)},
          founds_{founds},
          outer_{options.render_pass, derive(options.seed, "player", number)},
          rules_{field.map()},
          screen_{first_battle(field, options)},
          keyboard_{derive(options.seed, "player", number)},
          lag_random_{options.seed, "lag", number} {
        const double most = seconds(options.clock_error);
        clock_error_ = from_seconds(RandomStream{options.seed, "clock error", number}.uniform(-most, most));
        report_.phases.resize(options.lags.size());
    }

    void started(Commands& peer) {
        if (!founds_)
            warp_.emplace(
                Warp::join(peer.now(), peer.id(), event_battle(*field_, options_), warp_options()).value());
    }
    void frame(Commands& peer) {
        const SessionInstant now = clock(peer);
        if (!warp_) found(peer);
        if (!warp_) return;
        const bool ends_pass = outer_.ends_pass(peer.now());
        if (!has_begun(now)) return exchange(peer, now, ends_pass);
        if (!is_begun_) begin(peer);
        // With the seat it is known which tank is the own one. A player that was evicted may get another.
        if (const PartNumber seat = warp_->streams().seat(); seat != kNoSeat)
            self_ = static_cast<std::uint16_t>(seat);
        if (is_playing(now)) enter_phase(now);
        const std::uint64_t before = warp_->warp()->counts().rollbacks;
        warp_->run(now);  // the inner queue does not wait for the render loop
        if (is_playing(now) && options_.keys_first) play(now);
        if (ends_pass) take_in(peer, now);
        if (is_playing(now) && !options_.keys_first) play(now);
        if (ends_pass) send_out(peer, now);
        if (!warp_->game()) return;
        if (!is_playing(now)) return end(peer, now);
        show(now);
        measure(warp_->warp()->counts().rollbacks != before);
    }
    void link(Instant now, const PeerId& peer, bool is_up) {
        if (is_up)
            links_.push_back(peer);
        else
            std::erase(links_, peer);
        if (!warp_) return;
        if (is_up)
            warp_->link_up(now, peer);
        else
            warp_->link_down(now, peer);
    }
    void receive(const Message& message) { outer_.receive(message.from, message.bytes); }

    [[nodiscard]] bool is_over() const { return is_over_; }
    [[nodiscard]] double progress() const { return progress_; }
    [[nodiscard]] EventReport report() const {
        EventReport report = report_;
        if (!warp_ || !warp_->game()) return report;
        report.counts = warp_->warp()->counts();
        report.counts.refused += outer_.refused();
        report.jumps = jumps_.jumps();
        report.deaths_shown = deaths_.shown();
        report.reversed_deaths = deaths_.reversed();
        report.desyncs = warp_->counts().desyncs;
        return report;
    }
    [[nodiscard]] Warp* match() { return warp_ ? &*warp_ : nullptr; }

private:
    [[nodiscard]] SessionInstant clock(const Commands& peer) const {
        return peer.session_time() + clock_error_;
    }
    [[nodiscard]] bool has_begun(SessionInstant now) const {
        return warp_->game() != nullptr && now >= warp_->times()->start;
    }
    [[nodiscard]] SessionInstant end_of_match() const { return warp_->times()->start + options_.length; }
    [[nodiscard]] bool is_playing(SessionInstant now) const {
        return warp_->game() != nullptr && now < end_of_match();
    }
    [[nodiscard]] Tank& own() { return screen_.tanks[self_]; }

    [[nodiscard]] EventWarpOptions warp_options() const {
        EventWarpOptions options;
        options.streams.seats = options_.players;
        options.warp.ignored_lateness = options_.ignored_lateness;
        options.warp.late_by_state = options_.late_by_state;
        options.warp.lag = options_.lags.front();
        options.step = kStepTime;
        options.keeps_lines = options_.keeps_lines;
        return options;
    }
    void found(Commands& peer) {
        if (peer.peers().size() + 1 + options_.late_joiners < options_.players) return;
        auto founded = Warp::found(peer.now(), peer.id(), event_battle(*field_, options_), warp_options(),
                                   peer.session_time() + kBeforeStart);
        warp_.emplace(std::move(founded).value());
        for (const PeerId& linked : links_) warp_->link_up(peer.now(), linked);
    }
    void begin(const Commands& peer) {
        is_begun_ = true;
        bytes_at_start_ = peer.peer().stats().ledger.total_bytes();
    }
    void enter_phase(SessionInstant now) {
        const std::size_t phases = options_.lags.size();
        const Duration passed = now - warp_->times()->start;
        progress_ = seconds(passed) / seconds(options_.length);
        phase_ = static_cast<std::size_t>(passed * static_cast<std::int64_t>(phases) / options_.length);
        if (options_.lag_changes && now >= lag_changes_at_) change_lag(now);
        if (pilot_ && phase_ == piloted_phase_) return;
        piloted_phase_ = phase_;
        const Duration lag = options_.lags[phase_];
        warp_->set_lag(lag);
        BotOptions bot = options_.bot;
        bot.seed = derive(derive(options_.seed, "bot", self_), "phase", phase_);
        using Behaviour = EventMatchOptions::Behaviour;
        if (options_.behaviour != Behaviour::free)
            bot.dynamic_share = dynamic_share(options_.behaviour == Behaviour::adapting ? millis(lag) : 0);
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
        if (!ended_at_) ended_at_ = now;
        if (!complete_since_ && warp_->committed() >= end_of_match()) {
            complete_since_ = now;
            report_.tanks = warp_->warp()->state_at(end_of_match());
        }
        const Duration linger = *std::ranges::max_element(options_.lags) + kLinger;
        is_over_ = is_over_ || now - *ended_at_ > kMostClosing ||
                   (complete_since_ && now - *complete_since_ > linger);
    }
    void change_lag(SessionInstant now) {
        lag_changes_at_ = now + kLagChanges;
        const auto most = static_cast<std::uint32_t>(micros(options_.lags[phase_]));
        warp_->set_lag(Duration{lag_random_.below(most + 1)});
    }

    // --- queues ---

    /// Before the match has begun here, there is nothing but to become a member of it.
    void exchange(Commands& peer, SessionInstant now, bool ends_pass) {
        if (!ends_pass) return;
        take_in(peer, now);
        send_out(peer, now);
    }
    void send_out(Commands& peer, SessionInstant now) {
        warp_->send_out(peer.now(), now);
        while (auto message = warp_->poll_message())
            (void)peer.send(
                Outgoing{std::move(message->bytes), Audience::only(message->to), message->delivery, {}});
    }
    /// What has come since the last pass goes into the middle queue, and from there into the inner one.
    void take_in(const Commands& peer, SessionInstant now) {
        for (const OuterQueue::Received& received : outer_.take_incoming())
            warp_->handle_message(peer.now(), received.from, received.bytes);
        warp_->take_in(now);
        if (warp_->warp() == nullptr) return;
        for (const Rollback& rollback : warp_->warp()->take_rollbacks()) {
            if (!is_begun_ || !is_playing(now)) continue;
            report_.rollbacks.push_back(rollback);
            ++report_.phases[phase_].rollbacks;
        }
    }
    void say(SessionInstant now, const EventMessage& message) {
        if (!warp_->say(now, message)) return;
        ++report_.sent[static_cast<std::size_t>(message.kind)];
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
            if (i != self_) screen_.tanks[i] = warp_->game()->at(i, now);
        }
        for (Item& item : screen_.items) item.wait = 0xFFFF;
        for (Door& door : screen_.doors) door = {kDoorSteps, 0xFFFF};
        const Tank& known = warp_->game()->tanks()[self_].tank;
        if (known.alive() && !own().alive()) {
            own() = warp_->game()->at(self_, now);
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
        const Tank seen = warp_->game()->at(self_, now);
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
            deaths_.show(i, tank.alive(), warp_->game()->tanks()[i].life);
        }
        if (has_jumped && has_rolled_back) ++report_.visible_rollbacks;
    }

    const Battlefield* field_;
    const NavQuery* query_;
    EventMatchOptions options_;
    std::uint16_t self_;
    bool founds_;
    Duration clock_error_{};
    OuterQueue outer_;
    Rules rules_;
    Battle screen_;
    std::optional<Warp> warp_;
    std::vector<PeerId> links_;
    bool is_begun_ = false;
    std::optional<BotPilot> pilot_;
    std::size_t phase_ = 0;
    std::size_t piloted_phase_ = 0;
    Keyboard keyboard_;
    RandomStream lag_random_;
    SessionInstant lag_changes_at_ = SessionInstant::min();
    Input keys_{};
    Angle turret_ = 0;
    std::uint32_t at_rest_ = 0;  // steps
    bool is_moving_ = false;
    bool is_over_ = false;
    double progress_ = 0;
    std::uint64_t bytes_at_start_ = 0;
    std::optional<SessionInstant> ended_at_;
    std::optional<SessionInstant> complete_since_;
    JumpMeter jumps_;
    ShownDeaths deaths_;
    EventReport report_;
};

EventMatch::EventMatch(const Battlefield& field, const NavQuery& query, const EventMatchOptions& options,
                       std::uint32_t number, bool founds)
    : parts_{std::make_unique<Parts>(field, query, options, number, founds)} {}
EventMatch::~EventMatch() = default;
void EventMatch::started(Commands& peer) { parts_->started(peer); }
void EventMatch::frame(Commands& peer) { parts_->frame(peer); }
void EventMatch::event(Commands& peer, const Event& event) {
    if (const auto* message = std::get_if<Message>(&event)) parts_->receive(*message);
    if (const auto* joined = std::get_if<PeerJoined>(&event)) parts_->link(peer.now(), joined->peer, true);
    if (const auto* left = std::get_if<PeerLeft>(&event)) parts_->link(peer.now(), left->peer, false);
}
bool EventMatch::is_over() const { return parts_->is_over(); }
double EventMatch::progress() const { return parts_->progress(); }
EventReport EventMatch::report() const { return parts_->report(); }
EventWarp<EventBattle>* EventMatch::match() const { return parts_->match(); }

EventBattle event_battle(const Battlefield& field, const EventMatchOptions& options) {
    return {field, first_battle(field, options)};
}

PeerOptions event_peer_options(const Battlefield& field, std::uint32_t number) {
    PeerOptions options;
    options.id = PeerId::from_number(number + std::uint64_t{1});
    options.world = world(field);
    options.world.name += " events";
    options.world.tick = kStepTime;
    return options;
}

}  // namespace fray::panzer
