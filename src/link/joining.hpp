#pragma once
// The wish to join a session: which addresses of members are known, which one is being called, and since when
// none of them answered. Joining is the library's job: a peer that does not answer is called again, others
// are tried in its place, and the game hears of it only when waiting does not help.

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
    /// `patience`: for how long no known address may answer.
    explicit Joining(Duration patience) : patience_{patience} {}

    /// The game names an address: whatever was wished before is forgotten.
    void begin(Instant now, const Address& address);
    /// We were in, and are alone again: the known addresses are tried anew. Where only one is known, after
    /// `pause`: its peer may come back by itself.
    void begin_again(Instant now, Duration pause);
    /// The wish is over, fulfilled or not.
    void end();
    /// Peers at these addresses may let us in, too.
    void learn(std::span<const Address> addresses);

    [[nodiscard]] bool is_wanted() const { return since_.has_value(); }
    /// Not in yet, and never was since the game asked.
    [[nodiscard]] bool is_new() const { return since_ && !again_; }
    [[nodiscard]] bool is_again() const { return since_ && again_; }
    /// The address that the game named.
    [[nodiscard]] const Address& named() const { return known_.front().address; }
    /// The link over which we join; kNoLink where no address is being called.
    [[nodiscard]] LinkNumber link() const { return link_; }
    /// An address is to be called now.
    [[nodiscard]] std::optional<Address> next_call(Instant now) const;
    void called(Instant now, LinkNumber link);
    /// The address being called is silent, and there is another one to try.
    [[nodiscard]] bool should_move_on(Instant now) const;

    /// The call did not succeed. What to tell the game, where trying on is of no use.
    [[nodiscard]] std::optional<Reason> fail(Instant now, Reason reason);
    /// No known address answered for too long.
    [[nodiscard]] bool is_hopeless(Instant now) const { return since_ && now - *since_ > patience_; }

    // --- session time ---
    void note_hello_sent(Instant now, std::uint8_t attempt) { hello_sent_[attempt % kHelloTimes] = now; }
    /// When the hello of this attempt left; nothing where that is too long ago.
    [[nodiscard]] std::optional<Instant> hello_sent(std::uint8_t attempt, std::uint8_t next_attempt) const;
    /// True once per call: session time is taken from the first answer.
    [[nodiscard]] bool take_time();

private:
    static constexpr std::size_t kHelloTimes = 16;

    Duration patience_;
    struct Known {
        Address address;
        bool is_full = false;
    };
    void move_on();

    std::vector<Known> known_;  // the first one was named by the game
    std::size_t current_ = 0;   // place of the address being called, or to be called next
    LinkNumber link_ = kNoLink;
    std::optional<Instant> since_;  // nothing: no wish
    Instant called_at_{};
    Instant call_again_at_{};
    unsigned failures_ = 0;  // since the wish began: the more, the longer the back-off
    std::array<Instant, kHelloTimes> hello_sent_{};  // by attempt, the latest ones
    bool again_ = false;                             // we were in before
    bool timed_ = false;                             // session time was taken from the answer
};

}  // namespace fray
