// Any bytes as the description of a game: refused with one short line that names the file, or valid.

#include <fray/assert.hpp>

#include "lab/advise/description.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace {

using namespace fray::lab::advise;

void is_sound(const Description& description, std::size_t index) {
    const Entity& entity = description.entities[index];
    FRAY_ASSERT(!entity.name.empty() && entity.name.size() <= kMostNameLength);
    FRAY_ASSERT(entity.factors.probability >= 0 && entity.factors.probability <= 1);
    FRAY_ASSERT(std::isfinite(entity.factors.timescale_ms) && entity.factors.timescale_ms >= 0);
    for (const fray::lab::Metric& metric : fray::lab::metrics()) {
        const auto& allowed = entity.tolerances.*metric.allowed;
        FRAY_ASSERT(!allowed || (*allowed >= 0 && *allowed <= metric.most));
    }
    FRAY_ASSERT(!entity.interval || *entity.interval > fray::Duration{});
    FRAY_ASSERT(!entity.speed || *entity.speed > 0);
    if (!entity.same_as) return;
    FRAY_ASSERT(*entity.same_as < description.entities.size() && *entity.same_as != index);
    FRAY_ASSERT(!description.entities[*entity.same_as].same_as);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text{reinterpret_cast<const char*>(data), size};  // NOLINT(*-reinterpret-cast)
    const auto description = parse_description(text, "game.toml");
    if (!description) {
        const std::string& message = description.error().message;
        FRAY_ASSERT(message.starts_with("game.toml:") && message.size() < 500);
        FRAY_ASSERT(message.find('\n') == std::string::npos);
        return 0;
    }
    FRAY_ASSERT(!description->entities.empty() && description->entities.size() <= kMostEntities);
    for (std::size_t i = 0; i < description->entities.size(); ++i) is_sound(*description, i);
    return 0;
}
