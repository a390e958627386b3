#pragma once
// A pending join: the known addresses of members, the address being called, and how long none of them has
// answered. The library retries: it calls a silent peer again and tries other addresses, and reports to the
// game only if waiting cannot help.

#include <fray/event.hpp>
#include <fray/ids.hpp>
#include <fray/time.hpp>

#include "core/per_link.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace fray {

class Joining {
public:
    /// `patience`: how long all known addresses may stay silent.
    explicit Joining(Duration patience) : patience_{patience} {}

    /// The game names an address. A former join is forgotten.
    void begin(Instant now, const Address& address);
    /// This peer had joined and is alone again: the known addresses are tried again; a single one only after
    /// `pause`, because its peer may reconnect by itself.
    void begin_again(Instant now, Duration pause);
    /// Ends the join, successful or not.
    void end();
    /// Adds addresses of peers that may accept us as well.
    void learn(std::span<const Address> addresses);

    [[nodiscard]] bool is_wanted() const { return since_.has_value(); }
    /// Has not joined yet since the game asked for it.
    [[nodiscard]] bool is_new() const { return since_ && !again_; }
    [[nodiscard]] bool is_again() const { return since_ && again_; }
    /// The address that the game named.
    [[nodiscard]] const Address& named() const { return known_.front().address; }
    /// The link over which this peer joins; kNoLink if no address is being called.
    [[nodiscard]] LinkNumber link() const { return link_; }
    /// The address to call now, if any.
    [[nodiscard]] std::optional<Address> next_call(Instant now) const;
    void called(Instant now, LinkNumber link);
    /// The address being called is silent, and another one is known.
    [[nodiscard]] bool should_move_on(Instant now) const;
    /// No other address is known: the call goes on until the join is hopeless. A peer with many links and
    /// little upload may need seconds to answer, and its answer is lost if the call is given up before.
    [[nodiscard]] bool keeps_calling(LinkNumber link) const {
        return since_ && link_ == link && known_.size() == 1;
    }

    /// The call failed. Returns the reason to report to the game if no retry can help.
    [[nodiscard]] std::optional<Reason> fail(Instant now, Reason reason);
    /// No known address answered for too long.
    [[nodiscard]] bool is_hopeless(Instant now) const { return since_ && now - *since_ > patience_; }

    // --- session time ---
    void note_hello_sent(Instant now, std::uint8_t attempt) { hello_sent_[attempt % kHelloTimes] = now; }
    /// When the hello of this attempt left; nothing if that is no longer recorded.
    [[nodiscard]] std::optional<Instant> hello_sent(std::uint8_t attempt, std::uint8_t next_attempt) const;
    /// True once per call: session time is taken from the first answer.
    [[nodiscard]] bool take_time();

private:
    static constexpr std::size_t kHelloTimes = 16;

    Duration patience_;
    struct Known {
        Address address;
        bool is_useless = false;  // refused us as full, or is no member of this session
    };
    void move_on();

    std::vector<Known> known_;  // the first one was named by the game
    std::size_t current_ = 0;   // index of the address being called, or to be called next
    LinkNumber link_ = kNoLink;
    std::optional<Instant> since_;  // nothing: no join is pending
    Instant called_at_{};
    Instant call_again_at_{};
    unsigned failures_ = 0;                          // since the join began; the back-off grows with it
    std::array<Instant, kHelloTimes> hello_sent_{};  // by attempt modulo the size
    bool again_ = false;                             // this peer had joined before
    bool timed_ = false;                             // session time was taken from the answer
};

}  // namespace fray
