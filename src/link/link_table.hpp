#pragma once
// All links of a peer: those that are up, and those whose handshake is not finished ("pending").

#include "core/link_directory.hpp"
#include "link/link.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace fray {

class LinkTable final : public LinkDirectory {
public:
    /// Creates a pending link with an unused number; nullptr if `most` exist already.
    Link* create(LinkEnds ends, Instant now, std::size_t most);
    void destroy(LinkNumber number);
    [[nodiscard]] Link* at(std::uint64_t number) const {
        return number < links_.size() ? links_[static_cast<std::size_t>(number)].get() : nullptr;
    }
    /// The link with this peer that is up, or nullptr.
    [[nodiscard]] Link* up_with(const PeerId& peer) const {
        const auto number = up(peer);
        return number ? links_[*number].get() : nullptr;
    }
    /// Links, up or pending.
    [[nodiscard]] std::size_t size() const { return links_.size() - free_.size(); }
    /// Numbers of pending links, oldest first.
    [[nodiscard]] std::span<const LinkNumber> pending() const { return pending_; }
    /// The handshake is finished.
    void set_up(LinkNumber number);
    void clear();
    using LinkDirectory::acquaintance;
    using LinkDirectory::add_acquaintance;
    using LinkDirectory::remove_acquaintance;

    [[nodiscard]] bool is_proven(LinkNumber link) const override { return links_[link]->open(); }
    [[nodiscard]] LinkStats stats(LinkNumber link) const override { return links_[link]->stats(); }
    [[nodiscard]] Duration patience(LinkNumber link) const override {
        return links_[link]->window.rtt().patience();
    }
    [[nodiscard]] std::size_t memory_bytes() const;

private:
    std::vector<std::unique_ptr<Link>> links_;  // by number
    std::vector<LinkNumber> free_;
    std::vector<LinkNumber> pending_;
};

}  // namespace fray
