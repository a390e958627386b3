#include <fray/ids.hpp>

#include <algorithm>
#include <cstddef>

namespace fray {

namespace {

constexpr char kHex[] = "0123456789abcdef";

/// Reads a text from front to back; every step returns whether it found what it looked for.
class Cursor {
public:
    explicit Cursor(std::string_view text) : text_{text} {}

    [[nodiscard]] bool done() const { return at_ == text_.size(); }
    [[nodiscard]] std::size_t at() const { return at_; }
    void back_to(std::size_t at) { at_ = at; }
    bool take(std::string_view expected) {
        if (text_.substr(at_, expected.size()) != expected) return false;
        at_ += expected.size();
        return true;
    }

    /// A number of one to `most_digits` digits, at most `most`.
    std::optional<std::uint32_t> number(std::uint32_t base, std::size_t most_digits, std::uint32_t most) {
        std::uint32_t value = 0;
        std::size_t digits = 0;
        for (; !done(); ++at_, ++digits) {
            const std::uint32_t d = digit(text_[at_]);
            if (d >= base) break;
            if (digits == most_digits) return std::nullopt;
            value = value * base + d;
        }
        if (digits == 0 || value > most) return std::nullopt;
        return value;
    }

private:
    static std::uint32_t digit(char c) {
        if (c >= '0' && c <= '9') return static_cast<std::uint32_t>(c - '0');
        if (c >= 'a' && c <= 'f') return static_cast<std::uint32_t>(c - 'a' + 10);
        if (c >= 'A' && c <= 'F') return static_cast<std::uint32_t>(c - 'A' + 10);
        return 99;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

/// a.b.c.d into the four bytes at `out`.
bool parse_ipv4(Cursor& cursor, std::uint8_t* out) {
    for (int i = 0; i < 4; ++i) {
        if (i > 0 && !cursor.take(".")) return false;
        const auto part = cursor.number(10, 3, 255);
        if (!part) return false;
        out[i] = static_cast<std::uint8_t>(*part);
    }
    return true;
}

/// Groups of an IPv6 address, with at most one "::", ended by the first thing that is no group.
struct Groups {
    std::array<std::uint8_t, 16> bytes{};
    std::size_t used = 0;
    std::size_t gap = 17;  ///< position of "::"; above 16: none

    bool read(Cursor& cursor) {
        if (cursor.take("::")) gap = 0;
        while (used < 16) {
            const std::size_t start = cursor.at();
            if (!read_group(cursor, start)) return gap == used && cursor.at() == start;
            if (cursor.take("::")) {
                if (gap <= 16) return false;
                gap = used;
            } else if (!cursor.take(":")) {
                return true;
            }
        }
        return false;  // a separator after the eighth group
    }

    bool read_group(Cursor& cursor, std::size_t start) {
        if (used <= 12 && parse_ipv4(cursor, &bytes[used])) {
            used += 4;
            return true;
        }
        cursor.back_to(start);
        const auto group = cursor.number(16, 4, 0xFFFF);
        if (!group) {
            cursor.back_to(start);
            return false;
        }
        bytes[used++] = static_cast<std::uint8_t>(*group >> 8U);
        bytes[used++] = static_cast<std::uint8_t>(*group & 0xFFU);
        return true;
    }

    bool spread() {
        if (gap > 16) return used == 16;
        if (used > 14) return false;  // "::" stands for at least one group
        std::rotate(bytes.begin() + static_cast<std::ptrdiff_t>(gap),
                    bytes.begin() + static_cast<std::ptrdiff_t>(used), bytes.end());
        return true;
    }
};

bool parse_ipv6(Cursor& cursor, std::array<std::uint8_t, 16>& ip) {
    Groups groups;
    if (!groups.read(cursor) || !groups.spread()) return false;
    ip = groups.bytes;
    return true;
}

bool is_mapped_ipv4(const std::array<std::uint8_t, 16>& ip) {
    return std::all_of(ip.begin(), ip.begin() + 10, [](std::uint8_t b) { return b == 0; }) &&
           ip[10] == 0xFF && ip[11] == 0xFF;
}

std::uint32_t group_at(const std::array<std::uint8_t, 16>& ip, std::size_t group) {
    return static_cast<std::uint32_t>(ip[2 * group] << 8U) | ip[2 * group + 1];
}

void append_hex(std::string& text, std::uint32_t value) {
    bool started = false;
    for (unsigned shift = 16; shift > 0;) {
        shift -= 4;
        const std::uint32_t d = (value >> shift) & 15U;
        started = started || d != 0 || shift == 0;
        if (started) text += kHex[d];
    }
}

std::string ipv4_text(const std::array<std::uint8_t, 16>& ip) {
    std::string text;
    for (std::size_t i = 12; i < 16; ++i) text += (i > 12 ? "." : "") + std::to_string(ip[i]);
    return text;
}

/// First and length of the longest run of zero groups; runs of one are not worth "::".
std::pair<std::size_t, std::size_t> longest_gap(const std::array<std::uint8_t, 16>& ip) {
    std::pair<std::size_t, std::size_t> best{8, 1};
    for (std::size_t first = 0; first < 8; ++first) {
        std::size_t end = first;
        while (end < 8 && group_at(ip, end) == 0) ++end;
        if (end - first > best.second) best = {first, end - first};
    }
    return best;
}

std::string ipv6_text(const std::array<std::uint8_t, 16>& ip) {
    const auto [gap, length] = longest_gap(ip);
    std::string text;
    for (std::size_t i = 0; i < 8;) {
        if (i == gap) {
            text += "::";
            i += length;
            continue;
        }
        if (i > 0 && text.back() != ':') text += ':';
        append_hex(text, group_at(ip, i++));
    }
    return text;
}

}  // namespace

std::optional<Address> parse_address(std::string_view text) {
    Cursor cursor{text};
    Address address;
    if (cursor.take("[")) {
        if (!parse_ipv6(cursor, address.ip) || !cursor.take("]")) return std::nullopt;
    } else {
        address.ip[10] = address.ip[11] = 0xFF;
        if (!parse_ipv4(cursor, &address.ip[12])) return std::nullopt;
    }
    if (!cursor.take(":")) return std::nullopt;
    const auto port = cursor.number(10, 5, 0xFFFF);
    if (!port || *port == 0 || !cursor.done()) return std::nullopt;
    address.port = static_cast<std::uint16_t>(*port);
    return address;
}

std::string to_string(const Address& address) {
    const std::string port = ":" + std::to_string(address.port);
    if (is_mapped_ipv4(address.ip)) return ipv4_text(address.ip) + port;
    return "[" + ipv6_text(address.ip) + "]" + port;
}

std::string to_string(const PeerId& id) {
    std::string text;
    for (const std::uint8_t byte : id.bytes) {
        text += kHex[byte >> 4U];
        text += kHex[byte & 15U];
    }
    return text;
}

std::string to_string(const EntityId& id) {
    return "entity " + std::to_string(id.number) + " of peer " + to_string(id.owner);
}

}  // namespace fray
