#include "link/outbound.hpp"

#include <fray/assert.hpp>

#include "link/quiet_link.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace fray {

namespace {

UploadBudget make_budget(const LinkOptions& options) {
    if (options.upload_bytes_per_round != 0) return UploadBudget::per_round(options.upload_bytes_per_round);
    return UploadBudget::rate(options.upload_kbps);
}

/// Returns the number of messages written.
std::size_t write_loose(const LooseQueue& loose, DatagramBuilder& datagram) {
    std::size_t written = 0;
    for (const LooseQueue::Message& message : loose.messages()) {
        if (kind_bits(message.kind) + message.bits > datagram.bits_left()) break;
        write_kind(datagram.out(), message.kind);
        datagram.out().copy(loose.bytes(message), message.bits);
        datagram.book(message.purpose);
        ++written;
    }
    return written;
}

/// Whether reliable messages that were sent before go along: with a short upload not in every datagram.
bool repeats(Instant now, const Link& link, const UploadPace& pace) {
    if (pace.resend() == Duration{0}) return true;
    const Duration wait = link.channel.out.has_prompt() ? pace.tick() : pace.resend();
    return now - link.repeated_at >= link.window.rtt().patience() + wait;
}

/// No longer than the budget ever allows.
std::span<std::uint8_t> fitting(std::span<std::uint8_t> buffer, const UploadBudget& budget,
                                const Link& link) {
    return buffer.first(std::min(buffer.size(), budget.largest_datagram() - header_bytes(link.ends.address)));
}

void write_all(const auto& writers, Instant now, const Link& link, DatagramBuilder& datagram) {
    for (const auto& writer : writers) {
        writer.part->write_messages(now, link.ends.local_number, link.window.next_sequence(), datagram.out());
        datagram.book(writer.purpose);
    }
}

/// Asks for an acknowledgement.
void write_keep_alive(DatagramBuilder& datagram) {
    if (datagram.bits_left() >= kMessageKindBits) write_kind(datagram.out(), MessageKind::keep_alive);
}

}  // namespace

Outbound::Outbound(LinkTable& links, const LinkOptions& options, RejectionCounts& rejections)
    : links_{links}, options_{options}, rejections_{rejections}, budget_{make_budget(options)} {}

// --- datagrams out ---

std::optional<Datagram> Outbound::poll_queued(Instant now, std::span<std::uint8_t> buffer) {
    FRAY_ASSERT(buffer.size() >= kMaxDatagram);
    if (!farewells_.empty()) return poll_farewell(now, buffer);
    if (auto datagram = poll_prompt(now, buffer)) return datagram;
    if (until_.blocked != kNever) return std::nullopt;
    if (turns_.stranger && !strangers_.empty()) {
        if (auto datagram = poll_stranger(now, buffer)) return datagram;
        if (until_.blocked != kNever) return std::nullopt;
    }
    for (LinkNumber link = next_link(now); link != kNoLink; link = next_link(now)) {
        if (auto datagram = write_datagram(now, *links_.at(link), buffer)) {
            end_turn(link);
            turns_.stranger = true;
            return datagram;
        }
        if (until_.blocked != kNever) return std::nullopt;
        Waiting& waiting = waiting_[link];  // its message does not fit this frame
        waiting.scheduled = false;
        if (!waiting.urgent) continue;
        std::erase(urgent_, link);
        skipped_.push_back(link);
    }
    auto datagram = poll_stranger(now, buffer);
    const bool has_more = !left_over().empty() || !urgent_.empty();
    if (!datagram && has_more && pace_.holds(now)) until_.paced = pace_.next_step(now);
    return datagram;
}

std::optional<Datagram> Outbound::poll_prompt(Instant now, std::span<std::uint8_t> buffer) {
    while (!prompt_.empty()) {
        const LinkNumber number = prompt_.front();
        Link* link = links_.at(number);
        const Waiting& waiting = waiting_[number];
        const bool is_up = link != nullptr && links_.is_up(number);
        const bool is_due = is_up && waiting.prompt && (waiting.even_empty || link->channel.out.has_prompt());
        if (is_due && !pace_.may_be_prompt()) {
            prompt_.erase(prompt_.begin());
            waiting_[number].prompt = false;
            wake_empty(number);
            continue;
        }
        turns_.prompt = true;
        auto datagram = is_due ? write_datagram(now, *link, buffer) : std::nullopt;
        turns_.prompt = false;
        if (is_due && !datagram && until_.blocked != kNever) return std::nullopt;
        prompt_.erase(prompt_.begin());
        waiting_[number].prompt = false;
        if (!datagram) continue;  // it does not fit this frame
        pace_.prompt_left(datagram->bytes.size() + header_bytes(datagram->to));
        if (link->channel.out.has_unsent_prompt()) wake_prompt(number);
        return datagram;
    }
    return std::nullopt;
}

inline bool Outbound::spend(Instant now, std::size_t bytes) {
    if (!budget_.allows(now, bytes)) {
        until_.blocked = budget_.next_chance(now, bytes);
        return false;
    }
    budget_.spend(now, bytes);
    return true;
}

std::optional<Datagram> Outbound::poll_farewell(Instant now, std::span<std::uint8_t> buffer) {
    const Farewell& last = farewells_.back();
    DatagramBuilder datagram{buffer, DatagramKind::data};
    write_varint(datagram.out(), last.ends.remote_number);
    Link::write_header(now, last.sequence, &last.arrivals, datagram);
    write_kind(datagram.out(), MessageKind::goodbye);
    if (!spend(now, datagram.network_bytes(last.ends.address))) return std::nullopt;
    const Address to = last.ends.address;
    const auto sealed = datagram.finish(last.ends.remote_token, to, ledger_);
    farewells_.pop_back();
    return Datagram{to, sealed};
}

std::optional<Datagram> Outbound::poll_stranger(Instant now, std::span<std::uint8_t> buffer) {
    const auto write_reply = [&](const StrangerReply& reply) -> std::optional<Datagram> {
        DatagramBuilder datagram{buffer, DatagramKind::refusal};
        write(datagram.out(), reply.refusal);
        datagram.book(Purpose::overlay);
        if (!spend(now, datagram.network_bytes(reply.to))) return std::nullopt;
        return Datagram{reply.to, datagram.finish(reply.token, reply.to, ledger_)};
    };
    for (auto next = strangers_.next(now); !next.is_nothing(); next = strangers_.next(now)) {
        if (next.reply == nullptr && !hellos_->hello_due(next.link)) {
            strangers_.forget(next.link);
            continue;
        }
        const auto datagram = next.reply != nullptr ? write_reply(*next.reply)
                                                    : write_datagram(now, *links_.at(next.link), buffer);
        if (!datagram) return std::nullopt;
        turns_.stranger = false;
        strangers_.sent(next, datagram->bytes.size() + header_bytes(datagram->to));
        return datagram;
    }
    return std::nullopt;
}

std::optional<Datagram> Outbound::write_datagram(Instant now, Link& link, std::span<std::uint8_t> buffer) {
    const LinkNumber number = link.ends.local_number;
    const bool hello_due = hellos_->hello_due(number);
    const bool as_data = link.open() && !hello_due;
    DatagramBuilder datagram{fitting(buffer, budget_, link),
                             as_data ? DatagramKind::data : DatagramKind::hello};
    if (as_data) {
        write_varint(datagram.out(), link.ends.remote_number);
    } else {
        const bool messages_follow = hellos_->write_hello(now, link, datagram);
        datagram.book(Purpose::overlay);
        if (!messages_follow) return finish(now, link.ends, hello_due, datagram);
    }
    Waiting& waiting = waiting_[number];
    link.write_header(now, datagram);
    SentRecord record{.frame = frame_};
    const std::size_t before = datagram.out().bit_count();
    const auto writers = std::span{asked_.writers}.last(waiting.writer_due ? asked_.writers.size() : 1);
    write_all(writers.first(writers.size() - 1), now, link, datagram);
    if (turns_.prompt) link.write_prompt(datagram, record);
    write_all(writers.last(1), now, link, datagram);
    const std::size_t loose_written = write_loose(waiting.loose, datagram);
    link.write_reliable(datagram, record, {repeats(now, link, pace_), pace_.reliable_bits()});
    const bool is_empty = datagram.out().bit_count() == before;
    if (is_empty && !waiting.even_empty && as_data) return std::nullopt;  // none of its messages fits
    if (waiting.probe || (is_empty && is_quiet(now, link, options_))) write_keep_alive(datagram);
    write_all(asked_.riders, now, link, datagram);
    auto sent = finish(now, link.ends, hello_due, datagram);
    if (!sent) return sent;
    link.sent(now, record);
    pace_.count(sent->bytes.size() + header_bytes(sent->to), {turns_.prompt, waiting.scheduled});
    for (const Writer& rider : asked_.riders) (void)rider.part->handle_sent(now, number);
    waiting.writer_due = waiting.even_empty = waiting.probe = false;
    for (const Writer& writer : writers.first(writers.size() - 1)) {
        if (writer.part->handle_sent(now, number)) waiting.writer_due = true;
    }
    if (!writers.back().part->handle_sent(now, number)) waiting.scheduled = false;
    if (loose_written > 0) waiting.loose.pop(loose_written);
    return sent;
}

inline std::optional<Datagram> Outbound::finish(Instant now, const LinkEnds& ends, bool hello_due,
                                                DatagramBuilder& datagram) {
    if (!spend(now, datagram.network_bytes(ends.address))) return std::nullopt;
    if (hello_due) hellos_->handle_hello_sent(now, ends.local_number);
    return Datagram{ends.address, datagram.finish(ends.remote_token, ends.address, ledger_)};
}

std::size_t Outbound::memory_bytes() const {
    std::size_t sum = sizeof(*this) + waiting_.heap_bytes() + farewells_.capacity() * sizeof(Farewell) +
                      strangers_.heap_bytes() + reliable_.capacity() +
                      (asked_.writers.capacity() + asked_.riders.capacity()) * sizeof(Writer) +
                      (urgent_.capacity() + skipped_.capacity() + scheduled_.capacity()) * sizeof(LinkNumber);
    for (const Waiting& waiting : waiting_) sum += waiting.loose.heap_bytes();
    return sum;
}

}  // namespace fray
