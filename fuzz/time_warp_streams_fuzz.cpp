// Any bytes as messages to the streams of a match (fray/time_warp/tick_streams.hpp): from a member that also
// plays honestly, so that it stays one, and from a stranger. For the other member the horizon never goes
// back, no line comes for a tick before it, and every message has a bounded effect. What decodes is written
// back to the same bits.

#include <fray/assert.hpp>
#include <fray/encode.hpp>

#include "fuzz/read_and_write.hpp"
#include "time_warp/stream_messages.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace fray {
namespace {

constexpr std::size_t kFewSeats = 4;
constexpr std::size_t kMostFrames = 400;

class Meeting {
public:
    /// The member with the smaller id keeps the list of members.
    explicit Meeting(bool victim_keeps_list)
        : victim_id_{PeerId::from_number(victim_keeps_list ? 1 : 2)},
          hostile_id_{PeerId::from_number(victim_keeps_list ? 2 : 1)},
          victim_{TickStreams::found(now_, victim_id_, options()).value()},
          hostile_{TickStreams::join(now_, hostile_id_, options()).value()} {
        for (const PeerId& peer : {hostile_id_, kStranger}) victim_.link_up(now_, peer);
        hostile_.link_up(now_, victim_id_);
        for (int i = 0; i < 40; ++i) frame(true);
        FRAY_ASSERT(victim_.is_member() && hostile_.is_member() && victim_.horizon() > 10);
    }

    /// One frame, in which some more messages come to the victim.
    void step(BitReader& in) {
        if (in.bits(3) == 0) now_ += Duration{in.bits(22)};
        if (in.boolean()) say(in);
        if (in.bits(5) == 0) change_link();
        for (std::uint64_t i = in.bits(2); i > 0; --i) {
            const PeerId from = in.bits(2) == 0 ? kStranger : hostile_id_;
            victim_.handle_message(now_, from, in.boolean() ? any_bytes(in) : to_bytes(any_datum(in)));
            ++received_;
        }
        frame(in.bits(2) != 0);
    }

private:
    static StreamOptions options() { return {.seats = kFewSeats, .checkpoint = 4}; }

    void say(BitReader& in) {
        const auto byte = static_cast<std::uint8_t>(in.bits(8));
        (void)victim_.say(tick_ + static_cast<Tick>(in.bits(3)), std::span{&byte, 1});
        (void)hostile_.say(tick_ + static_cast<Tick>(in.bits(3)), std::span{&byte, 1});
    }
    /// Without a link the hostile member is lost after a while, and may come back.
    void change_link() {
        is_linked_ = !is_linked_;
        if (is_linked_)
            victim_.link_up(now_, hostile_id_);
        else
            victim_.link_down(now_, hostile_id_);
    }

    // --- messages ---
    static std::vector<std::uint8_t> any_bytes(BitReader& in) {
        std::vector<std::uint8_t> bytes(in.bits(6));
        in.copy_to(bytes);
        return bytes;
    }
    Tick any_tick(BitReader& in) {
        switch (in.bits(2)) {
            case 0:
                return tick_ + static_cast<Tick>(in.bits(4));
            case 1:
                return std::max<Tick>(0, tick_ - static_cast<Tick>(in.bits(6)));
            case 2:
                return hostile_since_;
            default:
                return static_cast<Tick>(in.bits(40));
        }
    }
    PeerId any_peer(BitReader& in) {
        const PeerId peers[]{victim_id_, hostile_id_, kStranger, PeerId::from_number(in.bits(8))};
        return peers[in.bits(2)];
    }
    std::vector<StreamLine> any_lines(BitReader& in) {
        std::vector<StreamLine> lines(in.bits(2));
        Tick last = any_tick(in);
        for (StreamLine& line : lines) {
            last = std::min(kLastTick, last + static_cast<Tick>(in.bits(3)));
            line.tick = last;
            line.kind = static_cast<StreamLine::Kind>(in.bits(2) % 3);
            line.subject = any_peer(in);
            line.seat = static_cast<PartNumber>(in.bits(3) == 7 ? kNoSeat : in.bits(3));
            line.count = static_cast<std::uint32_t>(in.bits(4));
            line.through = any_tick(in);
        }
        return lines;
    }
    /// Mostly what the victim may take for real.
    StreamDatum any_datum(BitReader& in) {
        StreamDatum datum{.is_note = in.boolean()};
        StreamPacket& packet = datum.packet;
        packet.match = datum.note.match = 1;
        packet.through = any_tick(in);
        packet.since = std::min(packet.through, in.boolean() ? hostile_since_ : any_tick(in));
        packet.base = std::min(packet.through, in.boolean() ? packet.since : any_tick(in));
        packet.heard = static_cast<std::uint32_t>(in.bits(5));
        packet.heard_since = in.boolean() ? 0 : any_tick(in);
        packet.first = hostile_lines_ + static_cast<std::uint32_t>(in.bits(2));
        packet.lines = any_lines(in);
        packet.hash_at = std::min(packet.through, any_tick(in));
        packet.hash = in.bits(2);
        StreamNote& note = datum.note;
        note.kind = static_cast<StreamNote::Kind>(in.bits(3));
        note.tick = any_tick(in);
        note.flag = in.boolean();
        note.subject = any_peer(in);
        note.since = in.boolean() ? hostile_since_ : any_tick(in);
        note.number = static_cast<std::uint32_t>(in.bits(in.boolean() ? 4 : 32));
        note.total = static_cast<std::uint32_t>(in.bits(in.boolean() ? 4 : 32));
        note.hash = in.bits(8);
        note.first = packet.first;
        note.lines = packet.lines;
        note.bytes = any_bytes(in);
        for (std::uint64_t i = in.bits(2); i > 0; --i)
            note.members.push_back({any_peer(in), static_cast<PartNumber>(in.bits(3)), note.tick});
        return datum;
    }

    // --- the match ---
    void frame(bool hears) {
        now_ += Duration{16'667};
        ++tick_;
        hostile_.advance(now_, tick_);
        while (const auto message = hostile_.poll_message()) {
            const auto datum = value_of<StreamDatum>(message->bytes);
            FRAY_ASSERT(datum.has_value());
            if (!datum->is_note) {
                hostile_since_ = datum->packet.since;
                hostile_lines_ = datum->packet.first + static_cast<std::uint32_t>(datum->packet.lines.size());
            }
            if (message->to == victim_id_) victim_.handle_message(now_, hostile_id_, message->bytes);
        }
        while (hostile_.poll_line()) continue;
        while (const auto event = hostile_.poll_event()) answer(hostile_, *event);
        play_victim(hears);
    }
    void play_victim(bool hears) {
        const Tick before = victim_.horizon();
        victim_.advance(now_, tick_);
        FRAY_ASSERT(victim_.horizon() >= before);
        FRAY_ASSERT(victim_.members().size() <= 2 * kMostSeats + 1);
        std::size_t messages = 0;
        while (const auto message = victim_.poll_message()) {
            if (hears && message->to == hostile_id_)
                hostile_.handle_message(now_, victim_id_, message->bytes);
            ++messages;
        }
        std::size_t events = 0;
        for (; const auto event = victim_.poll_event(); ++events) {
            if (std::holds_alternative<Evicted>(*event)) was_evicted_ = true;
            answer(victim_, *event);
        }
        for (; const auto line = victim_.poll_line(); ++events)
            FRAY_ASSERT(line->tick >= before || was_evicted_);
        FRAY_ASSERT(messages <= 32 + 8 * received_ && events <= 256 + 64 * received_);
        received_ = 0;
        if (tick_ % 4 == 0) victim_.set_hash(victim_.horizon() / 4 * 4, 1);
    }
    static void answer(TickStreams& streams, const StreamEvent& event) {
        if (const auto* asked = std::get_if<StateAsked>(&event))
            streams.offer_state(asked->peer, asked->tick, std::vector<std::uint8_t>(1000, 7));
    }

    static constexpr PeerId kStranger = PeerId::from_number(9);
    Instant now_{};
    Tick tick_ = 0;
    PeerId victim_id_;
    PeerId hostile_id_;
    TickStreams victim_;
    TickStreams hostile_;
    Tick hostile_since_ = 0;
    std::uint32_t hostile_lines_ = 1;  // the number of its next line
    std::size_t received_ = 0;         // since the last frame
    bool is_linked_ = true;
    bool was_evicted_ = false;  // lines before its horizon may come with a new seat
};

}  // namespace
}  // namespace fray

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace fray;
    const std::span bytes{data, size};
    read_and_write<StreamPacket>(bytes);
    read_and_write<StreamNote>(bytes);
    read_and_write<StreamDatum>(bytes);
    if (size < 8) return 0;
    BitReader in{bytes};
    Meeting meeting{in.boolean()};
    for (std::size_t i = 0; i < kMostFrames && in.ok() && in.bits_left() > 0; ++i) meeting.step(in);
    return 0;
}
