#pragma once
// Reads the body of a data datagram: header, acknowledgements, messages. Each message goes to the part that
// registered its kind, in one call. Received bytes are not trusted: what is malformed is dropped and counted,
// nothing here allocates after warm-up, and no loop is longer than the datagram.

#include <fray/bits.hpp>
#include <fray/stats.hpp>

#include "core/outbox.hpp"
#include "core/part.hpp"
#include "link/link_table.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace fray {

class DatagramReader {
public:
    DatagramReader(LinkTable& links, RejectionCounts& rejections) : links_{links}, rejections_{rejections} {}
    /// Routes messages of the part's kinds to it.
    void add_part(Part& part);
    /// Reports acknowledged datagrams to the writer.
    void add_writer(DatagramWriter& writer) { writers_.push_back(&writer); }

    /// The link that a data datagram belongs to, found by the number it begins with and checked by its token;
    /// nullptr if there is none.
    [[nodiscard]] Link* find_link(Token token, BitReader& in);

    enum class Outcome : std::uint8_t {
        whole,    ///< read to its end; will be acknowledged
        refused,  ///< not acknowledged: the sender must retransmit its reliable messages
        goodbye,  ///< the other side left
    };
    [[nodiscard]] Outcome read_body(Instant now, Link& link, std::uint32_t counter, BitReader& in);
    /// Offers ordered messages that no part took again.
    void offer_again(Instant now);
    [[nodiscard]] std::size_t memory_bytes() const {
        return sizeof(*this) + assembled_.capacity() + assembled_sizes_.capacity() * sizeof(std::size_t) +
               writers_.capacity() * sizeof(DatagramWriter*);
    }

private:
    /// Collected while one datagram is read.
    struct Reading {
        Arrival arrival;
        Link& link;
        bool wants_ack = false;
        AckWait ack_wait = AckWait::updates;
        bool said_goodbye = false;
        bool in_fragments = false;  // the messages being read came in fragments
    };
    class Sink;

    void report_delivered(const Link& link, const Fates& fates);
    /// Reads messages until the end; false if the datagram must not be acknowledged.
    bool read_messages(Reading& reading, BitReader& in);
    bool read_message(Reading& reading, MessageKind kind, BitReader& in);
    static void want_ack(Reading& reading, AckWait wait = AckWait::usual) {
        reading.wants_ack = true;
        reading.ack_wait = std::min(reading.ack_wait, wait);
    }
    bool read_fragment(Reading& reading, BitReader& in);
    bool read_assembled(Reading& reading);
    [[nodiscard]] Receipt hand_over(const Arrival& arrival, std::uint8_t number, BitReader& in);
    bool reject(Rejection why) {
        rejections_.count(why);
        return false;
    }

    LinkTable& links_;
    RejectionCounts& rejections_;
    std::array<Part*, kMessageKinds> parts_{};  // by kind
    std::vector<DatagramWriter*> writers_;
    // Messages reassembled from fragments; read after the datagram itself.
    std::vector<std::uint8_t> assembled_;
    std::vector<std::size_t> assembled_sizes_;
};

}  // namespace fray
