#pragma once

#include <fray/network_model.hpp>
#include <fray/time.hpp>

namespace fray::lab {

/// One way, of the datagrams that arrive, over many pairs of peers.
[[nodiscard]] Duration median_latency(const NetworkModel& model);

}  // namespace fray::lab
