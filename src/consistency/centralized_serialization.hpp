#pragma once
// Section 5.1 of the paper: updates go to one peer, the serializer, which orders them. Every screen, the
// owner's too, shows the last update that came from it.

#include "consistency/algorithm.hpp"

namespace fray {

class CentralizedSerializationAlgorithm final : public ConsistencyAlgorithm {
public:
    explicit CentralizedSerializationAlgorithm(const CentralizedSerialization& options)
        : serializer_{options.serializer} {}

    [[nodiscard]] Shown show(const Subject& subject, const Timeline& timeline,
                             SessionInstant moment) const override;
    [[nodiscard]] std::optional<PeerId> through() const override { return serializer_; }
    [[nodiscard]] bool optimistic() const override { return false; }

private:
    PeerId serializer_;
};

}  // namespace fray
