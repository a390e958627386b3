#include "lab/runner/gzip.hpp"

#include "sim/file.hpp"

#include <zlib.h>

#include <algorithm>

namespace fray::lab {

Result<std::vector<std::uint8_t>> gunzip(const std::string& file, std::size_t most) {
    auto packed = sim::read_file(file);
    if (!packed) return packed.error();
    constexpr int kGzip = 16 + MAX_WBITS;
    z_stream stream{};
    if (inflateInit2(&stream, kGzip) != Z_OK) return Error{file + ": cannot be unpacked"};
    stream.next_in = packed->data();
    stream.avail_in = static_cast<uInt>(packed->size());
    std::vector<std::uint8_t> plain;
    int status = Z_OK;
    while (status == Z_OK && plain.size() < most) {
        constexpr std::size_t kMore = 1 << 20;
        const std::size_t held = plain.size();
        plain.resize(std::min(held + kMore, most));
        stream.next_out = plain.data() + held;
        stream.avail_out = static_cast<uInt>(plain.size() - held);
        status = inflate(&stream, Z_NO_FLUSH);
        plain.resize(plain.size() - stream.avail_out);
    }
    inflateEnd(&stream);
    if (status == Z_STREAM_END) return plain;
    return Error{file + ": damaged, or longer than " + std::to_string(most) + " bytes unpacked"};
}

}  // namespace fray::lab
