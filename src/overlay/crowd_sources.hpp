#pragma once
// For each row of the roster but our own, the member that bundles the row's states for us.

#include "overlay/roster.hpp"

#include <cstdint>
#include <vector>

namespace fray {

class CrowdSources {
public:
    static constexpr Duration kSilence{4s};    ///< a relay that sends nothing for so long is replaced, ...
    static constexpr Duration kAvoidFor{20s};  ///< ... and avoided
    static constexpr Duration kReplaceEvery{30s};  ///< however well it does

    explicit CrowdSources(std::uint32_t own_name) : own_name_{own_name} {}

    /// Once per round: replaces relays that fail, refused, or have served long enough.
    void choose(Instant now, CrowdRoster& roster);
    /// How many peers of its row have refused since one of them sent a bundle, at most kMostRefusals.
    [[nodiscard]] std::uint8_t refusals(const CrowdRoster& roster, std::uint32_t name) const;
    /// Whether this peer is to relay its row to us.
    [[nodiscard]] bool has(const CrowdRoster& roster, std::uint32_t name) const;
    /// It sent a bundle.
    void handle_bundle(Instant now, const CrowdRoster& roster, std::uint32_t name);
    /// It does not relay to us: another one will.
    void handle_refusal(Instant now, CrowdRoster& roster, std::uint32_t name);
    void clear() { sources_.clear(); }
    [[nodiscard]] std::size_t heap_bytes() const { return sources_.capacity() * sizeof(Source); }

private:
    struct Source {
        std::uint32_t current = 0;   // its name; 0: none
        std::uint32_t previous = 0;  // still relays until the current one does
        std::uint32_t choices = 0;
        std::uint8_t refusals = 0;  // since the last bundle
        Instant chosen{};
        Instant heard{};
    };
    void follow_rows(const CrowdRoster& roster);
    void choose(Instant now, std::uint32_t row, Source& source, CrowdRoster& roster);
    [[nodiscard]] std::uint32_t pick(Instant now, std::uint32_t row, const Source& source,
                                     CrowdRoster& roster) const;

    std::uint32_t own_name_;
    std::vector<Source> sources_;  // by row
};

}  // namespace fray
