#pragma once
// What the streams of a member have for its game: messages to send, lines, and events.

#include <fray/time_warp/tick_streams.hpp>

#include "time_warp/stream_messages.hpp"

#include <deque>
#include <optional>
#include <utility>

namespace fray {

class StreamOut {
public:
    StreamOut(std::uint32_t match, StreamCounts& counts) : match_{match}, counts_{counts} {}

    void packet(const PeerId& to, StreamPacket packet) {
        packet.match = match_;
        const StreamDatum datum{.is_note = false, .packet = std::move(packet)};
        messages_.push_back({to, to_bytes(datum), Delivery::unreliable});
    }
    void note(const PeerId& to, StreamNote note) {
        note.match = match_;
        // What is repeated until it has an effect need not be sent again by the link.
        const bool repeats = note.kind == StreamNote::Kind::knock || note.kind == StreamNote::Kind::rival;
        const StreamDatum datum{.is_note = true, .note = std::move(note)};
        messages_.push_back({to, to_bytes(datum), repeats ? Delivery::unreliable : Delivery::ordered});
    }
    void line(StreamLine line) {
        if (lines_.size() < kMostLines)
            lines_.push_back(std::move(line));
        else
            ++counts_.dropped_lines;
    }
    /// What a member can cause by a message alone takes no room from the other events.
    void event(StreamEvent event) {
        const bool is_request =
            std::holds_alternative<StateAsked>(event) || std::holds_alternative<DesyncReport>(event);
        if (events_.size() < (is_request ? kMostRequests : kMostEvents))
            events_.push_back(std::move(event));
        else
            ++counts_.dropped_events;
    }

    [[nodiscard]] std::optional<StreamMessage> poll_message() { return take(messages_); }
    [[nodiscard]] std::optional<StreamLine> poll_line() { return take(lines_); }
    [[nodiscard]] std::optional<StreamEvent> poll_event() { return take(events_); }

private:
    static constexpr std::size_t kMostLines = 65'536;
    static constexpr std::size_t kMostRequests = 1024;
    static constexpr std::size_t kMostEvents = 8192;

    template <class T>
    static std::optional<T> take(std::deque<T>& queue) {
        if (queue.empty()) return std::nullopt;
        std::optional<T> first{std::move(queue.front())};
        queue.pop_front();
        return first;
    }

    std::uint32_t match_;
    StreamCounts& counts_;
    std::deque<StreamMessage> messages_;
    std::deque<StreamLine> lines_;
    std::deque<StreamEvent> events_;
};

}  // namespace fray
