#include "games/panzer/client/net_panel.hpp"

#include "games/panzer/client/paint.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace fray::panzer::client {

namespace {

constexpr std::array<std::uint32_t, kPurposeCount> kPurposeColours{0xFFB000, 0x2BD9E8, 0xE5645A, 0x9B7BE6,
                                                                   0x46C35F, 0xE07F2E, 0xCF68C6, 0x5B92E5,
                                                                   0x7B8794, 0x9AA5AF, 0x5A636B, 0x444B52};

class Panel {
public:
    Panel(const Painter& painter, ImVec2 at, float wide) : p{painter}, at_{at}, wide_{wide} {}
    void title(const char* words) {
        at_.y += u() * 0.25F;
        p.text(p.fonts.strong, u(), at_, look::kAccent, words);
        at_.y += u() * 1.45F;
    }
    void line(const char* name, const char* value) {
        p.text(p.fonts.words, u() * 0.88F, at_, 0xC9C5BC, name);
        p.text(p.fonts.figures, u() * 0.88F,
               {at_.x + wide_ - p.width(p.fonts.figures, u() * 0.88F, value), at_.y}, look::kText, value);
        at_.y += u() * 1.22F;
    }
    template <class... Args>
    void line(const char* name, const char* format, Args... args) {
        std::array<char, 64> text{};
        std::snprintf(text.data(), text.size(), format, args...);
        line(name, text.data());
    }
    /// One bar, cut into the shares of all purposes.
    void upload(const NetView& net) {
        float x = at_.x;
        for (std::size_t i = 0; i < kPurposeCount && net.upload_total_kbps > 0; ++i) {
            const float wide = wide_ * net.upload_kbps[i] / net.upload_total_kbps;
            p.list->AddRectFilled({x, at_.y}, {x + wide, at_.y + u() * 0.8F}, ink(kPurposeColours[i]));
            x += wide;
        }
        at_.y += u() * 1.15F;
        std::array<std::size_t, kPurposeCount> order{};
        for (std::size_t i = 0; i < kPurposeCount; ++i) order[i] = i;
        std::ranges::sort(
            order, [&](std::size_t a, std::size_t b) { return net.upload_kbps[a] > net.upload_kbps[b]; });
        for (std::size_t i = 0; i < 5; ++i) {
            const std::size_t purpose = order[i];
            p.list->AddRectFilled({at_.x, at_.y + u() * 0.25F}, {at_.x + u() * 0.6F, at_.y + u() * 0.85F},
                                  ink(kPurposeColours[purpose]));
            std::string name = "      " + std::string{to_string(static_cast<Purpose>(purpose))};
            std::ranges::replace(name, '_', ' ');
            line(name.c_str(), "%.1f kbit/s", static_cast<double>(net.upload_kbps[purpose]));
        }
    }
    void graph(const char* name, const std::array<float, NetView::kHistory>& history, std::size_t count,
               std::uint32_t colour) {
        const float high = u() * 2.3F;
        p.list->AddRectFilled(at_, {at_.x + wide_, at_.y + high}, ink(0, 0.35F), u() * 0.2F);
        float most = 1;
        for (const float value : history) most = std::max(most, value);
        const std::size_t shown = std::min(count, NetView::kHistory);
        for (std::size_t i = 0; i < shown; ++i) {
            const float value = history[(count - shown + i) % NetView::kHistory];
            const float x =
                at_.x + wide_ * static_cast<float>(NetView::kHistory - shown + i) / NetView::kHistory;
            p.list->AddRectFilled({x, at_.y + high - high * 0.92F * value / most},
                                  {x + wide_ / NetView::kHistory - 0.6F, at_.y + high}, ink(colour, 0.85F));
        }
        std::array<char, 64> text{};
        std::snprintf(text.data(), text.size(), "%s, 30 s, most %.0f", name, static_cast<double>(most));
        p.text(p.fonts.words, u() * 0.78F, {at_.x + u() * 0.4F, at_.y + u() * 0.2F}, look::kText,
               text.data());
        at_.y += high + u() * 0.4F;
    }
    [[nodiscard]] float y() const { return at_.y; }

private:
    [[nodiscard]] float u() const { return p.fonts.unit; }
    const Painter& p;
    ImVec2 at_;
    float wide_;
};

std::string figure(const std::optional<double>& value, const char* format) {
    std::array<char, 48> text{};
    if (!value) return "-";
    std::snprintf(text.data(), text.size(), format, *value);
    return text.data();
}

/// The five metrics, and what else a player can see of the netcode. What Time Warp does not have is left out.
void paint_feel(Panel& panel, const NetView& net) {
    panel.title("What you feel, in the last second");
    if (net.warps) {
        panel.line("response time", "%.0f ms", static_cast<double>(net.response_ms));
        panel.line("visible jumps", "%.2f /s", static_cast<double>(net.jumps_per_s));
        panel.line("rollbacks", "%.1f /s", static_cast<double>(net.rollbacks_per_s));
        panel.line("their depth", "%.0f ms", static_cast<double>(net.depth_ms));
        return;
    }
    const games::Feel& feel = net.feel;
    panel.line("state divergence", figure(feel.divergence, "%.2f m").c_str());
    panel.line("propagation delay", figure(feel.propagation_ms, "%.0f ms").c_str());
    panel.line("corrections per tank", "%.1f /s of %.2f m", feel.corrections_per_s, feel.correction);
    panel.line("response time", figure(feel.response_ms, "%.0f ms").c_str());
    panel.line("animation delay", figure(feel.animation_ms, "%.0f ms").c_str());
    panel.line("visible jumps", "%.2f /s", static_cast<double>(net.jumps_per_s));
    panel.line("oldest update", "%.0f ms", static_cast<double>(net.age_ms_most));
    if (net.psense.near + net.psense.sensors > 0)
        panel.line("near, sensor nodes", "%u, %u", net.psense.near, net.psense.sensors);
    else
        panel.line("in focus; guided tanks", "%u of %zu; %.0f %%", net.focus.in_focus, net.links.size(),
                   static_cast<double>(net.guided_share) * 100);
}

void paint_links(const Painter& p, ImVec2 at, const NetView& net, const Moment& moment, std::size_t most) {
    const float u = p.fonts.unit;
    p.text(p.fonts.strong, u, at, look::kAccent, "Links");
    at.y += u * 1.45F;
    p.text(p.fonts.figures, u * 0.8F, at, 0xA9A69F, "player        RTT  jit   loss  age");
    at.y += u * 1.15F;
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < std::min(net.tanks.size(), moment.scores.size()); ++i) {
        if (i != moment.own && net.tanks[i].is_linked) order.push_back(i);
    }
    std::ranges::stable_partition(order, [&](std::size_t i) { return net.tanks[i].in_focus; });
    for (const std::size_t i : std::span{order}.first(std::min(order.size(), most))) {
        const NetTank& tank = net.tanks[i];
        std::array<char, 96> text{};
        std::snprintf(text.data(), text.size(), "%-12.12s %4.0f %4.0f %5.1f%% %4.0f",
                      moment.scores[i].name.c_str(), static_cast<double>(tank.rtt_ms),
                      static_cast<double>(tank.jitter_ms), static_cast<double>(tank.loss) * 100,
                      static_cast<double>(tank.age_ms));
        p.text(p.fonts.figures, u * 0.8F, at, tank.in_focus ? look::kFocus : look::kText, text.data());
        at.y += u * 1.1F;
    }
}

}  // namespace

void draw_net_panel(const NetView& net, const Moment& moment, const Fonts& fonts, const glm::vec2& size) {
    const Painter p{ImGui::GetForegroundDrawList(), fonts, {size.x, size.y}};
    const float u = fonts.unit;
    const float wide = u * (kNetPanelWidth - 1);
    const ImVec2 at{size.x - wide - u * 0.6F, u * 0.6F};
    p.panel(at, {wide, size.y - u * 1.2F}, 0.84F);
    Panel panel{p, {at.x + u * 0.9F, at.y + u * 0.3F}, wide - u * 1.8F};
    panel.title("Upload by purpose");
    panel.upload(net);
    panel.line("all, and download", "%.0f / %.0f kbit/s", static_cast<double>(net.upload_total_kbps),
               static_cast<double>(net.download_kbps));
    panel.graph("upload kbit/s", net.upload_history, net.history, look::kAccent);
    panel.graph("mean RTT ms", net.rtt_history, net.history, look::kGuided);
    paint_feel(panel, net);
    const float rest = at.y + size.y - u * 1.2F - panel.y();
    paint_links(p, {at.x + u * 0.9F, panel.y() + u * 0.3F}, net, moment,
                static_cast<std::size_t>(std::max(0.0F, rest / (u * 1.1F) - 4)));
}

void draw_net_graph(const NetView& net, const Fonts& fonts, const glm::vec2& size) {
    const Painter p{ImGui::GetBackgroundDrawList(), fonts, {size.x, size.y}};
    const float u = fonts.unit;
    p.panel({u * 0.95F, u * 12.2F}, {u * 11, u * 5.9F}, 0.75F);
    Panel panel{p, {u * 1.2F, u * 12.5F}, u * 10.5F};
    panel.graph("upload kbit/s", net.upload_history, net.history, look::kAccent);
    panel.graph("age of updates ms", net.age_history, net.history, look::kReceived);
}

}  // namespace fray::panzer::client
