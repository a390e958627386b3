#pragma once
// Sound effects, synthesised at start-up. Without an audio device the game is silent, and says so.

#include "games/panzer/client/effects.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

struct Mix_Chunk;

namespace fray::panzer::client {

enum class Tone : std::uint8_t {
    shot,
    far_shot,
    launch,
    explosion,
    far_explosion,
    hit,
    shield,
    item,
    confirmed,
    click
};
inline constexpr std::size_t kTones = 10;
inline constexpr int kSoundRate = 44100;

/// Where the player hears from.
struct Ear {
    Vec2 place{};
    float yaw = 0;
    float speed = 0;  ///< of the own tank, 0 to 1
    bool is_alive = false;
};

/// Samples of one channel, -1 to 1. The same for the same tone.
[[nodiscard]] std::vector<float> make_tone(Tone tone);
/// An engine's hum of so many samples, at a speed of 0 to 1. `phase` is carried from call to call.
void make_engine(float speed, std::span<float> samples, double& phase);

class Sound {
public:
    Sound();
    ~Sound();
    Sound(const Sound&) = delete;
    Sound& operator=(const Sound&) = delete;

    /// Why there is no sound; empty: there is.
    [[nodiscard]] const std::string& complaint() const { return complaint_; }
    void set_volume(float volume);
    void play(std::span<const Noise> noises, const Ear& ear, float seconds);
    void click() { play_tone(Tone::click, 0.5F, 0); }

private:
    /// `side`: -1 left to 1 right.
    void play_tone(Tone tone, float loudness, float side);

    bool is_open_ = false;
    float volume_ = 0.7F;
    std::string complaint_;
    std::array<std::vector<std::uint8_t>, kTones> bytes_;
    std::array<Mix_Chunk*, kTones> chunks_{};
    struct Engine;
    Engine* engine_ = nullptr;
};

}  // namespace fray::panzer::client
