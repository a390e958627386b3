#include "games/snagger/pilot/recording.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace fray::snagger {
namespace {

constexpr std::string_view kTitle = "snagger recording 1";
constexpr std::string_view kSeed = "seed ";
constexpr std::string_view kEnd = "end ";

std::string hex(std::uint64_t value) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string digits;
    for (int shift = 60; shift >= 0; shift -= 4)
        digits += kDigits[(value >> static_cast<unsigned>(shift)) & 15U];
    return digits;
}

std::string keys(const Input& input) {
    std::string text;
    if (input.thrust) text += 'T';
    if (input.left) text += 'L';
    if (input.right) text += 'R';
    if (input.snag) text += 'S';
    return text.empty() ? "-" : text;
}

template <class T>
std::optional<T> parse_number(std::string_view text, int base) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::optional<std::uint64_t> parse_hex(std::string_view text) {
    const auto value = parse_number<std::uint64_t>(text, 16);
    return value && hex(*value) == text ? value : std::nullopt;
}

std::optional<Input> parse_keys(std::string_view text) {
    const auto has = [&](char key) { return text.find(key) != std::string_view::npos; };
    const Input input{.thrust = has('T'), .left = has('L'), .right = has('R'), .snag = has('S')};
    if (keys(input) != text) return std::nullopt;  // every value has one encoding
    return input;
}

/// Removes the text up to the separator, and the separator, from the front.
std::string_view take(std::string_view& text, char separator) {
    const std::size_t size = std::min(text.find(separator), text.size());
    const std::string_view front = text.substr(0, size);
    text.remove_prefix(std::min(size + 1, text.size()));
    return front;
}

class Parser {
public:
    Parser(std::string_view text, const std::string& name) : left_{text}, name_{name} {}

    Result<Recording> parse() {
        if (next_line() != kTitle) return error("expected \"" + std::string{kTitle} + "\"");
        const auto seed = parse_marked(next_line(), kSeed);
        if (!seed) return error("expected \"seed\" and 16 hexadecimal digits");
        recording_.seed = Seed{*seed};
        for (std::string_view line = next_line(); !line.starts_with(kEnd); line = next_line()) {
            if (!add_run(line))
                return error("expected ticks and both ships' keys, as \"7 T TL\", or \"end\"");
            if (recording_.inputs.size() > kMaxRecordedTicks)
                return error("expected at most " + std::to_string(kMaxRecordedTicks) + " ticks");
        }
        return finish();
    }

private:
    std::string_view next_line() {
        ++number_;
        return line_ = take(left_, '\n');
    }

    Result<Recording> finish() {
        const auto end = parse_marked(line_, kEnd);
        if (!end) return error("expected \"end\" and 16 hexadecimal digits");
        if (!left_.empty()) return error("expected nothing behind \"end\"");
        const std::uint64_t came_to = trace_hash(recording_);
        if (came_to != *end) return error("these inputs end in " + hex(came_to) + ", not in " + hex(*end));
        return recording_;
    }

    bool add_run(std::string_view line) {
        const auto ticks = parse_number<std::uint32_t>(take(line, ' '), 10);
        const auto first = parse_keys(take(line, ' '));
        const auto second = parse_keys(line);
        if (!ticks || *ticks == 0 || !first || !second) return false;
        // One tick above the limit is enough to refuse it.
        const std::size_t count = std::min<std::size_t>(*ticks, kMaxRecordedTicks + 1);
        recording_.inputs.insert(recording_.inputs.end(), count, Inputs{*first, *second});
        return true;
    }

    static std::optional<std::uint64_t> parse_marked(std::string_view line, std::string_view mark) {
        return line.starts_with(mark) ? parse_hex(line.substr(mark.size())) : std::nullopt;
    }

    [[nodiscard]] Error error(const std::string& what) const {
        return Error{name_ + ":" + std::to_string(number_) + ": " + what};
    }

    std::string_view left_;
    std::string_view line_;
    std::size_t number_ = 0;
    const std::string& name_;
    Recording recording_;
};

}  // namespace

std::string to_text(const Recording& recording) {
    std::string text = std::string{kTitle} + "\n" + std::string{kSeed} + hex(recording.seed.value) + "\n";
    const auto end = recording.inputs.end();
    for (auto run = recording.inputs.begin(); run != end;) {
        const auto next = std::find_if(run, end, [&](const Inputs& inputs) { return inputs != *run; });
        text += std::to_string(next - run) + " " + keys((*run)[0]) + " " + keys((*run)[1]) + "\n";
        run = next;
    }
    return text + std::string{kEnd} + hex(trace_hash(recording)) + "\n";
}

Result<Recording> parse_recording(std::string_view text, const std::string& name) {
    return Parser{text, name}.parse();
}

}  // namespace fray::snagger
