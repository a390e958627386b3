#include "link/link.hpp"
#include "wire/corpus.hpp"
#include "wire/corpus_json.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace fray {
namespace {

TEST(Corpus, ReliableMessages) {
    Corpus corpus{"reliable", "reliable"};
    ReliableSender sender;
    const auto next = [&](const ReliableHeader& header, const std::vector<std::uint8_t>& bytes) {
        SentRecord sent;
        add_built(corpus, json(header, bytes),
                  [&](DatagramBuilder& datagram) { sender.write(datagram, 0, 0, sent); });
        sender.sent(sent);
        sender.delivered(sent);
    };
    const auto add = [&](ReliableHeader header, const std::vector<std::uint8_t>& bytes) {
        ASSERT_TRUE(sender.queue(bytes, header.ordered, Purpose::reliable));
        header.length = static_cast<std::uint32_t>(bytes.size());
        next(header, bytes);
    };
    add({.id = 0}, {});
    add({.id = 1}, ramp(3));
    add({.id = 2, .ordered = true, .order = 0}, ramp(40));
    add({.id = 3, .ordered = true, .order = 1}, ramp(1));
    add({.id = 4}, ramp(kFragmentBytes));
    const std::vector<std::uint8_t> two = ramp(kFragmentBytes + 200);
    ASSERT_TRUE(sender.queue(two, true, Purpose::reliable));
    ReliableHeader piece{.id = 5, .ordered = true, .order = 2, .in_pieces = true, .place = {0, 1}};
    piece.length = kFragmentBytes;
    next(piece, {two.begin(), two.begin() + kFragmentBytes});
    piece.id = 6;
    piece.place.index = 1;
    piece.length = 200;
    next(piece, {two.begin() + kFragmentBytes, two.end()});
    EXPECT_TRUE(sender.empty());
    corpus.check();
}

TEST(Corpus, BytesThatAreNoReliableMessage) {
    Corpus corpus{"reliable_refused", "reliable"};
    const auto accepts = [](BitReader& in) {
        struct Sink final : MessageSink {
            bool handle_reliable(Delivery, std::span<const std::uint8_t>) override { return true; }
        } sink;
        Link link{LinkEnds{}, Instant{}};
        return !link.read_reliable(in, sink).refused;
    };
    const auto by_hand = [](ReliableHeader header, std::size_t bytes) {
        header.length = static_cast<std::uint32_t>(bytes);
        return [=](BitWriter& out) {
            write(out, header);
            zeros(out, bytes);
        };
    };
    const auto pieces = [](std::uint8_t index, std::uint8_t last) {
        return ReliableHeader{.id = 9, .in_pieces = true, .place = {index, last}};
    };
    corpus.refuse("[]", by_hand({.id = 9}, 1201), accepts);
    corpus.refuse("[]", by_hand(pieces(1, 1), 1025), accepts);
    corpus.refuse("[]", by_hand(pieces(0, 1), 1025), accepts);
    corpus.refuse("[]", by_hand(pieces(0, 1), 1023), accepts);  // only the last is shorter
    corpus.refuse("[]", by_hand(pieces(5, 4), 1024), accepts);
    corpus.check();
}

TEST(Corpus, MessagesInReliableOnes) {
    Corpus corpus{"reliable_message", "reliable_message", json(World{})};
    const std::string state = record({{"kind", 5},
                                      {"event", 0},
                                      {"relayed", 0},
                                      {"withdrawn", 0},
                                      {"consistency", 0},
                                      {"overruled", 0},
                                      {"request", 0},
                                      {"reply", 0},
                                      {"padding", 1234}});
    corpus.add("[[[]]]", state, [](BitWriter& out) {
        out.bits(static_cast<std::uint64_t>(MessageKind::state), 8);
        out.bits(1234, 17);
    });
    for (const std::uint64_t no_kind : {0U, 4U, 16U, 255U})
        corpus.refuse("[[[]]]", [&](BitWriter& out) { out.bits(no_kind, 8); });
    corpus.refuse("[[[]]]", [](BitWriter& out) {
        out.bits(static_cast<std::uint64_t>(MessageKind::withdraw), 8);
        write_varint(out, std::uint64_t{1} << 32U);
    });
    corpus.check();
}

TEST(Corpus, Fragments) {
    Corpus corpus{"fragment", "fragment"};
    const auto write_fragment = [](FragmentPlace place, std::vector<std::uint8_t> bytes) {
        return [=](BitWriter& out) {
            out.bits(0xE5, 8);
            out.bits(place.index, 6);
            out.bits(place.last, 6);
            write_varint(out, bytes.size());
            out.copy(bytes, bytes.size() * 8);
        };
    };
    for (const auto& [place, size] : {std::pair{FragmentPlace{0, 63}, 1024}, {{62, 62}, 7}, {{0, 0}, 0}}) {
        const std::vector<std::uint8_t> bytes = ramp(static_cast<std::size_t>(size));
        corpus.add("[]", fragment_json(0xE5, place, bytes), write_fragment(place, bytes));
    }
    corpus.refuse("[]", write_fragment({1, 1}, std::vector<std::uint8_t>(1025)));
    corpus.refuse("[]", write_fragment({0, 1}, std::vector<std::uint8_t>(1025)));
    corpus.refuse("[]", write_fragment({0, 1}, std::vector<std::uint8_t>(1023)));
    corpus.refuse("[]", write_fragment({2, 1}, std::vector<std::uint8_t>(1024)));
    corpus.check();
}

}  // namespace
}  // namespace fray
