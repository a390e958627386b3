#pragma once
// One player's peer in a game of Snagger for two. Sans-IO like every Game: runs in a Swarm and over UDP.
//
//     ships   each peer simulates its own and sees the other as its consistency algorithm shows it
//     net     each screen drags its own, by the two ships that it shows
//     aliens  the first peer's table says which are there; the player that sees one in the loop asks for it

#include <fray/game.hpp>

#include "games/feel/feel_meter.hpp"
#include "games/snagger/match/choice.hpp"
#include "games/snagger/match/table.hpp"
#include "games/snagger/rules/game.hpp"
#include "games/snagger/rules/input.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace fray::snagger {

struct SnagOptions {
    std::size_t ship = 0;  ///< 0 begins the game, 1 joins it
    Seed seed{1};          ///< of the aliens; that of ship 0 counts
    Choice choice{};       ///< likewise
};

/// Id, world and algorithm of this player's peer.
[[nodiscard]] PeerOptions peer_options(const SnagOptions& options);

/// From one player's game to the other's: a choice that both follow, and a line for the screen.
struct Notice {
    static constexpr std::size_t kMostBytes = 120;
    bool has_choice = false;
    Choice choice{};
    std::string text{};
};
template <class Stream>
void serialize(Stream& stream, Notice& notice) {
    stream.boolean(notice.has_choice);
    if (notice.has_choice) stream.object(notice.choice);
    stream.text(notice.text, Notice::kMostBytes);
}

class SnagGame final : public fray::Game {
public:
    /// The keys held in the coming tick, given what the screen shows.
    using Keys = std::function<Input(const snagger::Game&)>;
    SnagGame(const SnagOptions& options, Keys keys);

    void started(Commands& peer) override;
    void frame(Commands& peer) override;
    void event(Commands& peer, const Event& event) override;

    /// What this player's screen shows. A ship without a player stands at its start.
    [[nodiscard]] const snagger::Game& screen() const { return screen_; }
    [[nodiscard]] std::size_t ship() const { return options_.ship; }
    [[nodiscard]] bool has_partner() const { return has_partner_; }
    /// Whether the other player was there and is gone.
    [[nodiscard]] bool is_abandoned() const { return had_partner_ && !has_partner_; }
    [[nodiscard]] const games::Feel& feel() const { return feel_.feel(); }
    [[nodiscard]] Duration rtt() const { return rtt_; }
    [[nodiscard]] const Choice& choice() const { return choice_; }
    [[nodiscard]] const std::optional<Refused>& refused() const { return refused_; }

    /// Changes the algorithm of both ships with the next frame, and tells the other player.
    void choose(const Choice& choice) { wanted_ = choice; }
    /// Tells the other player, with the next frame.
    void announce(std::string text) { to_announce_ = std::move(text); }
    /// The newest line of either player, and when it was said (the tick of the screen).
    [[nodiscard]] const std::string& notice() const { return notice_; }
    [[nodiscard]] std::uint32_t noticed_at() const { return noticed_at_; }

    /// An alien was caught on this screen: where, and in which of its ticks.
    struct Catch {
        Vec3 place;
        std::uint32_t tick = 0;
    };
    [[nodiscard]] const std::vector<Catch>& catches() const { return catches_; }

private:
    void fly(Commands& peer);
    void show(Commands& peer);
    void show_ships(Commands& peer);
    void snag(Commands& peer);
    void take(Commands& peer, std::uint32_t number);
    void note_catches(const Table& before);
    void adopt(const Choice& choice);
    void follow_choice(Commands& peer);
    static void tell(Commands& peer, const Audience& audience, const Notice& notice);
    void hear(const std::string& text);
    void publish_table(Commands& peer);
    void handle(Commands& peer, const Asked& asked);
    void handle(Commands& peer, const PeerJoined& joined);
    void handle(Commands& peer, const Message& message);
    void handle(Commands&, const PeerLeft&) { has_partner_ = false; }
    void handle(Commands&, const Answered& answered) { open_.erase(answered.request); }
    void handle(Commands&, const Refused& refused) { refused_ = refused; }
    template <class Other>
    void handle(Commands&, const Other&) {}

    SnagOptions options_;
    Keys keys_;
    Choice choice_;
    std::optional<Choice> wanted_;
    bool has_new_choice_ = false;
    std::string to_announce_;
    InputBuckets buckets_;
    bool sends_inputs_ = false;
    EntityId ship_id_{};
    std::optional<EntityId> table_id_;
    Ship own_;
    bool was_snagging_ = false;
    Table table_;
    AlienView aliens_;
    snagger::Game screen_;
    games::FeelMeter feel_;
    Duration rtt_{};
    std::set<RequestId> open_;
    std::vector<Catch> catches_;
    std::string notice_;
    std::uint32_t noticed_at_ = 0;
    bool has_partner_ = false, had_partner_ = false;
    std::optional<Refused> refused_;
};

}  // namespace fray::snagger
