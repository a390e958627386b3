#pragma once
// Measurements that plans may need. They are not part of the source; plans that need absent ones are skipped.

#include <string>

namespace fray::lab {

/// FRAY_DATA, or shared/data beside the source tree this was built from.
[[nodiscard]] std::string data_folder();

}  // namespace fray::lab
