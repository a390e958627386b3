#include "lab/runner/interrupt.hpp"

#include <csignal>

namespace fray::lab {
namespace {

std::atomic<bool> stop_wanted{false};
std::atomic<int> caught{0};

extern "C" void on_signal(int number) {
    caught.store(number);
    stop_wanted.store(true);
}

void install(void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

}  // namespace

InterruptGuard::InterruptGuard() { install(&on_signal); }
InterruptGuard::~InterruptGuard() { install(SIG_DFL); }

std::atomic<bool>& InterruptGuard::stop() { return stop_wanted; }
int InterruptGuard::exit_code() { return caught.load() == 0 ? 0 : 128 + caught.load(); }

}  // namespace fray::lab
