#pragma once
// What parts may ask about links: which are up, and with which peers; and which peers are known without a
// link.
//
// A peer that is known through others only is an acquaintance. It has a number, too, under which parts keep
// what they know of it. When a link with it comes up, or goes down while it stays known, its number changes,
// and Part::handle_moved() tells every part.

#include <fray/ids.hpp>
#include <fray/stats.hpp>
#include <fray/time.hpp>

#include "core/per_link.hpp"

#include <optional>
#include <span>
#include <vector>

namespace fray {

class LinkDirectory {
public:
    /// Numbers of links that are up, in the order of their peers' ids.
    [[nodiscard]] std::span<const LinkNumber> up_links() const { return up_; }
    [[nodiscard]] bool is_up(LinkNumber link) const { return link < peers_.size() && peers_[link].up; }
    /// The link with this peer, if it is up.
    [[nodiscard]] std::optional<LinkNumber> up(const PeerId& peer) const { return find(up_, peer); }
    /// The peer at the other end, or the acquaintance with this number.
    [[nodiscard]] const PeerId& peer(LinkNumber number) const {
        return is_acquaintance(number) ? acquaintances_[number - kFirstAcquaintance] : peers_[number].id;
    }

    /// Numbers of all known peers, linked and acquainted, in the order of their ids.
    [[nodiscard]] std::span<const LinkNumber> known() const { return known_; }
    /// The number of a known peer: that of its link if it is up.
    [[nodiscard]] std::optional<LinkNumber> number_of(const PeerId& peer) const { return find(known_, peer); }
    [[nodiscard]] bool is_known(LinkNumber number) const {
        return is_acquaintance(number) ? peer(number) != PeerId{} : is_up(number);
    }

    /// Both sides have proved their address.
    [[nodiscard]] virtual bool is_proven(LinkNumber link) const = 0;
    [[nodiscard]] virtual LinkStats stats(LinkNumber link) const = 0;
    /// Time without an acknowledgement after which a datagram counts as lost.
    [[nodiscard]] virtual Duration patience(LinkNumber link) const = 0;

protected:
    ~LinkDirectory() = default;
    void add(LinkNumber link, const PeerId& peer);
    void remove(LinkNumber link);
    void remove_all();
    /// The number of a new acquaintance; kNoLink if there are too many. If a link with it is up, the link is
    /// about to be dropped.
    LinkNumber add_acquaintance(const PeerId& peer);
    void remove_acquaintance(LinkNumber number);
    /// The number that this peer has, or had until its link came up, as an acquaintance.
    [[nodiscard]] std::optional<LinkNumber> acquaintance(const PeerId& peer) const;
    [[nodiscard]] std::size_t directory_bytes() const {
        return peers_.capacity() * sizeof(Entry) + acquaintances_.capacity() * sizeof(PeerId) +
               (up_.capacity() + known_.capacity() + unused_.capacity()) * sizeof(LinkNumber);
    }

private:
    struct Entry {
        PeerId id;
        bool up = false;
    };
    using Numbers = std::vector<LinkNumber>;
    [[nodiscard]] Numbers::const_iterator place(const Numbers& numbers, const PeerId& peer) const;
    [[nodiscard]] std::optional<LinkNumber> find(const Numbers& numbers, const PeerId& peer) const;
    /// From now on, the known peer has this number.
    void set_known(LinkNumber number, const PeerId& peer);

    std::vector<Entry> peers_;  // by link number
    Numbers up_;
    Numbers known_;
    std::vector<PeerId> acquaintances_;  // by number; zero: unused
    Numbers unused_;                     // numbers of former acquaintances
};

}  // namespace fray
