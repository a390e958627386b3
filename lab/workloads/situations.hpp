#pragma once
// The canonical situations of 3.4 and their requirements. fray advise uses them as defaults (situation =
// "death_decision"), and the experiment consistency_situations tests every algorithm against them.

#include "lab/metrics/requirements.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fray::lab {

/// What keeps the entity consistent.
enum class Means : std::uint8_t {
    nothing,     ///< nothing can interact with it (3.2)
    algorithm,   ///< one of fray/consistency.hpp: measured
    trade_desk,  ///< locking (4.3): fray/trade.hpp
    chat_room,   ///< one order for all (4.3): fray/chat.hpp
};

inline constexpr std::string_view kTrade = "trade";

struct Situation {
    std::string_view name;
    std::string_view title;         ///< as in 3.4
    std::vector<EntityKind> types;  ///< entity types that can be in it
    Factors factors;
    Tolerances tolerances;
    std::string_view reason;      ///< for the tolerances, with the sections of the paper
    std::string_view means_note;  ///< what to do if no algorithm is needed; otherwise empty
};

/// In the order of 3.4.
[[nodiscard]] std::span<const Situation> situations();
[[nodiscard]] const Situation* find_situation(std::string_view name);
[[nodiscard]] const std::vector<std::string>& situation_names();

/// situation: nullptr if none is named.
[[nodiscard]] Means means_for(EntityKind type, const Factors& factors, const Situation* situation);

}  // namespace fray::lab
