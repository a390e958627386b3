#pragma once
// Everything a game needs except the socket (udp_driver.hpp).

#include <fray/peer.hpp>
