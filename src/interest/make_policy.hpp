#pragma once

#include <fray/random.hpp>

#include "interest/update_policy.hpp"
#include "wire/part_context.hpp"

#include <memory>

namespace fray {

/// The policy that PeerOptions::interest names. A new policy needs one line here.
[[nodiscard]] std::unique_ptr<UpdatePolicy> make_policy(const PartContext& context, Seed seed);

}  // namespace fray
