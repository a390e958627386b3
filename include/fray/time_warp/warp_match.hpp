#pragma once
// A match on Time Warp in input mode: every peer executes the whole game, and only what players do travels.
// It composes the streams of the members (tick_streams.hpp) with the engine (part_warp.hpp).
//
//     WarpMatch<Tanks> match = WarpMatch<Tanks>::found(now, self, Tanks{map}, options, session_time).value();
//     // on PeerJoined, PeerLeft and Message:
//     match.link_up(now, peer);  match.link_down(now, peer);  match.handle_message(now, from, bytes);
//     // once per frame:
//     match.frame(now, session_time, pressed);      // my player's message, if there is a new one
//     while (auto message = match.poll_message()) peer.send(...);
//     if (const Tanks* tanks = match.game()) draw(*tanks);          // provisional
//     for (const auto& [tick, outcome] : match.take_final()) announce(outcome);
//
// FINAL. An outcome is announced when the horizon has passed its tick: no message from before it can come any
// more, at any member. So what was announced is never reversed.
// DESYNC. Members compare hashes of their final states. The smaller group gets the state of the larger one,
// finds the first field that differs, and tells all members (take_desyncs()).

#include <fray/detail/warp_past.hpp>
#include <fray/encode.hpp>
#include <fray/fingerprint.hpp>
#include <fray/time_warp/part_warp.hpp>
#include <fray/time_warp/tick_streams.hpp>

#include <algorithm>
#include <concepts>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace fray {

/// What a game of parts offers besides, to be played by several peers. Part has a serialize().
///
///     static std::optional<Message> read(PartNumber seat, std::span<const std::uint8_t> line);
///         // what the player in this seat may say; nothing if the bytes are nothing of that kind
///     static std::vector<std::uint8_t> write(const Message&);        // at most kMostLineBytes
///     static Message enter(PartNumber seat), leave(PartNumber seat); // a player comes, or is lost
///     static std::string difference(PartNumber, const Part& mine, const Part& theirs);  // field and values
///
/// It may also have
///     bool accepts(std::span<const Part> state) const;
///         // whether the rules can go on from a state of another peer; called for the game at its beginning
template <class Game>
concept WarpGame =
    Parted<Game> && requires(PartNumber seat, std::span<const std::uint8_t> line,
                             const typename Game::Message message, const typename Game::Part part) {
        { Game::read(seat, line) } -> std::same_as<std::optional<typename Game::Message>>;
        { Game::write(message) } -> std::convertible_to<std::vector<std::uint8_t>>;
        { Game::enter(seat) } -> std::same_as<typename Game::Message>;
        { Game::leave(seat) } -> std::same_as<typename Game::Message>;
        { Game::difference(seat, part, part) } -> std::convertible_to<std::string>;
    };

struct WarpMatchOptions {
    StreamOptions streams{};
    PartWarpOptions warp{.window = 1200};  ///< `start` is that of the founder
    /// An own message takes effect so many ticks later. Others then have more time to learn of it.
    Tick input_delay = 0;
    /// The delay follows the network: as many ticks as others' messages are late, at most `input_delay`.
    bool delay_follows_network = false;
    Tick last = kLastTick;     ///< the game ends with this state
    bool keeps_lines = false;  ///< for take_final_lines(): a recording, a witness
};

/// What a whole game is on the wire.
template <class Part>
struct WholeState {
    std::vector<Part> parts;
};
template <class Stream, class Part>
void serialize(Stream& stream, WholeState<Part>& state) {
    constexpr std::size_t kMostParts = 65'536;
    stream.list(state.parts, kMostParts);
}

struct Desync {
    PeerId peer;  ///< whose state was wrong
    Tick tick = 0;
    std::string text;  ///< part, field, its value and the right one
};

struct WarpMatchCounts {
    std::uint64_t refused_lines = 0;    ///< that are nothing that a player may say
    std::uint64_t refused_states = 0;   ///< that came with the right hash, but are none of this game
    std::uint64_t dropped_desyncs = 0;  ///< that were not taken in time (WarpMatch::kMostDesyncs)
    std::uint64_t dropped_asks = 0;     ///< members that asked again before their first answer
};

template <WarpGame Game>
class WarpMatch {
public:
    static constexpr std::size_t kMostDesyncs = 256;  ///< held until they are taken; others are counted only
    using Message = typename Game::Message;
    using Part = typename Game::Part;
    using Recorded = typename PartWarp<Game>::Recorded;

    /// The match begins now, with this player in seat 0.
    [[nodiscard]] static Result<WarpMatch> found(Instant now, const PeerId& self, Game game,
                                                 WarpMatchOptions options, SessionInstant session) {
        options.warp.start = session;
        const auto greeting = bytes_of(Greeting{micros(session.time_since_epoch())});
        if (!greeting) return greeting.error();
        options.streams.greeting = *greeting;
        auto streams = TickStreams::found(now, self, options.streams);
        if (!streams) return streams.error();
        WarpMatch match{std::move(game), options, std::move(*streams)};
        match.warp_.emplace(match.first_, match.options_.warp);
        return match;
    }
    /// Joins a match that runs. `game`: as it was at its beginning.
    [[nodiscard]] static Result<WarpMatch> join(Instant now, const PeerId& self, Game game,
                                                const WarpMatchOptions& options) {
        auto streams = TickStreams::join(now, self, options.streams);
        if (!streams) return streams.error();
        return WarpMatch{std::move(game), options, std::move(*streams)};
    }

    // --- network and time in ---
    void link_up(Instant now, const PeerId& peer) { streams_.link_up(now, peer); }
    void link_down(Instant now, const PeerId& peer) { streams_.link_down(now, peer); }
    void handle_message(Instant now, const PeerId& from, std::span<const std::uint8_t> bytes) {
        streams_.handle_message(now, from, bytes);
    }
    /// One frame. `pressed` takes effect in the present tick, or after the input delay.
    void frame(Instant now, SessionInstant session, const std::optional<Message>& pressed) {
        if (has_start_) tick_ = std::max(tick_, (session - options_.warp.start) / options_.warp.step);
        if (pressed && warp_ && tick_ < options_.last) press(*pressed);
        streams_.advance(now, tick_ + 1);
        take_events();
        take_lines();
        if (!warp_) return;
        warp_->run(std::min(tick_ + 1, options_.last));
        commit();
        answer_asks();
    }
    [[nodiscard]] std::optional<StreamMessage> poll_message() { return streams_.poll_message(); }
    void set_lag(Duration lag) { streams_.set_lag(lag); }

    // --- what is known ---
    /// The present, provisional; nullptr until the state of the match has arrived.
    [[nodiscard]] const Game* game() const { return warp_ ? &warp_->game() : nullptr; }
    /// The engine; likewise. A peer that comes back begins with a new one.
    [[nodiscard]] const PartWarp<Game>* warp() const { return warp_ ? &*warp_ : nullptr; }
    [[nodiscard]] PartWarp<Game>* warp() { return warp_ ? &*warp_ : nullptr; }
    [[nodiscard]] const TickStreams& streams() const { return streams_; }
    [[nodiscard]] Tick horizon() const { return warp_ ? warp_->horizon() : 0; }
    [[nodiscard]] SessionInstant start() const { return options_.warp.start; }
    /// Which peer has which seat, those that were lost included.
    [[nodiscard]] const std::map<PartNumber, PeerId>& seats() const { return seats_; }
    [[nodiscard]] std::vector<Recorded> take_final() { return std::exchange(final_, {}); }
    [[nodiscard]] std::vector<Desync> take_desyncs() { return std::exchange(desyncs_, {}); }
    [[nodiscard]] const WarpMatchCounts& counts() const { return counts_; }
    [[nodiscard]] Tick input_delay() const { return delay_.ticks(); }
    /// Final states once per StreamOptions::checkpoint, the last ones.
    [[nodiscard]] const detail::Checkpoints& checkpoints() const { return checkpoints_; }
    /// What a line does in the game; nothing if its bytes are nothing that a player may say.
    [[nodiscard]] static std::optional<Message> message_of(const StreamLine& line) {
        if (line.seat == kNoSeat) return std::nullopt;
        if (line.kind == StreamLine::Kind::game) return Game::read(line.seat, line.bytes);
        return line.kind == StreamLine::Kind::enter ? Game::enter(line.seat) : Game::leave(line.seat);
    }
    /// What was said in ticks that have become final since the last call, in the order of execution. Together
    /// with the game at its beginning it is a recording of the match (WarpMatchOptions::keeps_lines).
    [[nodiscard]] std::vector<StreamLine> take_final_lines() { return lines_.take_final(); }

private:
    struct Greeting {
        std::int64_t start_us = 0;
        template <class Stream>
        friend void serialize(Stream& stream, Greeting& greeting) {
            constexpr std::int64_t kMost = std::int64_t{1} << 51U;
            stream.integer(greeting.start_us, -kMost, kMost);
        }
    };

    WarpMatch(Game game, const WarpMatchOptions& options, TickStreams streams)
        : options_{options},
          first_{std::move(game)},
          streams_{std::move(streams)},
          delay_{options.input_delay, options.delay_follows_network},
          lines_{options.keeps_lines} {}

    void press(const Message& message) {
        const Tick at = std::max({last_said_, streams_.promised(), tick_ + delay_.ticks()});
        if (streams_.say(at, Game::write(message))) last_said_ = at;
    }

    // --- lines ---
    void take_lines() {
        while (auto line = streams_.poll_line()) {
            if (warp_) add(*line);
            if (line->author != streams_.self() && line->kind == StreamLine::Kind::game)
                delay_.see(tick_ - line->tick);
            lines_.add(*line);
        }
    }
    void add(const StreamLine& line) {
        std::optional<Message> message = message_of(line);
        if (!message) {
            counts_.refused_lines += line.seat != kNoSeat ? 1U : 0U;
            return;
        }
        const Stamp stamp{warp_->begin_of(line.tick), {line.author, line.number}};
        (void)warp_->add(stamp, std::move(*message));
    }

    // --- events of the streams ---
    void take_events() {
        while (auto event = streams_.poll_event()) std::visit([&](const auto& one) { handle(one); }, *event);
    }
    void handle(const Admitted& admitted) {
        const auto greeting = value_of<Greeting>(admitted.greeting);
        if (!greeting) return;
        options_.warp.start = SessionInstant{Duration{greeting->start_us}};
        has_start_ = true;
        last_said_ = admitted.tick;
        final_from_ = std::max(final_from_, admitted.tick);
        seats_.clear();
        if (admitted.seat != kNoSeat) seats_[admitted.seat] = streams_.self();
        if (admitted.tick != 0) warp_.reset();
    }
    /// One of each member: there are at most as many as members.
    void handle(const StateAsked& asked) {
        counts_.dropped_asks += std::erase_if(asks_, [&](const auto& old) { return old.peer == asked.peer; });
        asks_.push_back(asked);
    }
    void handle(const StateArrived& arrived) {
        auto state = value_of<WholeState<Part>>(arrived.bytes);
        if (!state || !detail::accepts(first_, std::span<const Part>{state->parts})) {
            ++counts_.refused_states;
            return;
        }
        if (warp_) report_difference(arrived.tick, state->parts);
        take_lines();
        install(arrived.tick, state->parts);
        checkpoints_.forget_after(arrived.tick);
        if (arrived.tick % options_.streams.checkpoint == 0) keep_checkpoint(arrived.tick);
    }
    void handle(const DesyncReport& report) {
        if (desyncs_.size() >= kMostDesyncs) {
            ++counts_.dropped_desyncs;
            return;
        }
        desyncs_.push_back({report.peer, report.tick, {report.text.begin(), report.text.end()}});
    }
    void handle(const MemberEntered& entered) { seats_[entered.seat] = entered.peer; }
    void handle(const MemberLeft& left) { seats_.try_emplace(left.seat, left.peer); }
    template <class Other>
    void handle(const Other&) {}

    void install(Tick tick, const std::vector<Part>& state) {
        if (!warp_) warp_.emplace(first_, options_.warp);
        final_from_ = std::max(final_from_, warp_->horizon());
        warp_->install(tick, state);
        for (const StreamLine& line : lines_.recent()) {
            if (line.tick >= tick) add(line);
        }
    }
    void report_difference(Tick tick, const std::vector<Part>& theirs) {
        const auto* kept = checkpoints_.find(tick);
        if (kept == nullptr) return;
        const auto mine = value_of<WholeState<Part>>(*kept);
        for (PartNumber part = 0; mine && part < theirs.size(); ++part) {
            if (mine->parts[part] == theirs[part]) continue;
            const std::string text = Game::difference(part, mine->parts[part], theirs[part]);
            return streams_.report_desync(tick, {text.begin(), text.end()});
        }
    }

    // --- what becomes final ---
    void commit() {
        const Tick all = streams_.horizon();
        const Tick interval = options_.streams.checkpoint;
        for (Tick next = (warp_->horizon() / interval + 1) * interval; next <= all; next += interval) {
            warp_->commit(next);
            if (warp_->horizon() < next) break;
            keep_checkpoint(next);
        }
        warp_->commit(all);
        for (Recorded& recorded : warp_->take_final()) {
            if (recorded.tick >= final_from_) final_.push_back(std::move(recorded));
        }
        final_from_ = std::max(final_from_, warp_->horizon());
        lines_.finish(warp_->horizon());
        lines_.forget_before(checkpoints_.oldest());
    }
    void keep_checkpoint(Tick tick) {
        auto bytes = bytes_of(WholeState<Part>{warp_->state_at(tick)});
        if (!bytes) return;
        streams_.set_hash(tick, Fingerprint{}.add(*bytes).value());
        checkpoints_.keep(tick, std::move(*bytes));
    }
    void answer_asks() {
        std::erase_if(asks_, [&](const StateAsked& asked) {
            if (asked.exact) {
                if (const auto* kept = checkpoints_.find(asked.tick))
                    streams_.offer_state(asked.peer, asked.tick, *kept);
                return true;
            }
            if (warp_->horizon() < asked.tick) return false;
            if (auto bytes = bytes_of(WholeState<Part>{warp_->state_at(warp_->horizon())}))
                streams_.offer_state(asked.peer, warp_->horizon(), std::move(*bytes));
            return true;
        });
    }

    WarpMatchOptions options_;
    Game first_;  // the game at its beginning
    TickStreams streams_;
    std::optional<PartWarp<Game>> warp_;
    bool has_start_ = false;
    Tick tick_ = 0;
    Tick last_said_ = 0;
    detail::InputDelay delay_;
    detail::KeptLines lines_;
    std::map<PartNumber, PeerId> seats_;
    detail::Checkpoints checkpoints_;
    std::vector<StateAsked> asks_;
    std::vector<Recorded> final_;
    Tick final_from_ = 0;  // earlier outcomes were announced
    std::vector<Desync> desyncs_;
    WarpMatchCounts counts_;
};

}  // namespace fray
