// Two honest peers talk while a third, which is linked with both, changes its own valid datagrams. Each
// operation of an input selects one of its next datagrams and how to change it: bits flipped, cut short, a
// part overwritten, sent again, or sent to the other honest peer. The honest pair must stay linked and keep
// exchanging updates, the memory of each must stay bounded, and so must the bytes that each sends to any one
// address.

#include <fray/peer.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace fray {
namespace {

using Bytes = std::vector<std::uint8_t>;
constexpr std::size_t kPeers = 3;
constexpr std::size_t kLiar = 2;
constexpr Duration kTick{100ms};
constexpr int kJoining = 12;        // frames by which all three are linked
constexpr int kAttacked = 10;       // frames
constexpr int kCalm = 3;            // frames in which the honest pair must show that it works
constexpr int kMostPerFrame = 400;  // datagrams of one peer
constexpr std::size_t kMostMemory = 4'000'000;
// An honest peer sends to an address in one frame at most this often what came from there, or this much.
constexpr std::size_t kMostAmplified = 4;
constexpr std::size_t kMostUnasked = 8'000;

/// The operations of an input, three bytes each.
struct Operation {
    std::uint8_t kind = 0;
    std::uint8_t place = 0;
    std::uint8_t value = 0;
};

class Input {
public:
    Input(const std::uint8_t* data, std::size_t size) : bytes_{data, size} {}
    [[nodiscard]] std::uint8_t byte() {
        if (at_ == bytes_.size()) return 0;
        return bytes_[at_++];
    }
    [[nodiscard]] Operation operation() { return {byte(), byte(), byte()}; }

private:
    std::span<const std::uint8_t> bytes_;
    std::size_t at_ = 0;
};

class Target {
public:
    explicit Target(Input input) : input_{input} {
        const std::uint8_t world = input_.byte();
        for (std::size_t i = 0; i < kPeers; ++i) {
            peers_.push_back(make(i, (world & 1U) != 0));
            const auto entity = peers_[i].publish(now_, state_of(pose(i), Label{}));
            entities_.push_back(*entity);
        }
        // One more, which the third peer validates: its owner trusts that peer, so it is not judged below.
        if ((world & 2U) != 0) {
            validated_ = *peers_[0].publish(now_, state_of(pose(0), Label{}));
            const EverQuest algorithm{.validator = PeerId::from_number(kLiar + 1)};
            (void)peers_[0].set_consistency(now_, *validated_, {.algorithm = algorithm});
        }
        // Shared entities, about which every peer asks: messages of ownership are among those that are
        // changed. An open world has none.
        if ((world & 5U) == 4U) {
            for (std::size_t i = 0; i < kPeers; ++i)
                shared_.push_back(*peers_[i].publish(now_, state_of(pose(i), Label{}), Tenure::shared));
        }
        for (std::size_t i = 1; i < kPeers; ++i) (void)peers_[i].join(now_, address(0));
    }

    void run() {
        const auto is_linked = [](const Peer& peer) { return peer.peers().size() == kPeers - 1; };
        for (int i = 0; i < kJoining && !std::ranges::all_of(peers_, is_linked); ++i) frame();
        if (!std::ranges::all_of(peers_, is_linked)) std::abort();  // the input proves nothing
        for (int i = 0; i < 2; ++i) frame();                        // first updates
        is_attacked_ = true;
        for (int i = 0; i < kAttacked; ++i) frame();
        is_attacked_ = false;
        const std::array before{newest(0), newest(1)};
        for (int i = 0; i < kCalm; ++i) frame();
        for (std::size_t i = 0; i < kLiar; ++i) {
            const std::size_t other = 1 - i;
            if (!std::ranges::count(peers_[i].peers(), PeerId::from_number(other + 1))) std::abort();
            if (newest(i) <= before.at(i)) std::abort();  // no update arrived
            if (peers_[i].memory_bytes() > kMostMemory) std::abort();
            (void)peers_[i].stats();
        }
    }

private:
    struct Label {
        std::uint8_t letter = 0;
    };
    template <class Stream>
    friend void serialize(Stream& s, Label& l) {
        s.integer(l.letter, 0, 25);
    }

    static Address address(std::size_t i) { return Address::from_number(i + 1); }
    static Peer make(std::size_t i, bool open_world) {
        PeerOptions options;
        options.id = PeerId::from_number(i + 1);
        options.world.tick = kTick;
        options.world.types = {EntityType::of<Label>("label")};
        if (open_world) options.overlay = PSense{};
        return std::move(Peer::create(options, Seed{i + 1}).value());
    }
    [[nodiscard]] Pose pose(std::size_t i) const {
        Pose pose;
        pose.position = {static_cast<float>(i), static_cast<float>(frame_), 0};
        return pose;
    }
    /// Position, which grows with time, of the other honest peer's entity as this one received it last.
    [[nodiscard]] float newest(std::size_t i) {
        const auto replica = peers_[i].replica(now_, entities_[1 - i]);
        if (!replica) std::abort();
        return replica->received.position.y;
    }

    void frame() {
        now_ += kTick;
        ++frame_;
        for (std::size_t i = 0; i < kPeers; ++i) {
            (void)peers_[i].update(now_, entities_[i], state_of(pose(i), Label{}));
            if (frame_ % 4 == 0) (void)peers_[i].send(now_, line(frame_));
            for (const EntityId& item : shared_) (void)peers_[i].interact(now_, entities_[i], item, Bytes{1});
            if (i == 0 && validated_) (void)peers_[i].update(now_, *validated_, state_of(pose(i), Label{}));
            peers_[i].handle_time(now_);
        }
        received_.clear();
        sent_.clear();
        // Twice, so that answers leave in the same frame.
        for (int turn = 0; turn < 2; ++turn) {
            for (std::size_t i = 0; i < kPeers; ++i) poll(i);
        }
        for (const auto& [way, bytes] : sent_) {
            const std::size_t allowed = std::max(kMostUnasked, kMostAmplified * received_[way]);
            if (bytes > allowed) std::abort();
        }
        for (Peer& peer : peers_) {
            while (const auto event = peer.poll_event()) {
                const auto* asked = std::get_if<Asked>(&*event);
                if (asked != nullptr) (void)peer.answer(now_, asked->request, Bytes{2});
            }
        }
    }

    void poll(std::size_t from) {
        std::array<std::uint8_t, kMaxDatagramBytes> buffer;  // NOLINT(*-member-init): written by the peer
        for (int n = 0;; ++n) {
            const auto datagram = peers_[from].poll_datagram(now_, buffer);
            if (!datagram) return;
            if (n == kMostPerFrame) std::abort();  // it never stops sending
            if (from != kLiar) sent_[{from, datagram->to}] += datagram->bytes.size();
            if (from == kLiar && is_attacked_)
                tamper({datagram->bytes.begin(), datagram->bytes.end()}, datagram->to);
            else
                deliver(from, datagram->to, datagram->bytes);
        }
    }

    void deliver(std::size_t from, const Address& to, std::span<const std::uint8_t> bytes) {
        for (std::size_t i = 0; i < kPeers; ++i) {
            if (address(i) != to || i == from) continue;
            received_[{i, address(from)}] += bytes.size();
            peers_[i].handle_datagram(now_, address(from), bytes);
        }
    }

    void tamper(std::vector<std::uint8_t> bytes, const Address& to) {
        const Operation operation = input_.operation();
        const std::size_t place = operation.place % bytes.size();
        switch (operation.kind % 8) {
            case 1:
                bytes[place] ^= operation.value;
                break;
            case 2:
                bytes.resize(place);
                break;
            case 3:
                for (std::size_t i = place; i < bytes.size() && i < place + 16; ++i) bytes[i] = input_.byte();
                break;
            case 4:
                for (unsigned i = 0; i < operation.value % 8U; ++i) deliver(kLiar, to, bytes);
                break;
            case 5:  // with the seal and the token of one honest peer to the other
                deliver(kLiar, to == address(0) ? address(1) : address(0), bytes);
                break;
            case 6:  // inserts bytes before the seal
                bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(place), operation.value % 64U,
                             operation.value);
                break;
            case 7: {  // many small changes of one datagram
                for (unsigned i = 0; i < 8; ++i) {
                    std::vector<std::uint8_t> changed = bytes;
                    changed[(place + i) % changed.size()] ^= static_cast<std::uint8_t>(1U << i);
                    deliver(kLiar, to, changed);
                }
                break;
            }
            default:
                break;
        }
        if (bytes.size() <= kMaxDatagramBytes + 64) deliver(kLiar, to, bytes);
    }

    [[nodiscard]] static Outgoing line(int number) {
        return {.bytes = {static_cast<std::uint8_t>(number)},
                .audience = {},
                .delivery = Delivery::ordered,
                .at = {}};
    }

    Input input_;
    Instant now_{1s};
    int frame_ = 0;
    bool is_attacked_ = false;
    std::vector<Peer> peers_;
    std::vector<EntityId> entities_;
    std::optional<EntityId> validated_;
    std::vector<EntityId> shared_;
    std::map<std::pair<std::size_t, Address>, std::size_t>
        received_;  // in this frame, by receiver and source
    std::map<std::pair<std::size_t, Address>, std::size_t> sent_;
};

}  // namespace
}  // namespace fray

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fray::Target target{{data, size}};
    target.run();
    return 0;
}
