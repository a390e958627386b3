#include "games/snagger/pilot/recording.hpp"

#include <fray/fingerprint.hpp>

#include "games/snagger/pilot/pilot.hpp"
#include "sim/file.hpp"

#include <array>

namespace fray::snagger {

Recording record(Seed seed, std::uint32_t ticks) {
    Recording recording{.seed = seed, .inputs = {}};
    Game game = start(seed);
    std::array<Pilot, kShips> pilots{Pilot{0, seed}, Pilot{1, seed}};
    for (std::uint32_t i = 0; i < ticks; ++i) {
        const Inputs& inputs =
            recording.inputs.emplace_back(Inputs{pilots[0].play(game), pilots[1].play(game)});
        game = step(game, inputs);
    }
    return recording;
}

Game play(const Recording& recording) {
    Game game = start(recording.seed);
    for (const Inputs& inputs : recording.inputs) game = step(game, inputs);
    return game;
}

std::uint64_t trace_hash(const Recording& recording) {
    Fingerprint trace;
    Game game = start(recording.seed);
    trace.add(fingerprint(game));
    for (const Inputs& inputs : recording.inputs) {
        game = step(game, inputs);
        trace.add(fingerprint(game));
    }
    return trace.value();
}

Result<Recording> load_recording(const std::string& file) {
    const auto bytes = sim::read_file(file, kMaxRecordingBytes);
    if (!bytes) return bytes.error();
    return parse_recording(std::string{bytes->begin(), bytes->end()}, file);
}

std::string recording_name(std::size_t i) { return (i < 9 ? "0" : "") + std::to_string(i + 1) + ".txt"; }

Result<std::vector<Recording>> load_recordings(const std::string& folder) {
    std::vector<Recording> all;
    for (std::size_t i = 0; i < kRecordings; ++i) {
        auto recording = load_recording(folder + "/" + recording_name(i));
        if (!recording) return recording.error();
        all.push_back(std::move(recording).value());
    }
    return all;
}

}  // namespace fray::snagger
