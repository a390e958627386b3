#include "cli/child_processes.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <iostream>

namespace fray::cli {
namespace {

constexpr const char* kThisProgram = "/proc/self/exe";

/// Two connected sockets: one for the parent, one for a child. No other child inherits them.
struct Channel {
    int parent_end = -1;
    int child_end = -1;
};

Result<Channel> open_channel() {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        return Error{fmt::format("cannot open a channel to a child process: {}", std::strerror(errno))};
    // A program whose own stdin or stdout is closed would get their numbers, which the child replaces.
    const int moved = ::fcntl(ends[1], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    const int why = errno;
    ::close(ends[1]);
    if (moved >= 0) return Channel{ends[0], moved};
    ::close(ends[0]);
    return Error{fmt::format("cannot open a channel to a child process: {}", std::strerror(why))};
}

/// Returns an error number; 0: the process runs.
int spawn(const std::vector<std::string>& arguments, int child_end, pid_t& pid) {
    std::vector<std::string> words{"fray"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    posix_spawn_file_actions_t actions{};
    if (const int why = ::posix_spawn_file_actions_init(&actions); why != 0) return why;
    int code = ::posix_spawn_file_actions_adddup2(&actions, child_end, STDIN_FILENO);
    if (code == 0) code = ::posix_spawn_file_actions_adddup2(&actions, child_end, STDOUT_FILENO);
    if (code == 0) code = ::posix_spawn(&pid, kThisProgram, &actions, nullptr, pointers.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    return code;
}

}  // namespace

ChildProcesses::~ChildProcesses() {
    for (const Child& child : children_) {
        if (child.pid != 0) ::kill(child.pid, SIGKILL);
    }
    for (Child& child : children_) reap(child);
}

/// Waits for the end of a child.
void ChildProcesses::reap(Child& child) {
    if (child.pid == 0) return;
    ::close(child.channel);
    while (::waitpid(child.pid, &child.status, 0) < 0 && errno == EINTR) {
    }
    child.pid = 0;
}

Result<std::size_t> ChildProcesses::start(const std::vector<std::string>& arguments) {
    const auto channel = open_channel();
    if (!channel) return channel.error();
    pid_t pid = 0;
    const int why = spawn(arguments, channel->child_end, pid);
    ::close(channel->child_end);
    if (why == 0) {
        children_.push_back({.pid = pid, .channel = channel->parent_end});
        return children_.size() - 1;
    }
    ::close(channel->parent_end);
    return Error{fmt::format("cannot start a child process: {}", std::strerror(why))};
}

void ChildProcesses::send(std::size_t child, std::string_view line) {
    if (!is_running(child)) return;
    std::string text{line};
    text += '\n';
    // Short lines always fit into an empty socket; one that cannot be sent belongs to a child that ended.
    (void)::send(children_[child].channel, text.data(), text.size(), MSG_NOSIGNAL);
}

std::vector<ChildNews> ChildProcesses::wait(Duration most) {
    std::vector<pollfd> channels;
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < children_.size(); ++i) {
        if (!is_running(i)) continue;
        channels.push_back({.fd = children_[i].channel, .events = POLLIN, .revents = 0});
        numbers.push_back(i);
    }
    std::vector<ChildNews> news;
    const auto milliseconds = std::chrono::ceil<std::chrono::milliseconds>(most).count();
    if (::poll(channels.data(), channels.size(), static_cast<int>(milliseconds)) <= 0) return news;
    for (std::size_t i = 0; i < channels.size(); ++i) {
        if (channels[i].revents != 0) receive(numbers[i], news);
    }
    return news;
}

void ChildProcesses::receive(std::size_t number, std::vector<ChildNews>& news) {
    Child& child = children_[number];
    std::array<char, 65536> bytes{};
    const auto count = ::recv(child.channel, bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (count <= 0) {
        reap(child);
        news.push_back({.child = number, .line = std::nullopt});
        return;
    }
    child.unread.append(bytes.data(), static_cast<std::size_t>(count));
    std::size_t from = 0;
    for (auto end = child.unread.find('\n'); end != std::string::npos; end = child.unread.find('\n', from)) {
        news.push_back({.child = number, .line = child.unread.substr(from, end - from)});
        from = end + 1;
    }
    child.unread.erase(0, from);
}

std::size_t ChildProcesses::running() const {
    return static_cast<std::size_t>(
        std::count_if(children_.begin(), children_.end(), [](const Child& child) { return child.pid != 0; }));
}

std::string ChildProcesses::end_of(std::size_t child) const {
    const int status = children_[child].status;
    if (WIFSIGNALED(status))  // NOLINT(*-signed-bitwise): the system's macros
        return fmt::format("signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)));
    return fmt::format("exit code {}", WEXITSTATUS(status));
}

bool ChildProcesses::was_killed(std::size_t child) const {
    const int status = children_[child].status;
    return WIFSIGNALED(status) && (WTERMSIG(status) == SIGKILL || WTERMSIG(status) == SIGTERM);
}

void end_with_parent() {
    (void)::prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)::prctl(PR_SET_NAME, "fray-peer");  // ps would say "exe"
    (void)std::signal(SIGINT, SIG_IGN);
}

std::optional<std::string> line_from_parent() {
    std::string line;
    if (!std::getline(std::cin, line)) return std::nullopt;
    return line;
}

bool parent_has_ended() {
    pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
    if (::poll(&input, 1, 0) <= 0) return false;
    char byte = 0;
    return ::recv(STDIN_FILENO, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

}  // namespace fray::cli
