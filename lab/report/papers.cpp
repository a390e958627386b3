#include "lab/report/papers.hpp"

namespace fray::lab {
namespace {

constexpr std::string_view kDrawing = "a drawing: nothing to measure";
constexpr std::string_view kSettings = "settings: the plans use them";
constexpr std::string_view kPeople = "a study with people; the plan measures what they would have seen";

Paper donnybrook() {
    return {.name = "Donnybrook",
            .title = "Scaling Peer-to-Peer Games in Low-Bandwidth Environments (2007)",
            .figures = {{.id = "Fig. 1a",
                         .title = "time until players vote to switch",
                         .plans = {"donnybrook_satisfaction"},
                         .no_verdict = kPeople},
                        {.id = "Fig. 1b",
                         .title = "time spent on each version",
                         .plans = {"donnybrook_satisfaction"},
                         .no_verdict = kPeople},
                        {.id = "Fig. 1c",
                         .title = "scores that players gave",
                         .plans = {"donnybrook_satisfaction"},
                         .no_verdict = kPeople},
                        {.id = "Fig. 2",
                         .title = "which version players prefer",
                         .plans = {"donnybrook_satisfaction"},
                         .no_verdict = kPeople},
                        {.id = "Fig. 3",
                         .title = "correlation of hourly scores with the expected ones",
                         .plans = {"donnybrook_fairness"}},
                        {.id = "Fig. 4",
                         .title = "players that an upload supports",
                         .plans = {"donnybrook_scalability"}}}};
}

Paper psense() {
    return {
        .name = "pSense",
        .title =
            "Maintaining a Dynamic Localized Peer-to-Peer Structure for Position Based Multicast in Games "
            "(2008)",
        .figures = {
            {.id = "Fig. 1", .title = "the algorithm as pseudo-code", .no_verdict = kDrawing},
            {.id = "Fig. 2", .title = "near nodes, forwarding, a new sensor node", .no_verdict = kDrawing},
            {.id = "Table 5", .title = "parameters and their standard values", .no_verdict = kSettings},
            {.id = "Fig. 3a", .title = "quality in each of 500 rounds", .plans = {"psense_rounds"}},
            {.id = "Fig. 3b",
             .title = "quality by players in view, beside a server",
             .plans = {"psense_scalability"}},
            {.id = "Fig. 3c", .title = "quality by upload", .plans = {"psense_bandwidth"}},
            {.id = "Fig. 3d", .title = "upload that the best quality takes", .plans = {"psense_uncapped"}},
            {.id = "Fig. 3e",
             .title = "outbound traffic in each round",
             .plans = {"psense_traffic"},
             .figure = "pSense Fig. 3e"},
            {.id = "Fig. 3f",
             .title = "inbound traffic in each round",
             .plans = {"psense_traffic"},
             .figure = "pSense Fig. 3f"}}};
}

Paper consistency() {
    return {
        .name = "Consistency",
        .title = "The Human Factors of Consistency Maintenance in Multiplayer Computer Games (2010)",
        .figures = {{.id = "Figure 1", .title = "how the four algorithms operate", .no_verdict = kDrawing},
                    {.id = "Figure 2", .title = "the game Snagger", .no_verdict = kDrawing},
                    {.id = "Figure 3",
                     .title = "what players experience of each algorithm, a table",
                     .plans = {"consistency_table"}}}};
}

Paper panzer_battalion() {
    return {
        .name = "Panzer Battalion",
        .title = "A Testbed for P2P Gaming using Time Warp",
        .figures = {
            {.id = "Figure 1", .title = "a screenshot", .no_verdict = kDrawing},
            {.id = "Figure 2", .title = "how messages pass the queues", .no_verdict = kDrawing},
            {.id = "Figure 3", .title = "a late message causes a rollback", .no_verdict = kDrawing},
            {.id = "Figure 4", .title = "before a rollback", .no_verdict = kDrawing},
            {.id = "Figure 5", .title = "after the rollback", .no_verdict = kDrawing},
            {.id = "Figure 6", .title = "a null-message causes a rollback", .no_verdict = kDrawing},
            {.id = "Figure 7",
             .title = "lateness without lag",
             .plans = {"time_warp_lateness"},
             .figure = "Panzer Battalion Figure 7"},
            {.id = "Figure 8",
             .title = "lateness with 200 ms of lag",
             .plans = {"time_warp_lateness"},
             .figure = "Panzer Battalion Figure 8"},
            {.id = "Figure 9",
             .title = "lateness with 400 ms of lag",
             .plans = {"time_warp_lateness"},
             .figure = "Panzer Battalion Figure 9"},
            {.id = "Table 1",
             .title = "messages between peers",
             .no_verdict = "a list: the event mode of Time Warp sends these messages"},
            {.id = "Table 2", .title = "rollbacks by lag", .plans = {"time_warp_rollbacks"}},
            {.id = "Table 3", .title = "dynamic and static input by lag", .plans = {"time_warp_behaviour"}}}};
}

}  // namespace

std::span<const Paper> all_papers() {
    static const std::vector<Paper> kPapers{donnybrook(), psense(), consistency(), panzer_battalion()};
    return kPapers;
}

}  // namespace fray::lab
