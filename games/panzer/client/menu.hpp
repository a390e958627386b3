#pragma once
// The menu: over a battle of bots at the start, over the own battle after Escape.

#include "games/panzer/client/hud.hpp"
#include "games/panzer/client/settings.hpp"

#include <optional>
#include <string>

namespace fray::panzer::client {

enum class Wish : std::uint8_t { none, play, host, join, resume, leave, quit, settings_changed };

class Menu {
public:
    enum class Page : std::uint8_t { top, battle, host, join, settings, keys };

    /// Draws it, and returns what the player chose in this frame.
    [[nodiscard]] Wish draw(Settings& settings, bool in_battle, const Fonts& fonts, const glm::vec2& size);
    void open(Page page) { page_ = page; }
    [[nodiscard]] Page page() const { return page_; }
    /// A sentence for the player; empty: none.
    void tell(std::string message) { message_ = std::move(message); }
    [[nodiscard]] const std::string& message() const { return message_; }
    /// While a key is being chosen for an action, the program gives its name here.
    [[nodiscard]] bool waits_for_key() const { return rebinding_.has_value(); }
    void take_key(const std::string& name, Settings& settings);

private:
    void draw_message(const Fonts& fonts, const glm::vec2& size) const;
    [[nodiscard]] Wish draw_page(Settings& settings, bool in_battle);
    [[nodiscard]] Wish draw_top(const Settings& settings, bool in_battle);
    [[nodiscard]] Wish draw_battle(Settings& settings, Wish start);
    [[nodiscard]] Wish draw_join(Settings& settings);
    [[nodiscard]] Wish draw_settings(Settings& settings);
    [[nodiscard]] Wish draw_keys(Settings& settings);

    Page page_ = Page::top;
    std::string message_;
    std::optional<Action> rebinding_;
    const Fonts* fonts_ = nullptr;
};

}  // namespace fray::panzer::client
