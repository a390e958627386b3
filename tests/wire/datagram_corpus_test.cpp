#include <fray/ledger.hpp>

#include "interest/attention_message.hpp"
#include "wire/corpus.hpp"
#include "wire/corpus_json.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace fray {
namespace {

template <class T>
bool reads(BitReader& in) {
    T value;
    return read(in, value);
}

TEST(Corpus, KindsAndSeals) {
    Corpus kinds{"kind", "kind"};
    Corpus seals{"seal", "seal"};
    for (const DatagramKind kind : {DatagramKind::hello, DatagramKind::data, DatagramKind::refusal}) {
        std::array<std::uint8_t, kMaxDatagram> buffer{};
        ByteLedger ledger;
        DatagramBuilder datagram{buffer, kind};
        const std::uint64_t token = 0xFEDCBA9876543210ULL >> static_cast<unsigned>(kind);
        datagram.set_counter(0xABCDEF01);
        const auto bytes = datagram.finish(Token{token}, Address{}, ledger);
        kinds.add("[]", std::to_string(static_cast<int>(kind)),
                  [&](BitWriter& out) { out.copy(bytes, kKindBits); });
        seals.add(
            "[]", record({{"token", token}, {"counter", 0xABCDEF01}, {"reserved", 0}}),
            [&](BitWriter& out) { out.copy(bytes.subspan(bytes.size() - kSealBytes), kSealBytes * 8); });
    }
    kinds.refuse(
        "[]", [](BitWriter& out) { out.bits(3, kKindBits); },
        [](BitReader& in) { return open_datagram(in.memory().first(kSealBytes + 1)).has_value(); });
    kinds.check();
    seals.check();
}

TEST(Corpus, HeadersOfData) {
    Corpus corpus{"data_header", "data_header"};
    const auto add = [&](const Link& link, Instant now, const std::string& value) {
        add_built(corpus, value, [&](DatagramBuilder& datagram) { link.write_header(now, datagram); });
    };
    const Instant start{1s};
    Link link{LinkEnds{}, start};
    add(link, start, record({{"acks", 0}, {"newest", 0}, {"delay", 0}, {"all", 0}, {"earlier", 0}}));
    for (int i = 0; i < 0xABCD; ++i) link.window.sent(start, SentRecord{});
    link.accept(start, 0x8001);
    link.accept(start, 0x8007);
    link.accept(start, 0x8008);
    const auto gaps = [&](int delay) {
        return record(
            {{"acks", 1}, {"newest", 0x8008}, {"delay", delay}, {"all", 0}, {"earlier", 0b1000001}});
    };
    add(link, start, gaps(0));
    add(link, start + 511us, gaps(0));
    add(link, start + 512us * 254, gaps(254));
    add(link, start + 10s, gaps(255));
    for (std::uint16_t i = 0x8009; i < 0x8009 + 33; ++i) link.accept(start, i);
    add(link, start + 1ms,
        record({{"acks", 1}, {"newest", 0x8009 + 32}, {"delay", 1}, {"all", 1}, {"earlier", 0}}));
    corpus.check();
}

TEST(Corpus, Hellos) {
    Corpus hellos{"hello", "hello"};
    Hello hello{.version = 1,
                .link = 0xA003,
                .token = 0x9234567890ABCDEF,
                .world = 0xFEDCBA0987654321,
                .overlay = 0x0FACADE5,
                .id = PeerId::from_number(0xF1E2D3C4B5A69788),
                .incarnation = 0xDEADBEEF,
                .channel = 0xC0FFEE11,
                .attempt = 3,
                .session_us = (std::uint64_t{1} << 51U) + 1'234'567,
                .joined_us = kMaxWireTime,
                .newcomer = true};
    const auto add = [&] { hellos.add("[]", json(hello), [&](BitWriter& out) { write(out, hello); }); };
    add();
    hello.answers = true;
    hello.answered_link = 0x8765;
    hello.answered_attempt = 201;
    hello.hold_us = kMostHold - 5;
    hello.hops = 15;
    hello.newcomer = false;
    hello.early_data = true;
    add();
    hello.version = 0xFFFF;
    hello.hops = 0;
    hello.early_data = false;
    add();
    hello.token = 0;
    hellos.refuse("[]", [&](BitWriter& out) { write(out, hello); });
    hellos.check();
}

TEST(Corpus, Refusals) {
    Corpus refusals{"refusal", "refusal"};
    for (int reason = 0; reason <= static_cast<int>(kLastRefusal); ++reason) {
        Refusal refusal{1, static_cast<std::uint16_t>(0x8000 + reason), static_cast<Reason>(reason)};
        refusal.asks_proof = static_cast<Reason>(reason) == Reason::busy;
        refusal.proof = Token{0xBADC0FFEE0DDF00D};
        refusal.others.count = static_cast<std::uint8_t>(reason % 4);
        refusal.others.addresses = {Address::from_number(7), Address::from_number(0xFFFFFFFFFF),
                                    Address{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 10, 0, 0, 1}, 7000}};
        refusals.add("[]", json(refusal), [&](BitWriter& out) { write(out, refusal); });
    }
    refusals.check();
}

TEST(Corpus, RefusalsThatCannotBe) {
    Corpus refused{"refusal_refused", "refusal"};
    // An address in sixteen bytes that has a shorter form, and a form that does not exist.
    const auto with_address = [](std::uint64_t form, const std::vector<std::uint8_t>& ip) {
        return [=](BitWriter& out) {
            out.bits(1, 16);
            out.bits(0, 16);
            out.bits(5, 4);
            out.boolean(false);
            out.bits(1, 2);
            out.bits(form, 2);
            for (const std::uint8_t byte : ip) out.bits(byte, 8);
            out.bits(1, 16);
        };
    };
    refused.refuse("[]", with_address(2, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1}), reads<Refusal>);
    refused.refuse("[]", with_address(2, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 1, 1, 1, 1}),
                   reads<Refusal>);
    refused.refuse("[]", with_address(3, {1, 1, 1, 1}), reads<Refusal>);
    refused.refuse(
        "[]",
        [](BitWriter& out) {
            out.bits(1, 32);
            out.bits(static_cast<std::uint64_t>(kLastRefusal) + 1, 4);
            out.bits(0, 3);
        },
        reads<Refusal>);
    Refusal without_proof{.version = 1, .link = 2, .reason = Reason::busy, .asks_proof = true};
    refused.refuse(
        "[]", [&](BitWriter& out) { write(out, without_proof); }, reads<Refusal>);
    refused.check();
}

TEST(Corpus, EventsAndOverlayMessages) {
    Corpus events{"event", "event"};
    const auto write_event = [](std::uint64_t at, std::vector<std::uint8_t> bytes, std::size_t most) {
        return [=](BitWriter& out) {
            out.bits(at, kSessionTimeBits);
            auto copy = bytes;
            WriteStream{out}.bytes(copy, most);
        };
    };
    constexpr std::size_t kMost = 32 * 1024;
    for (const std::size_t size : {0U, 5U, 300U}) {
        const std::uint64_t at = kMaxWireTime - size * 1'000'003;
        events.add("[]", event_json(at, ramp(size)), write_event(at, ramp(size), kMost));
    }
    events.refuse("[]", write_event(0, std::vector<std::uint8_t>(kMost + 1), kMost + 1));
    events.check();
}

TEST(Corpus, MessagesWithTheirLength) {
    Corpus framed{"framed_message", "messages", json(World{})};
    const std::string arguments = "[[[]], []]";
    const auto write_framed = [](MessageKind kind, std::size_t size) {
        return [=](BitWriter& out) {
            write_kind(out, kind);
            write_varint(out, size);
            out.copy(ramp(size), size * 8);
        };
    };
    for (const MessageKind kind : {MessageKind::overlay, MessageKind::request, MessageKind::reply}) {
        for (const std::size_t size : {0U, 5U, 20U}) {
            framed.add(arguments, list_of({message_json(kind, list(ramp(size)))}), write_framed(kind, size));
        }
        framed.refuse(arguments, write_framed(kind, kMaxDatagram + 1));
    }
    framed.refuse(arguments, write_framed(MessageKind::spare_1, 5));
    framed.check();
}

TEST(Corpus, ClockMessages) {
    Corpus pings{"clock_ping", "clock_ping"};
    Corpus pongs{"clock_pong", "clock_pong"};
    for (const std::uint8_t id : {std::uint8_t{0}, std::uint8_t{7}, std::uint8_t{255}}) {
        const ClockPing ping{id};
        pings.add("[]", json(ping), [&](BitWriter& out) { write(out, ping); });
        const ClockPong pong{id, kMaxWireTime - id * 1'000'000'007ULL, 0xFFFFFFU - id * 12'345U,
                             static_cast<std::uint8_t>(id % 16)};
        pongs.add("[]", json(pong), [&](BitWriter& out) { write(out, pong); });
    }
    pings.check();
    pongs.check();
}

TEST(Corpus, AttentionMessages) {
    Corpus corpus{"attention", "attention"};
    for (const std::uint8_t steps : {std::uint8_t{0}, std::uint8_t{112}, std::uint8_t{255}}) {
        const AttentionMessage message{steps};
        corpus.add("[]", record({{"steps", static_cast<int>(steps)}}),
                   [&](BitWriter& out) { write(out, message); });
    }
    corpus.check();
}

TEST(Corpus, MeshMessages) {
    using Kind = MeshMessage::Kind;
    Corpus corpus{"mesh_message", "mesh_message"};
    const auto add = [&](const MeshMessage& message) {
        corpus.add("[]", json(message), [&](BitWriter& out) { write(out, message); });
    };
    add({.kind = Kind::digest, .digest = 0xDEADBEEF});
    add({.kind = Kind::known, .salt = 200});
    add({.kind = Kind::known, .salt = 1, .known = {0, 3, 4, 0x8000, 0xFFFF}});
    add({.kind = Kind::introductions});
    MeshMessage two{.kind = Kind::introductions};
    two.introductions.push_back({0xFFEEDDCC, Address::from_number(5)});
    std::array<std::uint8_t, 16> bytes{};
    std::iota(bytes.begin(), bytes.end(), std::uint8_t{241});
    two.introductions.push_back({1, Address{bytes, 0xFFFE}});
    add(two);
    corpus.check();
}

TEST(Corpus, MeshMessagesThatAreRefused) {
    Corpus corpus{"mesh_message_refused", "mesh_message"};
    const auto reads_it = [](BitReader& in) {
        MeshMessage message;
        return read(in, message);
    };
    corpus.refuse(
        "[]",
        [](BitWriter& out) {
            out.bits(2, 2);
            write_varint(out, kMaxIntroductions + 1);
            for (std::size_t i = 0; i <= kMaxIntroductions; ++i)
                write(out, Introduction{1, Address::from_number(1)});
        },
        reads_it);
    corpus.refuse(
        "[]",
        [](BitWriter& out) {
            out.bits(1, 2);
            out.bits(0, 8);
            std::vector<std::uint32_t> too_many(kMaxKnown + 1);
            std::iota(too_many.begin(), too_many.end(), 0U);
            write_id_set(out, too_many);
        },
        reads_it);
    corpus.refuse(
        "[]", [](BitWriter& out) { out.bits(3, 2); }, reads_it);
    corpus.refuse(
        "[]",
        [](BitWriter& out) {
            out.bits(1, 2);
            out.bits(0, 8);
            const std::array<std::uint32_t, 1> too_large{0x10000};
            write_id_set(out, too_large);
        },
        reads_it);
    corpus.check();
}

}  // namespace
}  // namespace fray
