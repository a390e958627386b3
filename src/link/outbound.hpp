#pragma once
// Outbound holds the unsent messages of each link, shares the upload among the links, and writes the next
// datagram that may leave. It does not know what messages mean.
//
// Links wait in three queues. Links with a prompt message (an agreement, which another player waits for) go
// first. Urgent links have another message, a hello or an acknowledgement to send; scheduled links have
// updates of this frame. The most important updates leave before urgent links, if the policy says so; with
// the others these take turns, so that neither starves. All but prompt messages leave evenly in the course of
// the frame: then bytes of the upload come free evenly, too, and a prompt message never waits for long. A
// datagram carries, as far as it fits: what DatagramWriters write, unreliable messages, reliable messages.
// Strangers wait in a queue of their own: one of them may get a datagram after each datagram of a link,
// within their share.

#include <fray/ledger.hpp>
#include <fray/options.hpp>
#include <fray/peer.hpp>
#include <fray/stats.hpp>

#include "core/outbox.hpp"
#include "core/per_link.hpp"
#include "link/budget.hpp"
#include "link/hello.hpp"
#include "link/link_table.hpp"
#include "link/loose_queue.hpp"
#include "link/stranger_queue.hpp"
#include "link/upload_pace.hpp"

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace fray {

/// Writes the hellos of the handshake.
class HelloSource {
public:
    [[nodiscard]] virtual bool hello_due(LinkNumber link) const = 0;
    /// Returns whether messages may follow in the same datagram.
    virtual bool write_hello(Instant now, const Link& link, DatagramBuilder& datagram) = 0;
    virtual void handle_hello_sent(Instant now, LinkNumber link) = 0;

protected:
    ~HelloSource() = default;
};

class Outbound final : public Outbox {
public:
    Outbound(LinkTable& links, const LinkOptions& options, RejectionCounts& rejections);
    void set_hellos(HelloSource& hellos) { hellos_ = &hellos; }
    /// Writers fill each datagram in the order in which they were added. The last one writes scheduled
    /// updates; the others are urgent.
    /// A rider adds its messages to datagrams that leave anyway, after all other messages; it is not asked
    /// whether it has any.
    enum class Turn : std::uint8_t { own, rides };
    void add_writer(DatagramWriter& writer, Purpose purpose, Turn turn = Turn::own) {
        (turn == Turn::own ? asked_.writers : asked_.riders).push_back({&writer, purpose});
    }

    // --- messages in ---
    bool send_bits(LinkNumber link, MessageKind kind, std::span<const std::uint8_t> bytes, std::size_t bits,
                   const Sending& how) override;
    [[nodiscard]] bool has_room(LinkNumber link, std::size_t bytes) const override {
        if (links_.at(link)->channel.out.has_room(bytes)) return true;
        return bytes <= kMaxFragments * kFragmentBytes && links_.at(link)->overloaded;
    }
    void give_up(LinkNumber link) override { links_.at(link)->overloaded = true; }
    void wake(LinkNumber link) override;
    /// As wake(), but before all other links: for a link that is forming. Updates keep a share of the upload.
    void wake_first(LinkNumber link);
    /// As wake(), but before all other messages, and with the bytes that these leave.
    void wake_prompt(LinkNumber link);
    /// Sends a datagram soon, even an empty one: the other side needs a sign of life or an acknowledgement. A
    /// probe asks the other side for an acknowledgement.
    void wake_empty(LinkNumber link, bool probe = false);
    [[nodiscard]] std::size_t largest_datagram() const override { return budget_.largest_datagram(); }
    /// Hellos and replies for callers that have proved nothing.
    [[nodiscard]] StrangerQueue& strangers() { return strangers_; }
    /// Queues a goodbye for a link that is about to be dropped.
    void say_farewell(const Link& link) {
        farewells_.push_back({link.ends, link.arrivals, link.window.next_sequence()});
    }
    void forget(LinkNumber link);
    /// All links are gone.
    void clear();

    // --- once per frame ---
    /// upload_kbps: the limit from now on; 0: none. A peer that counts its upload by rounds keeps its limit.
    void begin_frame(Instant now, std::uint32_t frame, Duration tick, std::uint32_t upload_kbps);
    /// A link that must be dropped, because its reliable messages are not acknowledged; kNoLink if there is
    /// none.
    [[nodiscard]] LinkNumber find_overloaded() const;
    /// Scheduled links whose updates have not left yet, in their order.
    [[nodiscard]] std::span<const LinkNumber> left_over() const {
        return std::span{scheduled_}.subspan(next_scheduled_);
    }
    /// These links have updates, most important first. So many of them go before the urgent links.
    void schedule(std::span<const LinkNumber> links, std::size_t before_others = 0);
    struct Waits {
        Duration ack;         ///< of an acknowledgement, for a datagram that leaves anyway
        Duration update_ack;  ///< the same if it acknowledges nothing but updates
        Duration keep_alive;  ///< of an idle link
        /// By how much longer an acknowledgement is waited for, because the other side delays it likewise.
        Duration resend{};
        /// As update_ack, of a link to which the overlay lets datagrams leave seldom.
        std::function<std::optional<Duration>(LinkNumber)> update_ack_of{};
    };
    /// Wakes links that owe an acknowledgement, were silent for too long or have something to retransmit.
    void wake_due(Instant now, const Waits& waits, const std::function<bool(LinkNumber)>& keep_alive);
    /// Links whose message did not fit the last frame go first, and hellos before them.
    void end_frame();
    struct UpdateBytes {
        std::size_t available = 0;  ///< of this frame's upload that updates may use
        std::size_t taken = 0;  ///< of the last frame's datagrams with updates, whatever else they carried
    };
    [[nodiscard]] UpdateBytes bytes_for_updates(Instant now, Duration frame);
    /// Bytes of a frame without credit or debt from earlier frames.
    [[nodiscard]] std::size_t usual_bytes(Duration frame) const { return budget_.usual_bytes(frame); }

    // --- datagrams out ---
    [[nodiscard]] std::optional<Datagram> poll(Instant now, std::span<std::uint8_t> buffer) {
        pace_.poll(now);
        if (until_.blocked > now && until_.blocked != kNever) return std::nullopt;
        until_.blocked = until_.paced = kNever;
        const bool is_idle = prompt_.empty() && urgent_.empty() && left_over().empty() &&
                             strangers_.empty() && farewells_.empty();
        if (is_idle) return std::nullopt;  // mostly: polled after every datagram that arrives
        return poll_queued(now, buffer);
    }
    /// When the next datagram may leave; kNever if nothing holds one back.
    [[nodiscard]] Instant blocked_until() const { return std::min(until_.blocked, until_.paced); }
    void handle_time(Instant now) {
        if (until_.blocked <= now) until_.blocked = kNever;
        if (until_.paced <= now) until_.paced = kNever;
    }

    [[nodiscard]] const ByteLedger& ledger() const { return ledger_; }
    [[nodiscard]] std::size_t memory_bytes() const;

private:
    /// What one link has to send.
    struct Waiting {
        LooseQueue loose;
        bool prompt = false;      // listed in prompt_
        bool urgent = false;      // listed in urgent_ or skipped_
        bool scheduled = false;   // listed in scheduled_
        bool even_empty = false;  // send a datagram even without messages
        bool probe = false;       // ask for an acknowledgement
        bool forming = false;     // goes before the other urgent links
        bool writer_due = false;  // an urgent DatagramWriter may have messages: it called wake()
    };
    /// What a goodbye needs of a link that is gone when it leaves.
    struct Farewell {
        LinkEnds ends;
        ReceiveWindow arrivals;
        std::uint16_t sequence = 0;
    };
    struct Writer {
        DatagramWriter* part = nullptr;
        Purpose purpose{};
    };
    struct Asked {
        std::vector<Writer> writers;
        std::vector<Writer> riders;
    };

    [[nodiscard]] bool has_urgent_messages(const Link& link, const Waiting& waiting) const;
    [[nodiscard]] LinkNumber next_link(Instant now);
    [[nodiscard]] LinkNumber next_urgent();
    [[nodiscard]] LinkNumber next_scheduled();
    void end_turn(LinkNumber link);
    [[nodiscard]] std::optional<Datagram> poll_prompt(Instant now, std::span<std::uint8_t> buffer);
    [[nodiscard]] bool spend(Instant now, std::size_t bytes);
    [[nodiscard]] std::optional<Datagram> poll_queued(Instant now, std::span<std::uint8_t> buffer);
    [[nodiscard]] std::optional<Datagram> poll_farewell(Instant now, std::span<std::uint8_t> buffer);
    [[nodiscard]] std::optional<Datagram> poll_stranger(Instant now, std::span<std::uint8_t> buffer);
    [[nodiscard]] std::optional<Datagram> write_datagram(Instant now, Link& link,
                                                         std::span<std::uint8_t> buffer);
    [[nodiscard]] std::optional<Datagram> finish(Instant now, const LinkEnds& ends, bool hello_due,
                                                 DatagramBuilder& datagram);

    LinkTable& links_;
    LinkOptions options_;  // keep_alive is as stated last
    RejectionCounts& rejections_;
    HelloSource* hellos_ = nullptr;
    Asked asked_;
    UploadBudget budget_;
    UploadPace pace_;
    ByteLedger ledger_;
    PerLink<Waiting> waiting_;
    std::vector<LinkNumber> prompt_;
    std::vector<LinkNumber> urgent_;
    std::vector<LinkNumber> skipped_;  // urgent links whose message does not fit this frame
    std::vector<LinkNumber> scheduled_;
    std::size_t next_scheduled_ = 0;
    struct Turns {
        std::size_t before_others = 0;  // scheduled links that go before urgent ones
        bool scheduled = false;
        bool stranger = false;     // a datagram of a link has left since the last one to a stranger
        bool prompt = false;       // the datagram that is written is for a prompt message
        unsigned forming_run = 0;  // datagrams of forming links since the last turn of the scheduled ones
    };
    Turns turns_;
    std::uint32_t frame_ = 0;
    struct Until {
        Instant blocked = kNever;  // by the budget
        Instant paced = kNever;    // the updates that are left
    };
    Until until_;
    StrangerQueue strangers_;
    std::vector<Farewell> farewells_;
    std::vector<std::uint8_t> reliable_;  // scratch: a message with its kind
};

}  // namespace fray
