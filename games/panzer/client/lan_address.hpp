#pragma once
#include <string>

namespace fray::panzer::client {

/// An IPv4 address at which other machines reach this one; 127.0.0.1 if there is none.
[[nodiscard]] std::string lan_address();

}  // namespace fray::panzer::client
