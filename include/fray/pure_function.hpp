#pragma once
// A pure function of the game that Fray calls: a plain function, or a function together with something
// read-only that it needs, such as the map.
//
//     type.advance = &advance_ball;                                        // a plain function
//     type.advance = AdvanceFunction::with<&advance_tank>(battlefield);    // the same, and `battlefield`
//     first
//
// A function with a context refers to it: the context must outlive every copy, so every peer whose World
// holds one, and must not change meanwhile.

#include <concepts>
#include <cstddef>
#include <utility>

namespace fray {

template <class Signature>
class PureFunction;

template <class Return, class... Arguments>
class PureFunction<Return(Arguments...)> {
public:
    using Plain = Return (*)(Arguments...);

    constexpr PureFunction() = default;
    /// A function, a lambda without captures, or nullptr.
    template <class Function>
        requires std::convertible_to<Function, Plain>
    constexpr PureFunction(Function function)  // NOLINT(google-explicit-constructor): as a pointer would be
        : plain_{function} {}
    /// `Target` is called with the context before the other arguments.
    template <auto Target, class Context>
    [[nodiscard]] static constexpr PureFunction with(const Context& context) {
        PureFunction made;
        made.context_ = &context;
        made.bound_ = [](const void* held, Arguments... arguments) -> Return {
            return Target(*static_cast<const Context*>(held), std::forward<Arguments>(arguments)...);
        };
        return made;
    }
    template <auto Target, class Context>
    static constexpr PureFunction with(const Context&& context) = delete;  // it would not live long enough

    /// Requires that it is not nullptr.
    Return operator()(Arguments... arguments) const {
        if (bound_ != nullptr) return bound_(context_, std::forward<Arguments>(arguments)...);
        return plain_(std::forward<Arguments>(arguments)...);
    }
    friend constexpr bool operator==(const PureFunction& function, std::nullptr_t) {
        return function.plain_ == nullptr && function.bound_ == nullptr;
    }

private:
    Plain plain_ = nullptr;
    Return (*bound_)(const void* context, Arguments... arguments) = nullptr;
    const void* context_ = nullptr;
};

}  // namespace fray
