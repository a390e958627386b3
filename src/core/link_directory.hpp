#pragma once
// What parts may ask about links: which are up, and with which peers.

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
    [[nodiscard]] std::optional<LinkNumber> up(const PeerId& peer) const;
    /// The peer at the other end.
    [[nodiscard]] const PeerId& peer(LinkNumber link) const { return peers_[link].id; }

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
    [[nodiscard]] std::size_t directory_bytes() const {
        return peers_.capacity() * sizeof(Entry) + up_.capacity() * sizeof(LinkNumber);
    }

private:
    struct Entry {
        PeerId id;
        bool up = false;
    };
    std::vector<Entry> peers_;  // by link number
    std::vector<LinkNumber> up_;
};

}  // namespace fray
