#pragma once
// A few peers, each with an avatar, that act on movable and shared entities on a network that the test
// controls.

#include <fray/peer.hpp>

#include "support/pair.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace fray::test {

inline constexpr Duration kTimeout{1s};

inline State at(float x) { return state_of(Pose{.position = {x, 0, 0}}); }
inline std::vector<std::uint8_t> bytes(std::uint8_t value) { return {value}; }

class SharedEntityTest : public ::testing::Test {
protected:
    explicit SharedEntityTest(std::size_t peers = 4) {
        for (std::size_t i = 0; i < peers; ++i) cluster_.add(options());
        cluster_.join_all();
        for (std::size_t i = 0; i < peers; ++i) avatars_.push_back(*peer(i).publish(local(i), at(1)));
    }
    static PeerOptions options() {
        PeerOptions options;
        options.link.timeout = kTimeout;
        options.link.keep_alive = 200ms;
        options.overlay = FullMesh{.retry = 100ms, .retry_most = 200ms};
        return options;
    }
    Peer& peer(std::size_t i) { return cluster_.peer(i); }
    Instant local(std::size_t i) { return cluster_.local(i); }
    EntityId publish(std::size_t i, Tenure tenure) {
        const EntityId id = *peer(i).publish(local(i), at(5), tenure);
        cluster_.run_for(500ms);
        cluster_.forget_events();
        return id;
    }
    float x_of(std::size_t i, const EntityId& id) {
        const auto replica = peer(i).replica(local(i), id);
        return replica ? replica->received.position.x : -1;
    }
    RequestId ask(std::size_t i, const EntityId& target, std::uint8_t value) {
        return *peer(i).interact(local(i), avatars_[i], target, bytes(value));
    }
    /// How often this peer was told that the entity appeared or is gone.
    std::size_t changes(std::size_t i, const EntityId& id) {
        std::size_t count = 0;
        for (const auto& event : cluster_.events_of<EntityAppeared>(i)) count += event.entity == id ? 1U : 0U;
        for (const auto& event : cluster_.events_of<EntityGone>(i)) count += event.entity == id ? 1U : 0U;
        return count;
    }
    std::vector<std::size_t> owners(const EntityId& id) {
        std::vector<std::size_t> found;
        for (std::size_t i = 0; i < cluster_.size(); ++i) {
            if (alive_[i] && peer(i).owns(id)) found.push_back(i);
        }
        return found;
    }
    void crash(std::size_t i) {
        cluster_.crash(i);
        alive_[i] = false;
    }

    Cluster cluster_;
    std::vector<EntityId> avatars_;
    std::vector<bool> alive_ = std::vector<bool>(8, true);
};

}  // namespace fray::test
