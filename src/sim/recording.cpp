#include "sim/recording.hpp"

#include "sim/datagram_pool.hpp"
#include "sim/recording_fields.hpp"
#include "sim/zlib_pack.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace fray::sim {

template <class A>
void fields(A& a, Parameter& parameter) {
    a(parameter.name, parameter.value);
}

namespace {

constexpr std::array<std::uint8_t, 7> kMagic{'F', 'R', 'A', 'Y', 'R', 'E', 'C'};
constexpr std::size_t kHeaderSize = kMagic.size() + 1 + 3 * 8;
constexpr std::uint64_t kMostBody = std::uint64_t{1}
                                    << 31U;  // unpacked: bounds what a file can make us allocate

template <class A>
void body(A& a, Recording& r) {
    a(r.seed.value, r.options, r.workload, r.parameters, r.worlds, r.world_fingerprints, r.input_count,
      r.inputs, r.end, r.trace_hash, r.sent, r.delivered);
}

/// Checks that every input can be read, before a replay starts.
bool inputs_are_sound(const Recording& recording) {
    ArchiveReader reader{recording.inputs};
    InputCodec codec;
    for (std::uint64_t i = 0; i < recording.input_count; ++i) {
        RecordedInput input;
        if (!codec.read(reader, input)) return false;
        const auto* peer = std::get_if<AddedPeer>(&input.what);
        if (peer != nullptr && peer->world >= recording.worlds.size()) return false;
    }
    return reader.at_end();
}

}  // namespace

Result<Recording> Recording::from_body(std::span<const std::uint8_t> plain, const std::string& name) {
    Recording recording;
    ArchiveReader reader{plain};
    body(reader, recording);
    if (!reader.ok() || !reader.at_end() || recording.worlds.size() != recording.world_fingerprints.size()) {
        return Error{name + ": damaged: byte " + std::to_string(reader.position()) +
                     " of its unpacked body is invalid"};
    }
    if (!inputs_are_sound(recording)) return Error{name + ": damaged: it contains an invalid input"};
    return recording;
}

std::vector<std::uint8_t> Recording::to_bytes() const {
    std::vector<std::uint8_t> plain;
    ArchiveWriter writer{plain};
    Recording copy = *this;  // fields() is one function for both directions and needs a mutable value
    body(writer, copy);
    const std::vector<std::uint8_t> packed = zlib_pack(plain);
    std::vector<std::uint8_t> bytes{kMagic.begin(), kMagic.end()};
    bytes.push_back(kVersion);
    ArchiveWriter header{bytes};
    header.fixed(packed.size(), 8);
    header.fixed(plain.size(), 8);
    header.fixed(digest(packed), 8);
    bytes.insert(bytes.end(), packed.begin(), packed.end());
    return bytes;
}

Result<Recording> Recording::from_bytes(std::span<const std::uint8_t> bytes, const std::string& name) {
    if (bytes.size() < kMagic.size() || !std::equal(kMagic.begin(), kMagic.end(), bytes.begin())) {
        return Error{name + ": not a recording: it does not begin with FRAYREC"};
    }
    const std::string size = std::to_string(bytes.size());
    if (bytes.size() < kHeaderSize)
        return Error{name + ": cut off after " + size + " bytes, inside its header"};
    if (bytes[kMagic.size()] != kVersion) {
        return Error{name + ": recorded with format version " + std::to_string(bytes[kMagic.size()]) +
                     ", this program reads version " + std::to_string(kVersion)};
    }
    ArchiveReader header{bytes.subspan(kMagic.size() + 1)};
    std::uint64_t stored = 0;
    std::uint64_t plain_size = 0;
    std::uint64_t checksum = 0;
    header.fixed(stored, 8);
    header.fixed(plain_size, 8);
    header.fixed(checksum, 8);
    const std::span<const std::uint8_t> packed = bytes.subspan(kHeaderSize);
    if (packed.size() < stored) {
        return Error{name + ": cut off after " + size + " bytes, expected " +
                     std::to_string(kHeaderSize + stored)};
    }
    if (packed.size() > stored || plain_size > kMostBody || digest(packed) != checksum) {
        return Error{name + ": damaged: checksum mismatch"};
    }
    std::vector<std::uint8_t> plain(static_cast<std::size_t>(plain_size));
    if (!zlib_unpack(packed, plain)) return Error{name + ": damaged: its body cannot be unpacked"};
    return from_body(plain, name);
}

Result<Recording> Recording::load(const std::string& path) {
    Result<std::vector<std::uint8_t>> bytes = read_file(path);
    if (!bytes) return bytes.error();
    return from_bytes(*bytes, path);
}

Result<void> Recording::save(const std::string& path, Overwrite overwrite) const {
    return write_file(path, to_bytes(), overwrite);
}

}  // namespace fray::sim
