#pragma once
// Checks conditions that options must meet; result() reports the first violated one.

#include <fray/network_model.hpp>
#include <fray/result.hpp>

#include <optional>
#include <string>
#include <utility>

namespace fray::sim {

class Check {
public:
    void that(bool holds, std::string otherwise) {
        if (!holds && !broken_) broken_ = Error{std::move(otherwise)};
    }
    [[nodiscard]] Result<void> result() const { return broken_ ? Result<void>{*broken_} : Result<void>{}; }

private:
    std::optional<Error> broken_;
};

[[nodiscard]] Result<void> check_access(const AccessOptions& access);
[[nodiscard]] Result<void> check_partition(const Partition& partition);

}  // namespace fray::sim
