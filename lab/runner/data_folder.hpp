#pragma once
// Measurements that plans may need. They are not part of the source: where they are not at hand, such plans
// are skipped.

#include <string>

namespace fray::lab {

/// FRAY_DATA, or shared/data beside the source tree this was built from.
[[nodiscard]] std::string data_folder();

}  // namespace fray::lab
