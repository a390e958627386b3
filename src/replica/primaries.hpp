#pragma once
// Our own entities, and per link: which state arrived, which are on their way, and which are chosen for the
// next datagram.

#include <fray/result.hpp>
#include <fray/state.hpp>

#include "core/candidate.hpp"
#include "core/part.hpp"
#include "core/sighting.hpp"
#include "replica/baseline_tracker.hpp"
#include "replica/primary.hpp"
#include "wire/part_context.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace fray {

class Primaries final : public Part, public DatagramWriter, public OwnEntities, public CarriedStates {
public:
    /// `relayed`: other peers forward our states, which must not be too old for that.
    Primaries(const PartContext& context, bool relayed) : context_{context}, relayed_{relayed} {}

    // --- the game's entities, ordered by number ---
    /// Adds an entity, under this number if there is one. Returns its number, or why the state is refused.
    [[nodiscard]] Result<std::uint32_t> publish(Instant now, const State& state,
                                                std::optional<std::uint32_t> number = {});
    Result<void> update(Instant now, const EntityId& id, const State& state);
    Result<void> withdraw(const EntityId& id);
    [[nodiscard]] std::size_t size() const { return primaries_.size(); }
    [[nodiscard]] const Primary& operator[](std::size_t i) const { return primaries_[i]; }
    /// Its index.
    [[nodiscard]] std::optional<std::size_t> find(const EntityId& id) const;
    [[nodiscard]] const State* own_state(std::uint32_t number) const override;
    [[nodiscard]] SessionInstant own_set_at(std::uint32_t number) const override;
    [[nodiscard]] std::optional<State> own_state_at(std::uint32_t number,
                                                    SessionInstant moment) const override;

    // --- once per frame ---
    void begin_frame(Frame frame) { frame_ = frame; }
    /// What the game set since the last frame becomes the state of this one. False if it set nothing.
    bool commit(std::size_t i) { return primaries_[i].commit(frame_, context_.codec); }
    /// Lists entities that have a committed state, with the approximate size of an update.
    void list_news(std::vector<News>& news) const;
    enum class Need : std::uint8_t {
        none,    ///< the link holds the newest state, or it is on its way
        update,  ///< it holds an older one
        first,   ///< it holds none
    };
    /// What the link needs of the i-th entity.
    [[nodiscard]] Need need(Instant now, LinkNumber link, std::size_t i) const;
    /// Some state of the i-th entity was acknowledged, or sent reliably, over this link.
    [[nodiscard]] bool is_told(LinkNumber link, std::size_t i) const;
    /// The i-th entity goes into the link's next datagram.
    void choose(Instant now, LinkNumber link, std::size_t i);
    /// Likewise, besides what the frame has chosen.
    void choose_also(Instant now, LinkNumber link, std::size_t i);
    /// The i-th entity was not chosen: it goes along if a datagram leaves to this link for another reason.
    /// One of each link: the first that is offered.
    void offer(LinkNumber link, std::size_t i);
    /// Forgets what was chosen and offered.
    void clear_choices();
    /// Entities that were offered and went along, since this was asked last.
    struct Rider {
        LinkNumber link = 0;
        std::uint16_t primary = 0;
    };
    void take_riders(std::vector<Rider>& riders) {
        riders.clear();
        riders.swap(riders_);
    }
    /// The first entity that was chosen for this link and not sent yet.
    [[nodiscard]] std::optional<std::uint16_t> first_choice(LinkNumber link) const;

    [[nodiscard]] std::uint64_t updates_sent() const { return updates_sent_; }
    /// States from the game whose pose the world does not hold.
    [[nodiscard]] std::uint64_t poses_clamped() const { return poses_clamped_; }

    // --- life-cycle ---
    void handle_link_up(Instant now, const LinkUp& link) override;
    void handle_clock_set(Instant now) override;
    void forget_link(LinkNumber link) override { held_.erase(link); }
    void reset() override { held_.clear(); }
    [[nodiscard]] std::size_t memory_bytes() const override;

    // --- datagrams out ---
    [[nodiscard]] bool has_messages(LinkNumber link) const override {
        const Held* held = held_.find(link);
        return held != nullptr && !held->outbox.empty();
    }
    void write_messages(Instant now, LinkNumber link, std::uint16_t sequence, BitWriter& out) override;
    [[nodiscard]] bool handle_sent(Instant now, LinkNumber link) override;
    void handle_delivered(LinkNumber link, std::uint32_t frame, std::uint16_t sequence,
                          unsigned age) override;
    [[nodiscard]] std::size_t carried() const override { return carried_.size(); }
    [[nodiscard]] HeardState carried_at(std::size_t i) const override;
    [[nodiscard]] std::optional<std::uint32_t> first_number() const override {
        return primaries_.empty() ? std::nullopt : std::optional{primaries_.front().number()};
    }

private:
    /// What the peer at the other end of a link holds of our entities.
    struct Held {
        BaselineTracker baselines;
        std::vector<std::uint16_t> outbox;       // entities to write into the next datagram
        std::optional<std::uint32_t> also{};     // one more, by its number, until a datagram leaves
        std::optional<std::uint32_t> offered{};  // likewise, in this frame and in one that leaves anyway
    };
    /// Why the state is refused. Counts a pose that is taken but clamped.
    [[nodiscard]] Result<void> check(const State& state);
    [[nodiscard]] const Primary* find_number(std::uint32_t number) const;
    void refresh_stamp(Instant now, Primary& primary);
    /// Appends the newest state, against the one that the track says has arrived. False if it does not fit.
    bool write_update(Primary& primary, const BaselineTracker::Track* track, std::uint16_t sequence,
                      BitWriter& out);
    void send_in_pieces(Instant now, LinkNumber link, Primary& primary);

    const PartContext& context_;
    bool relayed_;
    Frame frame_ = 0;
    std::vector<Primary> primaries_;  // ordered by number
    std::uint32_t next_number_ = 0;
    PerLink<Held> held_;
    std::vector<std::uint16_t> carried_;  // indices of the entities in the datagram being written
    std::vector<Rider> riders_;
    std::vector<std::uint8_t> canonical_;  // scratch of check()
    std::uint64_t updates_sent_ = 0;
    std::uint64_t poses_clamped_ = 0;
};

}  // namespace fray
