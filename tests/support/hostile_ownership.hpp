#pragma once
// Three peers. The owner has a shared entity; the liar says what it likes to the victim, which has one, too.

#include "core/message.hpp"
#include "link/reliable_sender.hpp"
#include "ownership/messages.hpp"
#include "support/pair.hpp"
#include "wire/pose_codec.hpp"
#include "wire/whole_state.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace fray::test {

class HostileOwnership : public testing::Test {
public:
    using Bytes = std::vector<std::uint8_t>;

protected:
    static constexpr std::size_t kVictim = 0;
    static constexpr std::size_t kOwner = 1;
    static constexpr std::size_t kLiar = 2;

    HostileOwnership() {
        cluster_.remember_sent(true);
        for (int i = 0; i < 3; ++i) cluster_.add();
        cluster_.join_all();
        avatar_ = *cluster_.peer(kVictim).publish(cluster_.local(kVictim), at(1));
        theirs_ = *cluster_.peer(kOwner).publish(cluster_.local(kOwner), at(2), Tenure::shared);
        ours_ = *cluster_.peer(kVictim).publish(cluster_.local(kVictim), at(3), Tenure::shared);
        cluster_.run_for(1s);
        cluster_.forget_events();
        forger_.emplace(*last_data(cluster_, kLiar, kVictim));
    }
    static State at(float x) { return state_of(Pose{.position = {x, 0, 0}}); }
    /// A state as a record has it.
    static Bytes encoded_state() {
        const World world = PeerOptions{}.world;
        const PoseCodec codec{world};
        Bytes bytes(200);
        BitWriter out{bytes};
        write_whole(out, world, codec, {EntityTypeId{}, codec.quantise(Pose{}), {}, {}});
        bytes.resize(out.finish().size());
        return bytes;
    }
    Peer& victim() { return cluster_.peer(kVictim); }
    std::uint64_t rejected(Rejection why) { return victim().stats().rejections.of(why); }
    std::uint32_t stay(std::size_t i) { return static_cast<std::uint32_t>(cluster_.peer(i).incarnation()); }
    Claim claim(const EntityId& id, std::uint64_t term, std::uint32_t body) {
        return {.id = id,
                .term = term,
                .owner = Cluster::id(kLiar),
                .incarnation = stay(kLiar),
                .body = kFirstLasting | body,
                .shared = true};
    }
    /// The liar has sent no reliable message before, so its numbers begin here.
    template <class T>
    void say(OwnerMessage what, const T& message, bool ordered = true) {
        Bytes bytes(70'000);
        bytes[0] = static_cast<std::uint8_t>(MessageKind::ownership);
        BitWriter out{std::span{bytes}.subspan(1)};
        write(out, Enveloped<T>{what, &message});
        bytes.resize(1 + out.finish().size());
        say(bytes, ordered);
    }
    void say(const Bytes& bytes, bool ordered) {
        const auto datagram = forger_->make([&](BitWriter& to) {
            write_kind(to, MessageKind::reliable);
            ReliableHeader header{.id = id_++, .ordered = ordered};
            if (ordered) header.order = order_++;
            header.length = static_cast<std::uint32_t>(bytes.size());
            write(to, header);
            to.copy(bytes, bytes.size() * 8);
        });
        cluster_.inject(kVictim, cluster_.address(kLiar), datagram);
    }

    Cluster cluster_;
    EntityId avatar_, theirs_, ours_;
    std::optional<Forger> forger_;
    std::uint16_t id_ = 0;
    std::uint16_t order_ = 0;
};

}  // namespace fray::test
