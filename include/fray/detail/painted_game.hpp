#pragma once
// Games in memory that held known bytes before: a field that is not initialised shows.

#include <fray/random.hpp>

#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace fray::detail {

/// Volatile, because the compiler may leave out what is written before an object is constructed there.
inline void paint(volatile unsigned char* memory, std::size_t size, unsigned char colour) {
    for (std::size_t i = 0; i < size; ++i) memory[i] = colour;
}
/// A game may be made on the stack, and then be moved.
[[gnu::noinline]] inline void paint_stack(unsigned char colour) {
    unsigned char memory[16 * 1024];
    paint(memory, sizeof memory, colour);
}
using Blocks = std::vector<std::vector<unsigned char>>;

/// Frees blocks of all sizes in a random order: what is allocated next has scattered addresses, and holds
/// the colour. Other blocks are returned, to stay where they are.
inline Blocks stir_heap(RandomStream& random, unsigned char colour) {
    Blocks freed;
    for (std::size_t size = 16; size <= 1024; size += 16)
        for (int i = 0; i < 24; ++i) freed.emplace_back(size, colour);
    for (std::size_t i = freed.size(); i > 1; --i)
        std::swap(freed[i - 1], freed[random.below(static_cast<std::uint32_t>(i))]);
    Blocks kept;
    for (std::size_t i = 0; i < freed.size(); i += 3) kept.push_back(std::move(freed[i]));
    return kept;
}

/// "bytes 8 to 11, 24": all i with is_one(i).
template <class IsOne>
std::string places(std::size_t size, IsOne is_one) {
    std::string text;
    for (std::size_t i = 0; i < size; ++i) {
        if (!is_one(i)) continue;
        const std::size_t first = i;
        while (i + 1 < size && is_one(i + 1)) ++i;
        text += (text.empty() ? "bytes " : ", ") + std::to_string(first);
        if (i != first) text += " to " + std::to_string(i);
    }
    return text;
}

/// A game in memory that was painted before.
template <class Game>
class PaintedGame {
public:
    template <class Make>
    PaintedGame(Make& make, RandomStream& random, unsigned char colour) : heap_{stir_heap(random, colour)} {
        paint(memory_, sizeof memory_, colour);
        paint_stack(colour);
        game_ = new (memory_) Game(make());
        new_bytes_ = bytes();
    }
    PaintedGame(const PaintedGame&) = delete;
    PaintedGame& operator=(const PaintedGame&) = delete;
    ~PaintedGame() { game_->~Game(); }

    [[nodiscard]] Game& game() { return *game_; }
    [[nodiscard]] std::vector<unsigned char> bytes() const { return {memory_, memory_ + sizeof memory_}; }
    /// As they were when the game was new.
    [[nodiscard]] const std::vector<unsigned char>& new_bytes() const { return new_bytes_; }

private:
    Blocks heap_;
    alignas(Game) unsigned char memory_[sizeof(Game)];
    Game* game_;
    std::vector<unsigned char> new_bytes_;
};

}  // namespace fray::detail
