#pragma once
// Small helpers for painting with an ImGui draw list.

#include "games/panzer/client/hud.hpp"
#include "games/panzer/client/look.hpp"

#include <imgui.h>

#include <string_view>

namespace fray::panzer::client {

struct Painter {
    ImDrawList* list;
    const Fonts& fonts;
    ImVec2 size;

    void text(ImFont* font, float height, ImVec2 at, std::uint32_t colour, std::string_view words,
              float alpha = 1) const {
        list->AddText(font, height, {at.x + 1, at.y + 1}, ink(0, 0.55F * alpha), words.data(),
                      words.data() + words.size());
        list->AddText(font, height, at, ink(colour, alpha), words.data(), words.data() + words.size());
    }
    [[nodiscard]] float width(ImFont* font, float height, std::string_view words) const {
        return font->CalcTextSizeA(height, 1e9F, 0, words.data(), words.data() + words.size()).x;
    }
    void centred(ImFont* font, float height, float y, std::uint32_t colour, std::string_view words) const {
        const float wide = width(font, height, words);
        const float x = (size.x - wide) / 2;
        panel({x - height * 0.6F, y - height * 0.15F}, {wide + height * 1.2F, height * 1.45F}, 0.6F);
        text(font, height, {x, y}, colour, words);
    }
    /// A dark rounded panel; `rim`: a colour, or 0.
    void panel(ImVec2 at, ImVec2 extent, float alpha, std::uint32_t rim = 0) const {
        const ImVec2 end{at.x + extent.x, at.y + extent.y};
        const float round = fonts.unit * 0.3F;
        list->AddRectFilled(at, end, ink(look::kPanel, alpha), round);
        if (rim != 0) list->AddRect(at, end, ink(rim, alpha), round, 0, 1.6F);
    }
    /// "destroyed": a shell that flies to the right.
    void shell_sign(ImVec2 middle, float r, float alpha) const {
        list->AddRectFilled({middle.x - r * 1.4F, middle.y - r * 0.45F},
                            {middle.x + r * 0.4F, middle.y + r * 0.45F}, ink(look::kAccent, alpha), r * 0.2F);
        list->AddTriangleFilled({middle.x + r * 0.4F, middle.y - r * 0.45F}, {middle.x + r * 1.5F, middle.y},
                                {middle.x + r * 0.4F, middle.y + r * 0.45F}, ink(look::kFire, alpha));
    }
};

}  // namespace fray::panzer::client
