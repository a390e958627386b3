#pragma once
// All of Fray that a game needs, the socket excepted (udp_driver.hpp).

#include <fray/peer.hpp>
