#pragma once
// Which hello may create or complete a link: versions and options must agree, there must be room, ids are not
// used twice, and callers whose address may be forged hold few links and no place.

#include <fray/event.hpp>
#include <fray/options.hpp>
#include <fray/random.hpp>

#include "core/per_link.hpp"
#include "link/greeting.hpp"
#include "link/hello.hpp"
#include "link/id_contests.hpp"
#include "link/joining.hpp"
#include "link/link_table.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace fray {

/// A received hello.
struct Question {
    Instant now;
    Address from;
    Token echo{};
    Hello hello;
    std::size_t bytes = 0;   ///< of the datagram
    std::size_t room = 0;    ///< how many further peers the overlay accepts
    bool is_proven = false;  ///< echoes a token of ours, so its sender receives at `from`
};

class Admission {
public:
    /// What the handshake owns.
    struct Around {
        const LinkTable& links;
        const PerLink<Greeting>& greetings;
        const Joining& joining;
        Outbound& out;
        RejectionCounts& rejections;
    };
    Admission(const Around& around, const PeerOptions& options, PeerId self, Seed seed);

    [[nodiscard]] std::uint64_t world_print() const { return world_print_; }
    [[nodiscard]] std::uint32_t overlay_print() const { return overlay_print_; }

    struct Verdict {
        enum class What : std::uint8_t { accept, refuse, ask_proof, ignore };
        What what = What::accept;
        Reason reason{};
    };
    [[nodiscard]] Verdict judge(const Question& question);
    /// The link of a caller that has proved nothing: it holds no place.
    [[nodiscard]] bool is_stranger(LinkNumber link) const;
    /// Whether the other side of a pending link, which proves its address now, still finds a place.
    [[nodiscard]] bool has_place(LinkNumber link, std::size_t room) const;
    /// Whether a contact that others introduced may be called: limits per address and in all.
    [[nodiscard]] bool may_call(const Address& address) const;
    /// The pending link that this call belongs to, or nullptr.
    [[nodiscard]] Link* pending_with(const Address& from, const Hello& hello) const;
    /// Other members, for a newcomer.
    [[nodiscard]] OtherPeers some_others(const Address& asker);
    void forget_link(LinkNumber link) { contests_.forget_link(link); }
    [[nodiscard]] std::size_t heap_bytes() const { return contests_.heap_bytes(); }

private:
    using What = Verdict::What;
    [[nodiscard]] Verdict refuse(Rejection why, Reason reason);
    [[nodiscard]] std::optional<Verdict> compare(const Question& question);
    [[nodiscard]] std::optional<Verdict> judge_id(const Question& question);
    [[nodiscard]] std::optional<Verdict> judge_room(const Question& question);
    [[nodiscard]] bool is_joining_over(LinkNumber link) const {
        return link != kNoLink && around_.joining.link() == link;
    }
    [[nodiscard]] std::size_t strangers() const;
    /// Pending links that hold a place.
    [[nodiscard]] std::size_t places() const;
    /// Whether the link holds its place already. A contact that we called takes it when it answers.
    [[nodiscard]] bool holds_place(const Link& link) const;
    [[nodiscard]] bool is_busy(const Hello& hello) const;

    Around around_;
    const LinkOptions& options_;
    PeerId self_;
    std::uint64_t world_print_;
    std::uint32_t overlay_print_;
    RandomStream choice_;
    IdContests contests_;
};

}  // namespace fray
