#include "games/panzer/client/sound.hpp"

#include <SDL.h>
#include <SDL_mixer.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <numbers>

namespace fray::panzer::client {

namespace {

constexpr double kTwoPi = 2 * std::numbers::pi;
constexpr int kChannels = 24;
constexpr float kSilentAt = 140;  // metres

/// White noise, the same each time.
class Hiss {
public:
    float operator()() {
        state_ = state_ * 1664525U + 1013904223U;
        return static_cast<float>(state_ >> 8U) / 8388608.0F - 1;
    }

private:
    std::uint32_t state_ = 12345;
};

/// How a tone is built: a falling pitch, noise through a low-pass, both fading.
struct Recipe {
    float seconds;
    float pitch_from, pitch_to;  // Hz
    float tone, noise;           // loudness
    float cut_from, cut_to;      // of the low-pass, 0 to 1
    float fade;                  // per second
};
constexpr std::array<Recipe, kTones> kRecipes{{{0.28F, 190, 60, 0.6F, 0.9F, 0.7F, 0.1F, 16},
                                               {0.35F, 120, 50, 0.3F, 0.5F, 0.15F, 0.04F, 11},
                                               {0.5F, 130, 45, 0.8F, 0.7F, 0.35F, 0.06F, 8},
                                               {1.3F, 85, 28, 0.9F, 1.0F, 0.45F, 0.03F, 3.4F},
                                               {1.5F, 60, 26, 0.5F, 0.6F, 0.08F, 0.015F, 2.8F},
                                               {0.2F, 420, 160, 0.5F, 0.6F, 0.8F, 0.3F, 20},
                                               {0.35F, 880, 1240, 0.5F, 0.1F, 0.9F, 0.5F, 9},
                                               {0.45F, 520, 1040, 0.6F, 0.0F, 0.5F, 0.5F, 5},
                                               {0.12F, 1500, 1500, 0.5F, 0.0F, 0.5F, 0.5F, 24},
                                               {0.06F, 700, 500, 0.4F, 0.1F, 0.5F, 0.5F, 40}}};

Tone tone_of(Noise::Kind kind, bool is_far) {
    switch (kind) {
        case Noise::Kind::shot:
            return is_far ? Tone::far_shot : Tone::shot;
        case Noise::Kind::launch:
            return Tone::launch;
        case Noise::Kind::explosion:
        case Noise::Kind::destroyed:
            return is_far ? Tone::far_explosion : Tone::explosion;
        case Noise::Kind::hit:
            return Tone::hit;
        case Noise::Kind::shield:
            return Tone::shield;
        case Noise::Kind::item:
            return Tone::item;
        case Noise::Kind::hit_confirmed:
            return Tone::confirmed;
    }
    return Tone::click;
}

}  // namespace

std::vector<float> make_tone(Tone tone) {
    const Recipe& recipe = kRecipes[static_cast<std::size_t>(tone)];
    std::vector<float> samples(static_cast<std::size_t>(recipe.seconds * kSoundRate));
    Hiss hiss;
    double phase = 0;
    float low = 0;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const float share = static_cast<float>(i) / static_cast<float>(samples.size());
        const float at = static_cast<float>(i) / kSoundRate;
        const float pitch = recipe.pitch_from * std::pow(recipe.pitch_to / recipe.pitch_from, share);
        phase += kTwoPi * static_cast<double>(pitch) / kSoundRate;
        const float cut = recipe.cut_from * std::pow(recipe.cut_to / recipe.cut_from, share);
        low += cut * (hiss() - low);
        const float body = recipe.tone * static_cast<float>(std::sin(phase)) + recipe.noise * low;
        const float attack = std::min(1.0F, at * 400);
        const float release = std::min(1.0F, (1 - share) * 12);
        samples[i] = std::tanh(1.6F * body * std::exp(-recipe.fade * at) * attack * release);
    }
    return samples;
}

void make_engine(float speed, std::span<float> samples, double& phase) {
    const double pitch = 38 + 52 * static_cast<double>(speed);
    for (float& sample : samples) {
        phase = std::fmod(phase + pitch / kSoundRate, 64.0);
        const double turn = phase * kTwoPi;
        // Two cylinders that are not quite alike, so that no loop is heard.
        const double hum = std::sin(turn) * 0.5 +
                           std::sin(turn * 2.0 + 0.6 * std::sin(turn * 0.0625)) * 0.35 +
                           std::sin(turn * 3.03125) * 0.2 + std::sin(turn * 0.53125) * 0.25;
        sample = static_cast<float>(std::tanh(hum * 1.3) * (0.35 + 0.45 * static_cast<double>(speed)));
    }
}

/// Shared with the thread of the audio device.
struct Sound::Engine {
    std::atomic<float> speed{0};
    std::atomic<float> volume{0};
    double phase = 0;
    float now = 0, loudness = 0;
    std::vector<float> samples;

    static void mix(void* self, Uint8* stream, int bytes) {
        auto& engine = *static_cast<Engine*>(self);
        const std::size_t frames = static_cast<std::size_t>(bytes) / 4;  // two channels of 16 bits
        engine.samples.resize(frames);
        engine.now += (engine.speed - engine.now) * 0.15F;
        make_engine(engine.now, engine.samples, engine.phase);
        const float to = engine.volume;
        for (std::size_t i = 0; i < frames; ++i) {
            engine.loudness += (to - engine.loudness) * 0.0005F;
            for (std::size_t side = 0; side < 2; ++side) {
                std::int16_t value = 0;
                Uint8* place = stream + i * 4 + side * 2;
                std::memcpy(&value, place, sizeof value);
                const float sum = static_cast<float>(value) + engine.samples[i] * engine.loudness * 5000;
                value = static_cast<std::int16_t>(std::clamp(sum, -32768.0F, 32767.0F));
                std::memcpy(place, &value, sizeof value);
            }
        }
    }
};

Sound::Sound() {
    const bool has_device =
        SDL_InitSubSystem(SDL_INIT_AUDIO) == 0 && Mix_OpenAudio(kSoundRate, AUDIO_S16SYS, 2, 1024) == 0;
    if (!has_device) {
        complaint_ = "There is no sound: no audio device can be opened. The game goes on without it.";
        return;
    }
    is_open_ = true;
    Mix_AllocateChannels(kChannels);
    for (std::size_t tone = 0; tone < kTones; ++tone) {
        std::vector<std::uint8_t>& bytes = bytes_[tone];
        for (const float sample : make_tone(static_cast<Tone>(tone))) {
            const auto value = static_cast<std::int16_t>(std::clamp(sample, -1.0F, 1.0F) * 30000);
            for (int side = 0; side < 2; ++side) {
                bytes.push_back(static_cast<std::uint8_t>(value & 0xFF));
                bytes.push_back(static_cast<std::uint8_t>(value >> 8 & 0xFF));
            }
        }
        chunks_[tone] = Mix_QuickLoad_RAW(bytes.data(), static_cast<Uint32>(bytes.size()));
    }
    engine_ = new Engine;
    Mix_SetPostMix(&Engine::mix, engine_);
}

Sound::~Sound() {
    if (!is_open_) return;
    Mix_SetPostMix(nullptr, nullptr);
    Mix_HaltChannel(-1);
    for (Mix_Chunk* chunk : chunks_) Mix_FreeChunk(chunk);
    Mix_CloseAudio();
    SDL_QuitSubSystem(SDL_INIT_AUDIO);
    delete engine_;
}

void Sound::set_volume(float volume) { volume_ = volume; }

void Sound::play_tone(Tone tone, float loudness, float side) {
    if (!is_open_) return;
    const int channel = Mix_PlayChannel(-1, chunks_[static_cast<std::size_t>(tone)], 0);
    if (channel < 0) return;
    Mix_Volume(channel, static_cast<int>(std::clamp(loudness * volume_, 0.0F, 1.0F) * MIX_MAX_VOLUME));
    const float right = std::clamp(0.5F + 0.5F * side, 0.1F, 0.9F);
    Mix_SetPanning(channel, static_cast<Uint8>((1 - right) * 255), static_cast<Uint8>(right * 255));
}

void Sound::play(std::span<const Noise> noises, const Ear& ear, float) {
    if (!is_open_) return;
    engine_->speed = ear.speed;
    engine_->volume = ear.is_alive ? volume_ : 0.0F;
    for (const Noise& noise : noises) {
        const Vec2 way = noise.place - ear.place;
        const float far = noise.is_own ? 0 : length(way);
        const float share = std::max(0.0F, 1 - far / kSilentAt);
        if (share <= 0) continue;
        constexpr float kFar = 40;
        const float turn = std::atan2(way.y, way.x) - ear.yaw;
        play_tone(tone_of(noise.kind, far > kFar), share * share, far < 3 ? 0 : -std::sin(turn));
    }
}

}  // namespace fray::panzer::client
