#pragma once
// Decodes datagrams of real peers with the readers of each part: the tables must give the same.

#include <fray/peer.hpp>

#include "replica/replica_store.hpp"
#include "wire/consistency_json.hpp"
#include "wire/corpus_json.hpp"
#include "wire/input_codec.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace fray {

/// Reads everything that one peer sent to another, in order.
class Reader {
public:
    explicit Reader(const World& world) : world_{world}, codec_{world} {}

    struct Told {
        std::string value;
        std::string held;   ///< the states that its updates refer to
        std::string shape;  ///< kind and types: equal for datagrams that need the same tables
    };
    Told tell(std::span<const std::uint8_t> bytes) {
        auto opened = open_datagram(bytes);
        EXPECT_TRUE(opened);
        BitReader& in = opened->body;
        needed_.clear();
        shape_ = std::to_string(static_cast<int>(opened->kind)) + ":";
        std::string hello = "0";
        std::string link = "0";
        std::string data = "0";
        std::string refusal = "0";
        if (opened->kind == DatagramKind::hello) {
            Hello read_hello;
            EXPECT_TRUE(read(in, read_hello));
            shape_ += read_hello.answers ? "answer" : "call";
            hello = json(read_hello);
            if (read_hello.early_data) {
                shape_ += " early";
                data = tell_data(opened->counter, in);
            }
        } else if (opened->kind == DatagramKind::data) {
            link = std::to_string(read_varint(in));
            data = tell_data(opened->counter, in);
        } else {
            Refusal read_refusal;
            EXPECT_TRUE(read(in, read_refusal));
            refusal = json(read_refusal);
        }
        const std::string kind = std::to_string(static_cast<int>(opened->kind));
        const std::string padding = std::to_string(in.bits(static_cast<unsigned>(in.bits_left())));
        EXPECT_TRUE(in.ok());
        return {record({{"kind", kind},
                        {"hello", hello},
                        {"link", link},
                        {"data", data},
                        {"refusal", refusal},
                        {"padding", padding}}),
                list_of(needed_), shape_};
    }
    /// The bytes of reliable messages that were not fragmented.
    std::vector<std::vector<std::uint8_t>> reliable;

private:
    struct Held {
        QuantisedPose pose;
        std::uint16_t stamp = 0;
        std::size_t type = 0;
        std::vector<std::uint8_t> payload;
        std::vector<std::uint8_t> input;
    };

    std::string tell_data(std::uint32_t counter, BitReader& in) {
        const auto header = Link::read_header(counter, in);
        EXPECT_TRUE(header);
        const AckHeader ack = header->ack.value_or(AckHeader{});
        const bool all = ack.earlier == 0xFFFFFFFF;
        std::vector<std::string> messages;
        auto type = MessageKind::keep_alive;
        while (in.bits_left() >= kMessageKindBits && type != MessageKind::goodbye) {
            type = read_kind(in);
            if (type == MessageKind::end) break;
            shape_ += " " + std::to_string(static_cast<int>(type));
            messages.push_back(message_json(type, tell_message(in, type, header->sequence)));
        }
        const auto padding = in.bits(static_cast<unsigned>(in.bits_left()));
        return record({{"header", record({{"acks", header->ack.has_value()},
                                          {"newest", ack.newest},
                                          {"delay", micros(ack.delay) / 512},
                                          {"all", all},
                                          {"earlier", all ? 0 : ack.earlier}})},
                       {"messages", list_of(messages)},
                       {"padding", padding}});
    }

    static std::vector<std::uint8_t> take(BitReader& in, std::uint64_t size) {
        std::vector<std::uint8_t> bytes(static_cast<std::size_t>(size));
        for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(in.bits(8));
        return bytes;
    }
    template <class T>
    static std::string tell_object(BitReader& in) {
        T value;
        EXPECT_TRUE(read(in, value));
        return json(value);
    }

    std::string tell_message(BitReader& in, MessageKind type, std::uint16_t sequence) {
        switch (type) {
            case MessageKind::state:
                return tell_state(in, sequence);
            case MessageKind::reliable: {
                ReliableHeader header;
                EXPECT_TRUE(read(in, header));
                const auto bytes = take(in, header.length);
                if (!header.in_pieces) reliable.push_back(bytes);
                return json(header, bytes);
            }
            case MessageKind::fragment: {
                const auto group = in.bits(8);
                const auto index = static_cast<std::uint8_t>(in.bits(6));
                const auto last = static_cast<std::uint8_t>(in.bits(6));
                return fragment_json(group, {index, last}, take(in, read_varint(in)));
            }
            case MessageKind::game:
                return tell_event(in);
            case MessageKind::clock_ping:
                return tell_object<ClockPing>(in);
            case MessageKind::clock_pong:
                return tell_object<ClockPong>(in);
            case MessageKind::overlay:
                return list(take(in, read_varint(in)));
            case MessageKind::relayed:
                return tell_relayed(in);
            default:
                return "0";
        }
    }

public:
    static std::string tell_event(BitReader& in) {
        const std::uint64_t at = in.bits(kSessionTimeBits);
        std::vector<std::uint8_t> bytes;
        ReadStream{in}.bytes(bytes, kMaxMessageBytes);
        return event_json(at, bytes);
    }
    std::string tell_reliable(BitReader in) const {
        const auto kind = static_cast<MessageKind>(in.bits(8));
        const auto told = [&](MessageKind wanted, const auto& tell) {
            return kind == wanted ? tell() : std::string{"0"};
        };
        const std::string event = told(MessageKind::game, [&] { return tell_event(in); });
        const std::string relayed = told(MessageKind::relayed, [&] { return tell_relayed(in); });
        const std::string withdrawn =
            told(MessageKind::withdraw, [&] { return std::to_string(read_varint(in)); });
        const std::string consistency =
            told(MessageKind::consistency, [&] { return tell_object<ConsistencyChoice>(in); });
        const std::string overruled = told(MessageKind::overruled, [&] { return tell_overruled(in); });
        const std::string request = told(MessageKind::request, [&] { return tell_object<Request>(in); });
        const std::string reply = told(MessageKind::reply, [&] { return tell_object<Reply>(in); });
        return record({{"kind", static_cast<int>(kind)},
                       {"event", event},
                       {"relayed", relayed},
                       {"withdrawn", withdrawn},
                       {"consistency", consistency},
                       {"overruled", overruled},
                       {"request", request},
                       {"reply", reply},
                       {"padding", in.bits(static_cast<unsigned>(in.bits_left()))}});
    }

private:
    std::string tell_whole(BitReader& in) const {
        WholeState whole;
        EXPECT_TRUE(read_numbered(in, world_, codec_, whole));
        return json(whole, world_);
    }
    std::string tell_relayed(BitReader& in) const {
        const auto stamp = in.bits(kStampBits);
        const std::string state = tell_whole(in);
        EXPECT_FALSE(in.boolean()) << "one state";
        EXPECT_TRUE(in.boolean()) << "ordered";
        const std::string owner = list(take(in, sizeof(PeerId)));
        return relayed_json({record({{"stamp", stamp}, {"state", state}})},
                            {.ordered = true, .owner = owner});
    }
    std::string tell_overruled(BitReader& in) const {
        const auto when = in.bits(kSessionTimeBits);
        return record({{"when_us", when}, {"state", tell_whole(in)}});
    }

    std::string fields(const Held& state) const {
        std::vector<std::uint64_t> all;
        EXPECT_TRUE(world_.types[state.type].fields(state.payload, all));
        return list(all);
    }

    std::string tell_state(BitReader& in, std::uint16_t sequence) {
        const auto stamp = static_cast<std::uint16_t>(in.bits(kStampBits));
        std::vector<std::string> updates;
        while (in.boolean()) {
            const auto number = static_cast<std::uint32_t>(read_varint(in));
            const auto back = static_cast<std::uint16_t>(in.bits(kBackBits));
            shape_ += back == 0 ? "w" : "d";
            Held now{.pose = {}, .stamp = stamp, .payload = {}, .input = {}};
            if (back == 0) {
                now.type = in.bits(1);
                now.pose = codec_.read_full(in);
                EXPECT_TRUE(world_.types[now.type].read_full(in, now.payload));
                read_input(in, {}, now.input);
            } else {
                read_delta(in, held_.at({number, static_cast<std::uint16_t>(sequence - back)}), now);
                needed_.push_back(
                    describe(number, back, held_.at({number, static_cast<std::uint16_t>(sequence - back)})));
            }
            updates.push_back(record({{"number", number},
                                      {"back", back},
                                      {"type", now.type},
                                      {"pose", json(now.pose)},
                                      {"payload", fields(now)},
                                      {"input", list(now.input)}}));
            held_[{number, sequence}] = now;
        }
        return record({{"stamp", stamp}, {"updates", list_of(updates)}});
    }

    void read_delta(BitReader& in, const Held& base, Held& now) const {
        now.type = base.type;
        now.pose = codec_.read_delta(in, base.pose, stamp_difference(base.stamp, now.stamp));
        std::vector<std::uint64_t> old;
        const EntityType& type = world_.types[now.type];
        if (!base.payload.empty() && type.fields(base.payload, old)) {
            EXPECT_TRUE(type.read_delta(in, old, now.payload));
        }
        read_input(in, base.input, now.input);
    }

    std::string describe(std::uint32_t number, std::uint16_t back, const Held& state) const {
        return record({{"number", number},
                       {"back", back},
                       {"type", state.type},
                       {"stamp", state.stamp},
                       {"pose", json(state.pose)},
                       {"payload", fields(state)},
                       {"input", list(state.input)}});
    }

    const World& world_;
    PoseCodec codec_;
    std::map<std::pair<std::uint32_t, std::uint16_t>, Held> held_;  // by number and sequence
    std::vector<std::string> needed_;
    std::string shape_;
};

}  // namespace fray
