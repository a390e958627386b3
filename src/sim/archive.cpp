#include "sim/archive.hpp"

#include <cstring>

namespace fray::sim {

void ArchiveWriter::number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U) out_.push_back(static_cast<std::uint8_t>(value | 0x80U));
    out_.push_back(static_cast<std::uint8_t>(value));
}

void ArchiveWriter::fixed(std::uint64_t value, unsigned size) {
    for (unsigned i = 0; i < size; ++i) out_.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

void ArchiveWriter::bytes(const void* data, std::size_t size) {
    const auto* first = static_cast<const std::uint8_t*>(data);
    out_.insert(out_.end(), first, first + size);
}

void ArchiveReader::number(std::uint64_t& value) {
    value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        if (failed_ || at_ == in_.size()) break;
        const std::uint8_t byte = in_[at_++];
        value |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
        if (byte < 0x80) return;
    }
    fail();
    value = 0;
}

void ArchiveReader::fixed(std::uint64_t& value, unsigned size) {
    value = 0;
    if (failed_ || in_.size() - at_ < size) return fail();
    for (unsigned i = 0; i < size; ++i) value |= static_cast<std::uint64_t>(in_[at_++]) << (8 * i);
}

void ArchiveReader::bytes(void* data, std::size_t size) {
    if (failed_ || in_.size() - at_ < size) return fail();
    if (size > 0) std::memcpy(data, in_.data() + at_, size);
    at_ += size;
}

}  // namespace fray::sim
