#include "chat/chat_log.hpp"

#include <utility>

namespace fray {

Result<void> ChatOptions::check() const {
    const auto sensible = [](Duration value) { return value >= 10ms && value <= 1min; };
    if (!sensible(resend)) return Error{"ChatOptions::resend must be between 10 ms and 1 min"};
    if (!sensible(patience)) return Error{"ChatOptions::patience must be between 10 ms and 1 min"};
    return {};
}

Result<ChatRoom> ChatRoom::open(Instant now, PeerId self, const ChatOptions& options) {
    if (const auto checked = options.check(); !checked) return checked.error();
    return ChatRoom{std::make_unique<ChatLog>(now, self, options)};
}

ChatRoom::ChatRoom(std::unique_ptr<ChatLog> log) : log_{std::move(log)} {}
ChatRoom::ChatRoom(ChatRoom&&) noexcept = default;
ChatRoom& ChatRoom::operator=(ChatRoom&&) noexcept = default;
ChatRoom::~ChatRoom() = default;

std::optional<PeerId> ChatRoom::serializer() const { return log_->serializer(); }
std::size_t ChatRoom::waiting() const { return log_->waiting(); }
std::uint64_t ChatRoom::rejected() const { return log_->rejected(); }

void ChatRoom::handle_message(Instant now, const PeerId& from, std::span<const std::uint8_t> bytes) {
    log_->handle_message(now, from, bytes);
}
void ChatRoom::handle_time(Instant now) { log_->handle_time(now); }

Result<void> ChatRoom::add_member(const PeerId& peer) { return log_->add_member(peer); }
void ChatRoom::remove_member(Instant now, const PeerId& peer) { log_->remove_member(now, peer); }
Result<void> ChatRoom::say(std::string_view text) { return log_->say(text); }

std::optional<ChatMessage> ChatRoom::poll_message() { return log_->poll_message(); }
std::optional<ChatEvent> ChatRoom::poll_event() { return log_->poll_event(); }
Instant ChatRoom::poll_wakeup() const { return log_->poll_wakeup(); }

}  // namespace fray
