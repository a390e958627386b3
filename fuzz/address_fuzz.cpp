// Any text as an address: refused, or an address whose text parses to the same address.

#include <fray/assert.hpp>
#include <fray/ids.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text{data, data + size};
    const auto address = fray::parse_address(text);
    if (!address) return 0;
    const auto again = fray::parse_address(fray::to_string(*address));
    FRAY_ASSERT(again && *again == *address);
    return 0;
}
