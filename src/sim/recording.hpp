#pragma once
// A recording of a run: options, seed, and all input (peers, schedule, partitions, every command of every
// game, with its place in the run). A replay gives the same datagrams, checked by the trace hash.
//
//     Recorder recorder{swarm, "patrol"};              // before the first add_peer()
//     ...                                              // set up, run
//     auto saved = recorder.finish().save(path, Overwrite::no);
//
//     auto recording = Recording::load(path);
//     auto outcome = replay(*recording, {}, nullptr);  // outcome->same
//
// File: "FRAYREC" and a version byte; u64 size of the body as stored; u64 its size unpacked; u64 digest of
// the stored body; the body, packed with zlib. Numbers are little-endian.

#include <fray/swarm.hpp>

#include "sim/archive.hpp"
#include "sim/file.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace fray::sim {

struct Parameter {
    std::string name;
    std::string value;
};

class Recording {
public:
    static constexpr std::uint8_t kVersion = 6;

    Seed seed;
    SwarmOptions options;
    std::string workload;               ///< for people: a replay needs only the games' commands
    std::vector<Parameter> parameters;  ///< of the workload
    std::vector<World> worlds;
    std::vector<std::uint64_t> world_fingerprints;
    std::uint64_t input_count = 0;
    std::vector<std::uint8_t> inputs;  ///< packed RecordedInputs
    Duration end{};
    std::uint64_t trace_hash = 0;
    std::uint64_t sent = 0;
    std::uint64_t delivered = 0;

    /// Returns an error of one line if the file is unreadable, cut off, damaged, of another version, or no
    /// recording.
    [[nodiscard]] static Result<Recording> load(const std::string& path);
    [[nodiscard]] Result<void> save(const std::string& path, Overwrite overwrite) const;
    /// The bytes of a file; `name` is used in errors.
    [[nodiscard]] std::vector<std::uint8_t> to_bytes() const;
    [[nodiscard]] static Result<Recording> from_bytes(std::span<const std::uint8_t> bytes,
                                                      const std::string& name);
    /// The same without magic, checksum and packing.
    [[nodiscard]] static Result<Recording> from_body(std::span<const std::uint8_t> plain,
                                                     const std::string& name);
};

// --- inputs, in the order they were given ---

struct AddedPeer {
    std::uint32_t world = 0;  ///< in Recording::worlds
    PeerOptions options;      ///< its own world is not used
    PeerPlan plan;
};
struct GameCommand {
    PeerIndex peer = 0;
    CommandKind kind{};
    EntityId entity{};
    State state{};
    Outgoing message{};
    PeerIndex through = 0;
    Consistency consistency{};
    EntityId target{};
    RequestId request{};
    std::vector<std::uint8_t> bytes{};
    Tenure tenure{};
    PeerId to{};
    AttentionWeights attention{};
};
struct RecordedInput {
    Duration at{};
    std::uint64_t events = 0;    ///< queue events handled before it
    std::uint64_t callback = 0;  ///< number of the workload's callback that gave it; 0: none
    std::variant<AddedPeer, Action, Partition, GameCommand> what;
};

/// Writes and reads inputs; times and counts as differences to the last one.
class InputCodec {
public:
    void write(RecordedInput& input, std::vector<std::uint8_t>& out);
    /// False if the bytes hold no valid input.
    [[nodiscard]] bool read(ArchiveReader& in, RecordedInput& input);

private:
    template <class A>
    void code(A& archive, RecordedInput& input);

    std::int64_t at_ = 0;
    std::int64_t events_ = 0;
    std::int64_t callback_ = 0;
};

/// Watches a swarm from before the first add_peer() on. The swarm must outlive it and must not be moved.
class Recorder : public Observer {
public:
    Recorder(Swarm& swarm, std::string workload, std::vector<Parameter> parameters = {});
    /// The recording up to now.
    [[nodiscard]] Recording finish() const;

    void on_peer_added(PeerIndex index, const PeerOptions& options, const PeerPlan& plan) override;
    void on_scheduled(const Action& action) override;
    void on_partition(const Partition& partition) override;
    void on_command(const Command& command) override;

private:
    void add(RecordedInput input);
    std::uint32_t world_number(const World& world);

    Swarm& swarm_;
    InputCodec codec_;
    Recording recording_;
};

struct ReplayOptions {
    /// Worlds with entity types of a game: their code is not in the file. Looked up by name and fingerprint.
    std::vector<World> worlds;
};

/// Called after every step; returns false to end the replay.
class ReplayListener {
public:
    virtual ~ReplayListener() = default;
    virtual bool on_step(const Step& step, const Swarm& swarm) = 0;
};

struct ReplayOutcome {
    bool complete = false;  ///< false: the listener ended it
    bool same = false;      ///< complete, with the recorded hash
    std::uint64_t trace_hash = 0;
    SwarmCounts counts;
};

[[nodiscard]] Result<ReplayOutcome> replay(const Recording& recording, const ReplayOptions& options,
                                           ReplayListener* listener);

}  // namespace fray::sim
