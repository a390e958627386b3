#include "core/link_directory.hpp"

#include <algorithm>

namespace fray {

LinkDirectory::Numbers::const_iterator LinkDirectory::place(const Numbers& numbers,
                                                            const PeerId& peer) const {
    return std::ranges::lower_bound(numbers, peer, {}, [this](LinkNumber n) { return this->peer(n); });
}

std::optional<LinkNumber> LinkDirectory::find(const Numbers& numbers, const PeerId& peer) const {
    const auto at = place(numbers, peer);
    if (at == numbers.end() || this->peer(*at) != peer) return std::nullopt;
    return *at;
}

void LinkDirectory::set_known(LinkNumber number, const PeerId& peer) {
    const auto at = known_.begin() + (place(known_, peer) - known_.cbegin());
    if (at != known_.end() && this->peer(*at) == peer)
        *at = number;
    else
        known_.insert(at, number);
}

void LinkDirectory::add(LinkNumber link, const PeerId& peer) {
    if (link >= peers_.size()) peers_.resize(link + std::size_t{1});
    peers_[link] = {peer, true};
    up_.insert(place(up_, peer), link);
    set_known(link, peer);
}

void LinkDirectory::remove(LinkNumber link) {
    std::erase(up_, link);
    std::erase(known_, link);
    if (link < peers_.size()) peers_[link] = {};
}

void LinkDirectory::remove_all() {
    peers_.clear();
    up_.clear();
    known_.clear();
    acquaintances_.clear();
    unused_.clear();
}

LinkNumber LinkDirectory::add_acquaintance(const PeerId& peer) {
    if (unused_.empty()) {
        const std::size_t next = kFirstAcquaintance + acquaintances_.size();
        if (next >= kNoLink) return kNoLink;
        unused_.push_back(static_cast<LinkNumber>(next));
        acquaintances_.emplace_back();
    }
    const LinkNumber number = unused_.back();
    unused_.pop_back();
    acquaintances_[number - kFirstAcquaintance] = peer;
    set_known(number, peer);
    return number;
}

void LinkDirectory::remove_acquaintance(LinkNumber number) {
    std::erase(known_, number);
    acquaintances_[number - kFirstAcquaintance] = {};
    unused_.push_back(number);
}

std::optional<LinkNumber> LinkDirectory::acquaintance(const PeerId& peer) const {
    const auto at = std::ranges::find(acquaintances_, peer);
    if (at == acquaintances_.end()) return std::nullopt;
    return static_cast<LinkNumber>(kFirstAcquaintance + (at - acquaintances_.begin()));
}

}  // namespace fray
