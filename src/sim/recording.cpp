#include "sim/recording.hpp"

#include <fray/assert.hpp>

#include "sim/datagram_pool.hpp"
#include "sim/recording_fields.hpp"

#include <zlib.h>

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
constexpr std::uint64_t kMostBody = std::uint64_t{1} << 31U;  // unpacked: no file may make us allocate more

template <class A>
void body(A& a, Recording& r) {
    a(r.seed.value, r.options, r.workload, r.parameters, r.worlds, r.world_fingerprints, r.input_count,
      r.inputs, r.end, r.trace_hash, r.sent, r.delivered);
}

std::vector<std::uint8_t> pack(const std::vector<std::uint8_t>& plain) {
    uLongf size = compressBound(static_cast<uLong>(plain.size()));
    std::vector<std::uint8_t> packed(size);
    const int status = compress2(packed.data(), &size, plain.data(), static_cast<uLong>(plain.size()), 6);
    FRAY_ASSERT(status == Z_OK);
    packed.resize(size);
    return packed;
}

bool unpack(std::span<const std::uint8_t> packed, std::vector<std::uint8_t>& plain) {
    auto size = static_cast<uLongf>(plain.size());
    return uncompress(plain.data(), &size, packed.data(), static_cast<uLong>(packed.size())) == Z_OK &&
           size == plain.size();
}

/// Every input must be readable now, not in the middle of a replay.
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
                     " of its unpacked body makes no sense"};
    }
    if (!inputs_are_sound(recording)) return Error{name + ": damaged: an input makes no sense"};
    return recording;
}

std::vector<std::uint8_t> Recording::to_bytes() const {
    std::vector<std::uint8_t> plain;
    ArchiveWriter writer{plain};
    Recording copy = *this;  // one function for both directions wants to be able to write
    body(writer, copy);
    const std::vector<std::uint8_t> packed = pack(plain);
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
        return Error{name + ": no recording: it does not begin with FRAYREC"};
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
        return Error{name + ": damaged: its checksum does not fit"};
    }
    std::vector<std::uint8_t> plain(static_cast<std::size_t>(plain_size));
    if (!unpack(packed, plain)) return Error{name + ": damaged: its body cannot be unpacked"};
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
