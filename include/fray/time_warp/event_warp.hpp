#pragma once
// A match on Time Warp in event mode, as Panzer Battalion was built: peers send what happened, and void it by
// null-messages when executing the past again shows that it should not have happened. It composes the streams
// of the members (tick_streams.hpp) with the engine (time_warp.hpp), as WarpMatch does for input mode.
//
//     EventWarp<Tanks> match = EventWarp<Tanks>::found(now, self, Tanks{map}, options, start).value();
//     // on PeerJoined, PeerLeft and Message:
//     match.link_up(now, peer);  match.link_down(now, peer);  match.handle_message(now, from, bytes);
//     // once per frame:
//     match.take_in(session_time);                 // what has come, and executes what is due
//     match.say(session_time, message);            // my player does something
//     match.send_out(now, session_time);
//     while (auto message = match.poll_message()) peer.send(...);
//
// A line is a message, a null-message, or that its author has executed everything up to a tick. From the
// latter follows what is final (detail/commit_point.hpp). Newcomers get a final state, and all lines since.

#include <fray/detail/asked_states.hpp>
#include <fray/detail/commit_point.hpp>
#include <fray/detail/warp_past.hpp>
#include <fray/encode.hpp>
#include <fray/time_warp/event_line.hpp>
#include <fray/time_warp/tick_streams.hpp>
#include <fray/time_warp/time_warp.hpp>

#include <algorithm>
#include <concepts>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace fray {

/// A Rewindable game that several peers play. Message and State have a serialize().
///
///     static Message enter(PartNumber seat), leave(PartNumber seat);   // a player comes, or is lost
///     static void set_seat(Message&, PartNumber author);   // who says it: known from the stream, not sent
///     void play_as(PartNumber seat);                       // which player emits messages here
///     bool accepts(const State&) const;                    // whether a state of another peer can be
template <class Game>
concept EventGame =
    Rewindable<Game> && std::copy_constructible<Game> &&
    requires(Game game, typename Game::Message message, const typename Game::State state, PartNumber seat) {
        { Game::enter(seat) } -> std::same_as<typename Game::Message>;
        { Game::leave(seat) } -> std::same_as<typename Game::Message>;
        Game::set_seat(message, seat);
        game.play_as(seat);
        { std::as_const(game).accepts(state) } -> std::same_as<bool>;
    };

struct EventWarpOptions {
    StreamOptions streams{.checkpoint = 60};  ///< its lag stays 0: the engine has the middle queue
    TimeWarpOptions warp{};                   ///< `window` and `ahead` are those of the streams
    Duration step{16'667};                    ///< of a tick
    bool keeps_lines = false;                 ///< for take_final_lines(): a witness
};

struct EventWarpCounts {
    std::uint64_t refused_lines = 0;   ///< that are none of this game
    std::uint64_t refused_states = 0;  ///< likewise
    std::uint64_t desyncs = 0;         ///< final states of this member that were not those of the others
};

template <EventGame Game>
class EventWarp {
public:
    using Message = typename Game::Message;
    using State = typename Game::State;
    using Line = EventLine<Message>;
    /// A state on the wire.
    struct WholeState {
        State state;
        template <class Stream>
        friend void serialize(Stream& stream, WholeState& whole) {
            if constexpr (requires { stream.list(whole.state, kMostSeats); })
                stream.list(whole.state, kMostSeats);
            else
                stream.object(whole.state);
        }
    };

    /// The match begins at `start`, with this player in seat 0.
    [[nodiscard]] static Result<EventWarp> found(Instant now, const PeerId& self, Game game,
                                                 EventWarpOptions options, SessionInstant start) {
        const auto greeting = bytes_of(Greeting{micros(start.time_since_epoch())});
        if (!greeting) return greeting.error();
        options.streams.greeting = *greeting;
        auto streams = TickStreams::found(now, self, options.streams);
        if (!streams) return streams.error();
        return EventWarp{std::move(game), options, std::move(*streams)};
    }
    /// Joins a match. `game`: as it was at its beginning.
    [[nodiscard]] static Result<EventWarp> join(Instant now, const PeerId& self, Game game,
                                                const EventWarpOptions& options) {
        auto streams = TickStreams::join(now, self, options.streams);
        if (!streams) return streams.error();
        return EventWarp{std::move(game), options, std::move(*streams)};
    }

    // --- network and time in ---
    void link_up(Instant now, const PeerId& peer) { streams_.link_up(now, peer); }
    void link_down(Instant now, const PeerId& peer) { streams_.link_down(now, peer); }
    void handle_message(Instant now, const PeerId& from, std::span<const std::uint8_t> bytes) {
        streams_.handle_message(now, from, bytes);
    }
    /// The inner queue executes what is due.
    void run(SessionInstant session) {
        see(session);
        if (!warp_) return;
        if (!said_executed_) say_executed();  // before any message: others count on it
        warp_->run(now_);
        say_caused();
    }
    /// What has come goes through the middle queue into the inner one.
    void take_in(SessionInstant session) {
        see(session);
        take_events();
        take_lines();
        run(now_);
    }
    /// Says how far this member is, and sends.
    void send_out(Instant now, SessionInstant session) {
        see(session);
        if (warp_) say_executed();
        advanced_ = times_ ? times_->tick_of(now_) : 0;
        streams_.advance(now, advanced_);
        take_events();
        take_lines();
        if (!warp_) return;
        commit();
        asks_.answer(streams_, checkpoints_, times_->tick_of(committed_), [&](Tick tick) {
            return bytes_of(WholeState{warp_->state_at(times_->begin_of(tick))});
        });
    }
    [[nodiscard]] std::optional<StreamMessage> poll_message() { return streams_.poll_message(); }

    // --- commands ---
    /// A message of this player takes effect now. False while it has no seat.
    bool say(SessionInstant session, Message message) {
        see(session);
        if (!warp_ || !said_executed_ || streams_.seat() == kNoSeat) return false;
        Game::set_seat(message, streams_.seat());
        say_message(warp_->add_own(now_, message), message);
        say_caused();
        return true;
    }
    void set_lag(Duration lag) {
        options_.warp.lag = lag;
        if (warp_) warp_->set_lag(lag);
    }

    // --- what is known ---
    /// The present, provisional; nullptr until the state of the match has arrived.
    [[nodiscard]] const Game* game() const { return warp_ ? game_.get() : nullptr; }
    [[nodiscard]] TimeWarp<Game>* warp() { return warp_ ? &*warp_ : nullptr; }
    [[nodiscard]] const TimeWarp<Game>* warp() const { return warp_ ? &*warp_ : nullptr; }
    [[nodiscard]] const TickStreams& streams() const { return streams_; }
    /// When the match began, and its ticks; none until this member is admitted.
    [[nodiscard]] const std::optional<TickTimes>& times() const { return times_; }
    /// Everything before this time is final.
    [[nodiscard]] SessionInstant committed() const { return committed_; }
    /// Final states once per StreamOptions::checkpoint, the last ones.
    [[nodiscard]] const detail::Checkpoints& checkpoints() const { return checkpoints_; }
    [[nodiscard]] const EventWarpCounts& counts() const { return counts_; }
    /// Messages and null-messages that were said for ticks that have passed the horizon since the last call
    /// (EventWarpOptions::keeps_lines).
    [[nodiscard]] std::vector<StreamLine> take_final_lines() { return lines_.take_final(); }

private:
    static constexpr Tick kSaidExecutedEvery = 6;

    struct Greeting {
        std::int64_t start_us = 0;
        template <class Stream>
        friend void serialize(Stream& stream, Greeting& greeting) {
            constexpr std::int64_t kMost = std::int64_t{1} << 51U;
            stream.integer(greeting.start_us, -kMost, kMost);
        }
    };
    EventWarp(Game game, const EventWarpOptions& options, TickStreams streams)
        : options_{options},
          game_{std::make_unique<Game>(std::move(game))},
          streams_{std::move(streams)},
          lines_{options.keeps_lines} {
        // The horizon that the members agree on bounds how far back a rollback reaches.
        options_.warp.window = kForever;
        options_.warp.ahead = (options.streams.most_ahead + 1) * options.step + kClocksDiffer;
        take_events();
    }
    static constexpr Duration kForever{std::chrono::hours{24 * 365}};
    static constexpr Duration kClocksDiffer{1s};

    /// Before a peer has joined, session time is its own clock; it may be set back.
    void see(SessionInstant session) {
        now_ = times_ ? std::max(now_, session) : session;
        // After a long pause it goes on in steps: the streams take no line that lies farther ahead.
        if (said_executed_) now_ = std::min(now_, times_->begin_of(advanced_ + options_.streams.most_ahead));
    }

    // --- own lines ---
    void say_message(const Stamp& stamp, const Message& message) {
        const Tick tick = times_->tick_of(stamp.at);
        commit_.said(stamp);
        say_line(tick, {.kind = Line::Kind::message,
                        .number = stamp.name.number,
                        .offset = static_cast<std::uint64_t>(micros(stamp.at - times_->begin_of(tick))),
                        .message = message});
    }
    void say_caused() {
        for (const auto& sent : warp_->take_emitted()) say_message(sent.stamp, sent.message);
        for (const Stamp& stamp : warp_->take_nulls()) {
            const Tick tick = std::max(streams_.promised(), times_->tick_of(now_));
            if (say_line(tick, {.kind = Line::Kind::null,
                                .number = stamp.name.number,
                                .offset = static_cast<std::uint64_t>(micros(stamp.at - times_->start))}))
                commit_.voided(tick, stamp);
        }
    }
    /// After everything that follows from executing it.
    void say_executed() {
        Tick reached = streams_.horizon();
        if (const auto held = warp_->earliest_held()) reached = std::min(reached, times_->tick_of(*held));
        const bool is_due = !said_executed_ || reached >= *said_executed_ + kSaidExecutedEvery;
        if (!is_due || streams_.seat() == kNoSeat) return;
        if (!say_line(std::max(streams_.promised(), times_->tick_of(now_)),
                      {.kind = Line::Kind::executed, .tick = reached}))
            return;
        said_executed_ = reached;
        commit_.executed(streams_.self(), reached);
    }
    bool say_line(Tick tick, const Line& line) {
        const auto bytes = bytes_of(line);
        return bytes && streams_.say(tick, *bytes);
    }

    // --- lines ---
    void take_lines() {
        while (auto line = streams_.poll_line()) {
            note_progress(*line);
            if (warp_ && line->tick >= installed_) add(*line, false);
            lines_.add(*line);
        }
        lines_.finish(streams_.horizon());
    }
    void note_progress(const StreamLine& line) {
        if (line.kind == StreamLine::Kind::enter) commit_.entered(line.subject);
        if (line.kind == StreamLine::Kind::leave) commit_.left(line.subject, line.through);
        if (line.kind != StreamLine::Kind::game || line.author == streams_.self()) return;
        const auto said = value_of<Line>(line.bytes);
        if (!said) return;
        if (said->kind == Line::Kind::executed) commit_.executed(line.author, said->tick);
        if (!times_) return;
        const Stamp stamp = stamp_of(*times_, line, *said);
        if (said->kind == Line::Kind::message) commit_.said(stamp);
        if (said->kind == Line::Kind::null) commit_.voided(line.tick, stamp);
    }
    /// An own line is in the inner queue already, unless the engine is a new one.
    void add(const StreamLine& line, bool is_new_engine) {
        if (line.kind != StreamLine::Kind::game) return add_seat(line);
        const bool is_own = line.author == streams_.self();
        if (is_own && !is_new_engine) return;
        const auto said = value_of<Line>(line.bytes);
        if (!said || (said->kind == Line::Kind::message && Duration{said->offset} >= options_.step)) {
            ++counts_.refused_lines;
            return;
        }
        if (said->kind == Line::Kind::executed) return;
        const Stamp stamp = stamp_of(*times_, line, *said);
        const bool is_null = said->kind == Line::Kind::null;
        Message message = said->message;
        Game::set_seat(message, line.seat);
        if (is_own)
            warp_->receive_agreed(now_, stamp, is_null ? std::nullopt : std::optional{std::move(message)});
        else if (is_null)
            warp_->receive_null(now_, line.author, stamp);
        else
            warp_->receive(now_, stamp, std::move(message));
    }
    void add_seat(const StreamLine& line) {
        if (line.seat == kNoSeat) return;
        const bool enters = line.kind == StreamLine::Kind::enter;
        warp_->receive_agreed(now_, stamp_of_seat(*times_, line),
                              enters ? Game::enter(line.seat) : Game::leave(line.seat));
    }

    // --- events of the streams ---
    void take_events() {
        while (auto event = streams_.poll_event()) std::visit([&](const auto& one) { handle(one); }, *event);
    }
    void handle(const Admitted& admitted) {
        const auto greeting = value_of<Greeting>(admitted.greeting);
        if (!greeting) return;
        times_ = TickTimes{SessionInstant{Duration{greeting->start_us}}, options_.step};
        admitted_ = admitted.tick;
        if (admitted.seat != kNoSeat) game_->play_as(admitted.seat);
        warp_.reset();
        commit_.forget();
        said_executed_.reset();
        if (admitted.tick == 0) begin(0, game_->save());
    }
    /// A member that was there before this one counts from the beginning; a later one when it has said
    /// something.
    void handle(const MemberEntered& entered) {
        if (entered.since <= admitted_ && admitted_ > 0) commit_.executed(entered.peer, admitted_);
    }
    void handle(const StateAsked& asked) { asks_.add(asked); }
    void handle(const StateArrived& arrived) {
        auto whole = value_of<WholeState>(arrived.bytes);
        if (!whole || !game_->accepts(whole->state)) {
            ++counts_.refused_states;
            return;
        }
        take_lines();
        checkpoints_.forget_after(arrived.tick);
        begin(arrived.tick, whole->state);
        // Otherwise the others would still be told of the hash that differed, and the repair begin again.
        if (arrived.tick % options_.streams.checkpoint == 0) keep_checkpoint(arrived.tick);
    }
    void handle(const StateDiffers&) { ++counts_.desyncs; }
    template <class Other>
    void handle(const Other&) {}

    /// The engine executes from this state on, which holds the effect of what was said before. A repair goes
    /// back to a checkpoint.
    void begin(Tick tick, const State& state) {
        installed_ = tick;
        committed_ = times_->begin_of(tick);
        game_->restore(state);
        warp_.emplace(*game_, streams_.self(), options_.warp, times_->begin_of(tick));
        for (const StreamLine& line : lines_.recent()) {
            if (line.tick >= tick) add(line, true);
        }
    }

    // --- what becomes final ---
    void commit() {
        // Nothing becomes final any more if a member promises, but does not say what it has executed.
        const Tick most_behind = 2 * (options_.streams.silence / options_.step);
        if (const auto member = commit_.behind(streams_.horizon() - most_behind)) streams_.drop(*member);
        auto found = commit_.find(streams_.horizon(), [&](Tick tick) { return times_->begin_of(tick); });
        // Members count on what this one has executed; a spectator, and a newcomer, must do so itself.
        if (const auto held = warp_->earliest_held(); found && held) found = std::min(*found, *held);
        if (!found || *found <= committed_) return;
        const Tick interval = options_.streams.checkpoint;
        for (Tick next = (times_->tick_of(committed_) / interval + 1) * interval;
             times_->begin_of(next) <= *found; next += interval)
            keep_checkpoint(next);
        committed_ = *found;
        warp_->commit(times_->begin_of(times_->tick_of(committed_)));
        lines_.forget_before(std::min(checkpoints_.oldest(), times_->tick_of(committed_)));
    }
    void keep_checkpoint(Tick tick) {
        auto bytes = bytes_of(WholeState{warp_->state_at(times_->begin_of(tick))});
        if (!bytes) return;
        streams_.set_hash(tick, Fingerprint{}.add(*bytes).value());
        checkpoints_.keep(tick, std::move(*bytes));
    }

    EventWarpOptions options_;
    std::unique_ptr<Game> game_;  // the engine refers to it
    TickStreams streams_;
    std::optional<TimeWarp<Game>> warp_;
    std::optional<TickTimes> times_;
    SessionInstant now_ = SessionInstant::min();
    SessionInstant committed_ = SessionInstant::min();
    Tick advanced_ = 0;  // the present of the streams
    Tick admitted_ = 0;
    Tick installed_ = 0;  // lines for earlier ticks are in the state that the engine began with
    std::optional<Tick> said_executed_;
    detail::CommitPoint commit_;
    detail::KeptLines lines_;
    detail::Checkpoints checkpoints_;
    detail::AskedStates asks_;
    EventWarpCounts counts_;
};

}  // namespace fray
