#pragma once
// Files of tests/wire/corpus/: bits and their meaning. wire_format_test.py decodes them from the tables of
// the document alone; the tests here check that the encoders still write them. After an intended change of
// the format, FRAY_WRITE_CORPUS=1 rewrites them.

#include <fray/bits.hpp>

#include "support/files.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace fray {

template <class Numbers>
std::string list(const Numbers& numbers) {
    std::string text = "[";
    for (const auto number : numbers) text += (text.size() > 1 ? ", " : "") + std::to_string(number);
    return text + "]";
}

inline std::string real(double value) {
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%.17g", value);
    const std::string result{text.data()};
    return result.find_first_of(".e") == std::string::npos ? result + ".0" : result;
}

/// One file of the corpus: cases of one table, one per line.
class Corpus {
public:
    explicit Corpus(std::string name, const std::string& table, const std::string& world = "")
        : name_{std::move(name)} {
        head_ = "{\"table\": \"" + table + "\",\n";
        if (!world.empty()) head_ += " \"world\": " + world + ",\n";
    }

    using Write = std::function<void(BitWriter&)>;
    void add(const std::string& arguments, const std::string& value, const Write& write) {
        line(arguments, write, ", \"value\": " + value);
    }
    /// Bits that a reader must reject.
    void refuse(const std::string& arguments, const Write& write) { line(arguments, write, ""); }
    /// The same, checked with this reader.
    void refuse(const std::string& arguments, const Write& write,
                const std::function<bool(BitReader&)>& accepts) {
        refuse(arguments, write);
        std::vector<std::uint8_t> memory(kMostBytes);
        BitWriter out{memory};
        write(out);
        BitReader in{memory, out.bit_count()};
        out.finish();
        EXPECT_FALSE(accepts(in) && in.ok()) << name_;
    }

    /// Compares with the file, or writes it if the environment asks for that.
    void check() const {
        const std::filesystem::path path = folder() / (name_ + ".json");
        const std::string text = head_ + " \"cases\": [" + lines_ + "\n]}\n";
        if (std::getenv("FRAY_WRITE_CORPUS") != nullptr) {
            std::filesystem::create_directories(folder());
            std::ofstream{path, std::ios::binary} << text;
        }
        std::ifstream file{path, std::ios::binary};
        ASSERT_TRUE(file) << path << " is missing: FRAY_WRITE_CORPUS=1 writes it";
        std::ostringstream content;
        content << file.rdbuf();
        EXPECT_EQ(content.str(), text)
            << "the format changed; if that is meant, see the first lines of corpus.hpp";
    }

private:
    static constexpr std::size_t kMostBytes = 40'000;
    static std::filesystem::path folder() { return test::source_tree() / "tests/wire/corpus"; }
    void line(const std::string& arguments, const Write& write, const std::string& rest) {
        std::vector<std::uint8_t> memory(kMostBytes);
        BitWriter out{memory};
        write(out);
        ASSERT_FALSE(out.overflowed());
        const std::size_t bits = out.bit_count();
        std::string hex;
        std::span<const std::uint8_t> bytes = out.finish();
        // Trailing zeros are left out: bits in "bits" that "hex" lacks are zero.
        const auto last = std::find_if(bytes.rbegin(), bytes.rend(), [](std::uint8_t b) { return b != 0; });
        const auto zeros = static_cast<std::size_t>(last - bytes.rbegin());
        if (zeros > 256) bytes = bytes.first(bytes.size() - zeros);
        for (const std::uint8_t byte : bytes) {
            hex += "0123456789abcdef"[byte >> 4U];
            hex += "0123456789abcdef"[byte & 15U];
        }
        lines_ += (lines_.empty() ? "\n" : ",\n") + ("  {\"arguments\": " + arguments) +
                  ", \"bits\": " + std::to_string(bits) + ", \"hex\": \"" + hex + "\"" + rest + "}";
    }

    std::string name_;
    std::string head_;
    std::string lines_;
};

}  // namespace fray
