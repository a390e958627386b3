#pragma once
// Codes the frames of a screen recording, each against the one before. Tanks and shells are expected to go on
// as they moved last, so most differences are a few steps of 0.02 m; a tank that does what was expected, such
// as one that stands still, takes one bit.

#include <fray/bits.hpp>

#include "games/panzer/match/screen_frame.hpp"

#include <cstdint>
#include <vector>

namespace fray::panzer {

class ScreenCodec {
public:
    explicit ScreenCodec(const ScreenHeader& header)
        : corner_{header.corner()}, mode_{header.mode}, interval_{1000 / header.ticks_per_second} {}

    /// Appends a frame that is later than frame().
    void write(ScreenFrame frame, std::vector<std::uint8_t>& out);
    /// Reads the next frame into frame(). False if the bits hold no frame, or one that is not later, or a
    /// value outside its range. The work is proportional to the bits read.
    [[nodiscard]] bool read(BitReader& in);

    /// The last frame that was written or read.
    [[nodiscard]] const ScreenFrame& frame() const { return frame_; }
    [[nodiscard]] bool has_frame() const { return has_frame_; }

private:
    /// What of a tank changes all the time.
    struct Stance {
        ScreenPlace place;
        std::uint16_t hull = 0;
        std::uint16_t turret = 0;
        friend constexpr bool operator==(const Stance&, const Stance&) = default;
    };
    /// How a tank or shell moved from the last frame but one to the last.
    struct Motion {
        std::int32_t x = 0;
        std::int32_t y = 0;
        std::int32_t hull = 0;
        std::int32_t turret = 0;
    };

    // `target` is the frame to write; readers do not use it.
    template <class Stream>
    void code(Stream& stream, ScreenFrame& target);
    template <class Stream>
    void code_time(Stream& stream, std::uint32_t target);
    template <class Stream>
    void code_counts(Stream& stream, const ScreenFrame& target);
    template <class Stream>
    void code_tank(Stream& stream, std::size_t slot, const ScreenTank& target);
    template <class Stream>
    void code_stance(Stream& stream, Stance& stance, const Stance& expected) const;
    template <class Stream>
    void code_shells(Stream& stream, std::vector<ScreenShell>& target);
    template <class Stream>
    void code_new_shell(Stream& stream, ScreenShell& shell) const;
    template <class Stream>
    void code_things(Stream& stream, ScreenFrame& target);
    template <class Stream>
    void code_place(Stream& stream, ScreenPlace& place, const ScreenPlace& expected) const;

    [[nodiscard]] ScreenPlace expected_place(const ScreenPlace& place, const Motion& motion) const;
    [[nodiscard]] Stance expected_stance(std::size_t slot) const;
    [[nodiscard]] bool is_same_shell(std::size_t held, const ScreenShell& shell) const;
    void move_tank(std::size_t slot, const Stance& stance);
    static Motion motion_between(const ScreenPlace& from, const ScreenPlace& to);

    ScreenPlace corner_;
    Mode mode_;
    std::uint32_t interval_;  // milliseconds between the last two frames
    bool has_frame_ = false;
    ScreenFrame frame_;
    std::vector<Motion> tank_motions_;
    std::vector<Motion> shell_motions_;
};

}  // namespace fray::panzer
