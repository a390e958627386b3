#pragma once
// One member's copy of the log, and its part in ordering lines; fray/chat.hpp describes the protocol.

#include <fray/chat.hpp>

#include "chat/chat_packet.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace fray {

class ChatLog {
public:
    ChatLog(Instant now, const PeerId& self, const ChatOptions& options);

    [[nodiscard]] std::optional<PeerId> serializer() const;
    [[nodiscard]] std::size_t waiting() const { return own_.size(); }
    [[nodiscard]] std::uint64_t rejected() const { return rejected_; }

    void handle_message(Instant now, const PeerId& from, std::span<const std::uint8_t> bytes);
    void handle_time(Instant now);

    Result<void> add_member(const PeerId& peer);
    void remove_member(Instant now, const PeerId& peer);
    Result<void> say(std::string_view text);

    [[nodiscard]] std::optional<ChatMessage> poll_message();
    [[nodiscard]] std::optional<ChatEvent> poll_event();
    [[nodiscard]] Instant poll_wakeup() const { return next_tick_; }

private:
    [[nodiscard]] bool is_member(const PeerId& peer) const;
    [[nodiscard]] bool is_plausible(const ChatPacket& packet) const;
    /// Our lines are the beginning of the log that was placed in these eras.
    [[nodiscard]] bool is_beginning_of(const std::vector<ChatEra>& eras) const;
    [[nodiscard]] bool leading() const { return opened_ && term_.serializer == self_; }

    // As a member.
    void receive(Instant now, const PeerId& from, const ChatPacket& packet);
    void receive_newer(Instant now, const PeerId& from, const ChatPacket& packet);
    void receive_lines(const ChatPacket& packet);
    void follow(const ChatPacket& open);
    void adopt(Instant now, const ChatTerm& term);
    void join_log(const ChatPacket& theirs);
    void start_afresh(const ChatPacket& open);
    void show(const PlacedLine& line);
    void tell_game(ChatEvent event);
    void offer_own();
    void ask_for_missing();

    // As serializer, or while becoming it.
    void take_office(Instant now);
    void receive_state(const PeerId& from, const ChatPacket& packet);
    void take_lines(const PeerId& from, const ChatPacket& packet);
    void open_term();
    void place(const PeerId& author, const ChatPacket& packet);
    void answer_want(const PeerId& from, const ChatPacket& packet);

    void tell(const PeerId& to, ChatPacket packet);
    void tell_all(const ChatPacket& packet);
    [[nodiscard]] ChatPacket open_packet() const;
    [[nodiscard]] std::vector<PlacedLine> kept_from(std::uint64_t place) const;
    [[nodiscard]] std::uint64_t oldest() const { return next_ - kept_.size(); }
    [[nodiscard]] std::vector<SaidBy> said() const;
    [[nodiscard]] std::uint32_t said_by(const PeerId& author) const;

    PeerId self_;
    ChatOptions options_;
    std::vector<PeerId> members_;                // ascending, without ourselves
    ChatTerm term_;                              // the term we follow
    bool opened_ = false;                        // the term has begun for us
    bool fresh_ = true;                          // never followed a term
    std::uint64_t next_ = 0;                     // the place of the next line to show
    std::vector<ChatEra> eras_;                  // in which our lines were placed, newest last
    std::uint64_t announced_ = 0;                // number of places that exist
    std::deque<PlacedLine> kept_;                // the lines before next_
    std::map<std::uint64_t, PlacedLine> early_;  // arrived before their turn
    std::map<PeerId, std::uint32_t> said_;       // by author: lines with a place
    std::deque<PlacedLine> own_;                 // ours without a place
    std::map<PeerId, std::uint64_t> answers_;    // while becoming serializer: `next` of members that answered
    Instant since_;                              // since when we wait for answers, or for a serializer
    Instant next_tick_;
    std::deque<ChatMessage> messages_;
    std::deque<ChatEvent> events_;
    std::uint64_t rejected_ = 0;
};

}  // namespace fray
