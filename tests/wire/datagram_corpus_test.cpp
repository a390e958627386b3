#include <fray/ledger.hpp>

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
        const auto bytes = datagram.finish(Token{token}, Address{}, ledger);
        kinds.add("[]", std::to_string(static_cast<int>(kind)),
                  [&](BitWriter& out) { out.copy(bytes, kKindBits); });
        seals.add("[]", record({{"token", token}, {"reserved", 0}}), [&](BitWriter& out) {
            out.copy(bytes.subspan(bytes.size() - kSealBytes), kSealBytes * 8);
        });
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
    add(link, start,
        record({{"sequence", 0}, {"acks", 0}, {"newest", 0}, {"delay", 0}, {"all", 0}, {"earlier", 0}}));
    for (int i = 0; i < 0xABCD; ++i) link.window.sent(start, SentRecord{});
    link.arrivals.accept(start, 0x8001);
    link.arrivals.accept(start, 0x8007);
    link.arrivals.accept(start, 0x8008);
    const auto gaps = [&](int delay) {
        return record({{"sequence", 0xABCD},
                       {"acks", 1},
                       {"newest", 0x8008},
                       {"delay", delay},
                       {"all", 0},
                       {"earlier", 0b1000001}});
    };
    add(link, start, gaps(0));
    add(link, start + 511us, gaps(0));
    add(link, start + 512us * 254, gaps(254));
    add(link, start + 10s, gaps(255));
    for (std::uint16_t i = 0x8009; i < 0x8009 + 33; ++i) link.arrivals.accept(start, i);
    add(link, start + 1ms,
        record({{"sequence", 0xABCD},
                {"acks", 1},
                {"newest", 0x8009 + 32},
                {"delay", 1},
                {"all", 1},
                {"earlier", 0}}));
    corpus.check();
}

TEST(Corpus, Hellos) {
    Corpus hellos{"hello", "hello"};
    Hello hello{.version = 1,
                .link = 0xA003,
                .token = 0x9234567890ABCDEF,
                .world = 0xFEDCBA0987654321,
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
    for (int reason = 0; reason <= static_cast<int>(kLastReason); ++reason) {
        const Refusal refusal{1, static_cast<std::uint16_t>(0x8000 + reason), static_cast<Reason>(reason)};
        refusals.add("[]", json(refusal), [&](BitWriter& out) { write(out, refusal); });
    }
    const auto no_such_reason = [](BitWriter& out) {
        out.bits(1, 16);
        out.bits(0, 16);
        out.bits(7, 3);
    };
    refusals.refuse("[]", no_such_reason, reads<Refusal>);
    refusals.check();
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

    Corpus overlays{"overlay", "overlay"};
    for (const std::size_t size : {0U, 5U, 20U}) {
        overlays.add("[]", list(ramp(size)), [&](BitWriter& out) {
            write_varint(out, size);
            out.copy(ramp(size), size * 8);
        });
    }
    overlays.refuse("[]", [](BitWriter& out) {
        write_varint(out, kMaxDatagram + 1);
        zeros(out, kMaxDatagram + 1);
    });
    overlays.check();
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

TEST(Corpus, Rosters) {
    Corpus corpus{"roster", "roster"};
    const auto add = [&](const Roster& roster) {
        corpus.add("[]", json(roster), [&](BitWriter& out) { write(out, roster); });
    };
    add({.is_list = false, .digest = 0xDEADBEEF, .list = {}});
    add({.is_list = true, .digest = 0, .list = {}});
    Roster two{.is_list = true, .digest = 0, .list = {}};
    two.list.push_back({PeerId::from_number(0xFFEEDDCC), Incarnation{0x87654321}, Address::from_number(5)});
    std::array<std::uint8_t, 16> bytes{};
    std::iota(bytes.begin(), bytes.end(), std::uint8_t{241});
    two.list.push_back({PeerId{bytes}, Incarnation{1}, Address{bytes, 0xFFFE}});
    add(two);
    const auto too_many = [](BitWriter& out) {
        out.bits(1, 1);
        write_varint(out, kMaxIntroductions + 1);
        zeros(out, (kMaxIntroductions + 1) * 38);
    };
    corpus.refuse("[]", too_many, reads<Roster>);
    corpus.check();
}

}  // namespace
}  // namespace fray
