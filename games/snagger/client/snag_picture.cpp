#include "games/snagger/client/snag_picture.hpp"

#include "games/snagger/client/snag_view.hpp"

#include <vector>

namespace fray::snagger::client {

Result<std::unique_ptr<SnagSwarm>> draw_picture(panzer::client::Window& window,
                                                const PictureOptions& options) {
    auto swarm = SnagSwarm::create(options.network, options.choice, options.seed);
    if (!swarm) return swarm.error();
    SnagView view;
    std::vector<SnagGame*> games;
    (*swarm)->run_until(options.at, [&] {
        if (games.empty()) games.assign({&(*swarm)->game(0), &(*swarm)->game(1)});
        view.see(games);
    });
    if (options.is_alone) games.pop_back();
    Switches switches{.choice = options.choice, .conditions = options.conditions};
    // ImGui lays a new window out in its first frame, and shows it in the second.
    for (int frame = 0; frame < 2; ++frame) {
        window.begin_ui(1.0F / 60);
        view.draw(games, switches, window.fonts(),
                  {static_cast<float>(window.width()), static_cast<float>(window.height())});
        window.end_ui();
    }
    return swarm;
}

}  // namespace fray::snagger::client
