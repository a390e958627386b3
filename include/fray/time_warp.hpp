#pragma once
// Time Warp: every peer simulates the whole game; late messages roll it back (Panzer Battalion). Two modes
// over the same streams, stamps, order and middle queue; in both, members may come, crash and return, and
// what is before the horizon is final:
//
//   event mode   EventWarp<Game>  the paper's: messages say what happened, null-messages take back what
//   should
//                                 not have been sent; whole states are saved at an interval
//   input mode   WarpMatch<Game>  ours: only what players do is sent, and the rules are deterministic, so
//                                 there is nothing to take back. Costs follow change
//
// stress() shows whether a game can be played this way. See docs/concepts/time_warp.md.

#include <fray/time_warp/event_warp.hpp>
#include <fray/time_warp/stress.hpp>
#include <fray/time_warp/time_warp.hpp>
#include <fray/time_warp/warp_match.hpp>
#include <fray/time_warp/warp_recording.hpp>
