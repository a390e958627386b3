#pragma once
// Processes of this very program, which exchange lines of text with their parent: what the parent sends
// arrives at a child's stdin, and what a child prints on stdout arrives at the parent. None outlives the
// parent, however that ends.

#include <fray/result.hpp>
#include <fray/time.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fray::cli {

/// A line that a child printed, without its end; nothing: the child has ended.
struct ChildNews {
    std::size_t child = 0;
    std::optional<std::string> line;
};

class ChildProcesses {
public:
    ChildProcesses() = default;
    /// Kills the children that still run, and waits for them.
    ~ChildProcesses();
    ChildProcesses(const ChildProcesses&) = delete;
    ChildProcesses& operator=(const ChildProcesses&) = delete;

    /// Starts this program with these arguments. Children are numbered from 0; returns the number.
    [[nodiscard]] Result<std::size_t> start(const std::vector<std::string>& arguments);
    /// Sends a line. A child that has ended does not get it.
    void send(std::size_t child, std::string_view line);
    /// Waits for news, but not longer than `most`. A signal ends the wait early.
    [[nodiscard]] std::vector<ChildNews> wait(Duration most);

    [[nodiscard]] std::size_t running() const;
    [[nodiscard]] bool is_running(std::size_t child) const { return children_[child].pid != 0; }
    /// How a child ended: "exit code 2", "signal 9 (Killed)".
    [[nodiscard]] std::string end_of(std::size_t child) const;
    [[nodiscard]] bool ended_well(std::size_t child) const { return children_[child].status == 0; }
    /// Whether another process ended it: SIGKILL or SIGTERM.
    [[nodiscard]] bool was_killed(std::size_t child) const;

private:
    struct Child {
        int pid = 0;      // 0: it has ended
        int channel = 0;  // its stdin and stdout
        int status = 0;   // of waitpid()
        std::string unread{};
    };
    void receive(std::size_t child, std::vector<ChildNews>& news);
    static void reap(Child& child);

    std::vector<Child> children_;
};

/// For the child, at its beginning: the system kills this process when the parent ends. Ctrl-C is left to
/// the parent.
void end_with_parent();
/// For the child: the next line from the parent; nothing if there is no parent any more.
[[nodiscard]] std::optional<std::string> line_from_parent();
/// For the child: whether the parent has ended.
[[nodiscard]] bool parent_has_ended();

}  // namespace fray::cli
