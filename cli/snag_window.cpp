#include "cli/snag_window.hpp"

#ifdef FRAY_HAS_CLIENT
#include "games/snagger/client/snag_app.hpp"
#include "games/snagger/client/snag_picture.hpp"
#endif

#include <fmt/format.h>

#include <chrono>

namespace fray::cli {

#ifdef FRAY_HAS_CLIENT

namespace {

UdpConditions conditions_of(const SnagArguments& arguments) {
    return {.lag = std::chrono::milliseconds{arguments.delay_ms},
            .jitter = std::chrono::milliseconds{arguments.jitter_ms},
            .loss = arguments.loss_percent / 100};
}

}  // namespace

Result<void> snag_in_window(const SnagArguments& arguments, const snagger::Choice& choice) {
    namespace client = snagger::client;
    client::SnagAppOptions options;
    options.seats = {.kind = !arguments.join.empty() ? client::SeatKind::join
                             : arguments.host != 0   ? client::SeatKind::host
                                                     : client::SeatKind::keyboard,
                     .port = arguments.host,
                     .address = arguments.join,
                     .seed = Seed{arguments.seed},
                     .choice = choice,
                     .conditions = conditions_of(arguments)};
    options.begins = arguments.begins || arguments.host != 0 || !arguments.join.empty();
    options.pilots = arguments.pilots;
    options.width = arguments.width;
    options.height = arguments.height;
    options.quits_after = arguments.quits_after;
    const auto outcome = client::run_snag(options);
    if (!outcome) return outcome.error();
    if (outcome->played) fmt::print("caught: {} in {:.0f} s\n", outcome->caught, outcome->seconds);
    if (!outcome->played && !outcome->trouble.empty()) return Error{outcome->trouble};
    return {};
}

Result<void> take_snag_picture(const SnagArguments& arguments, const snagger::Choice& choice) {
    namespace client = snagger::client;
    auto window = panzer::client::Window::open(panzer::client::Window::Kind::offscreen, arguments.width,
                                               arguments.height, 16);
    if (!window) return window.error();
    const auto drawn = client::draw_picture(**window, {.network = network_of(arguments),
                                                       .conditions = conditions_of(arguments),
                                                       .choice = choice,
                                                       .seed = Seed{arguments.seed},
                                                       .at = arguments.at,
                                                       .is_alone = arguments.alone});
    if (!drawn) return drawn.error();
    return (*window)->save_picture(arguments.screenshot);
}

#else

Result<void> snag_in_window(const SnagArguments& arguments, const snagger::Choice& choice) {
    return take_snag_picture(arguments, choice);
}
Result<void> take_snag_picture(const SnagArguments&, const snagger::Choice&) {
    return Error{
        "this build has no window: install the graphics packages with tools/setup, and build again "
        "(--headless plays without one)"};
}

#endif

}  // namespace fray::cli
