#include "core/link_directory.hpp"

#include <algorithm>

namespace fray {

std::optional<LinkNumber> LinkDirectory::up(const PeerId& peer) const {
    const auto place = std::ranges::lower_bound(up_, peer, {}, [this](LinkNumber n) { return peers_[n].id; });
    if (place == up_.end() || peers_[*place].id != peer) return std::nullopt;
    return *place;
}

void LinkDirectory::add(LinkNumber link, const PeerId& peer) {
    if (link >= peers_.size()) peers_.resize(link + std::size_t{1});
    peers_[link] = {peer, true};
    const auto place = std::ranges::lower_bound(up_, peer, {}, [this](LinkNumber n) { return peers_[n].id; });
    up_.insert(place, link);
}

void LinkDirectory::remove(LinkNumber link) {
    std::erase(up_, link);
    if (link < peers_.size()) peers_[link] = {};
}

void LinkDirectory::remove_all() {
    peers_.clear();
    up_.clear();
}

}  // namespace fray
