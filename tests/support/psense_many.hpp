#pragma once
// Many pSense overlays on a network that loses and reorders, in rounds, and a judge of all that they pass on.
// The overlays are the real ones. Of a session there is only what they need: links, datagrams, and what the
// game was shown last of whom. A datagram's fate is drawn from the seed.
//
// Three rules are judged, of every copy of every update:
//   hops    it travels no further than it may, and nobody passes the same one on in two rounds; an exception,
//           which needs reordering, is in judge_again()
//   once    the game gets it once; a further copy is counted
//   lists   its list has whoever was on it before and whoever gets it now; who was on it is spared

#include <fray/random.hpp>

#include "overlay/psense.hpp"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace fray::test {

struct ManyOptions {
    std::string name;
    PSense psense;
    std::uint16_t peers = 30;
    float size = 600;           ///< of the world, a square
    double loss = 0;            ///< of datagrams
    unsigned longest = 1;       ///< rounds on the way at most: more than one reorders
    std::size_t poor_most = 0;  ///< so many updates a round is all that every other peer sends; 0: any number
};

class ManyPSense {
public:
    ManyPSense(const ManyOptions& options, Seed seed);
    void run(unsigned rounds) {
        for (unsigned i = 0; i < rounds; ++i) run_round();
    }

    /// How much there was to judge.
    struct Work {
        std::uint64_t forwards = 0;
        std::uint64_t helped = 0;      ///< of those: for a poor one
        std::uint64_t taken = 0;       ///< of those: new to a game
        std::uint64_t copies = 0;      ///< second copies that came in
        std::uint64_t idle_help = 0;   ///< of those: of no use, and not counted as copies
        std::uint64_t late = 0;        ///< an owner's update that came after a newer one
        std::uint64_t again = 0;       ///< passed on in two rounds, see judge_again()
        std::uint64_t beyond = 0;      ///< passed on beyond the hop limit, on the way to its originator
        std::size_t longest_list = 0;  ///< of a copy that was passed on
        std::size_t list_before = 0;   ///< the longest that came in and was passed on
        unsigned most_hops = 0;        ///< of any copy
        void add(const Work& other);
    };
    [[nodiscard]] const Work& work() const { return work_; }
    /// What was wrong, the first few of each rule.
    [[nodiscard]] const std::map<std::string, std::vector<std::string>>& wrong() const { return wrong_; }
    [[nodiscard]] std::uint64_t counted_copies() const;
    /// Pairs in sight of each other of whom the first was shown the second lately, and all pairs in sight.
    [[nodiscard]] std::pair<std::size_t, std::size_t> known() const;

private:
    using Index = std::uint16_t;
    using Stamp = std::int64_t;  // the round in which it was written
    struct Copy {                // of an update, on its way or arrived
        Index origin = 0;
        Index from = 0;
        Stamp stamp = 0;
        unsigned way = 1;  // hops so far, counted here
        ForwardHeader header;
        std::vector<std::uint32_t> list;
        bool own = false;      // it came from its owner
        bool refused = false;  // counted as a further copy
    };
    struct Passed {
        Copy copy;
        std::vector<std::uint8_t> state;
        std::vector<std::uint8_t> bytes;  // the header
        std::size_t bits = 0;
    };
    struct Datagram {
        unsigned arrives = 0;
        Index from = 0;
        Index to = 0;
        Stamp stamp = 0;  // of the sender's own update; 0: there is none
        std::vector<std::vector<std::uint8_t>> messages;
        std::vector<Passed> forwards;
    };
    struct Member {
        std::unique_ptr<PSenseOverlay> overlay;
        RandomStream random{Seed{}, ""};
        Vec3 position;
        Vec3 step;
        std::vector<Vec3> places;                               // by stamp
        std::map<Index, unsigned> heard;                        // linked: when a word came last
        std::map<Index, unsigned> spoken;                       // and when the last one went out
        std::map<Index, Stamp> shown;                           // by owner
        std::vector<Copy> came;                                 // since the last round
        std::map<std::pair<Index, Stamp>, unsigned> passed_on;  // when
    };
    static Index index(const PeerId& id) { return static_cast<Index>(id.number() - 1); }
    static std::uint32_t name(Index i) { return short_id(PeerId::from_number(i + 1ULL)); }

    static Copy own_copy(Index origin, Stamp stamp);

    void run_round();
    void join(Index i);
    void link(Index a, Index b);
    void drop_silent(Index i);
    void receive(const Datagram& datagram);
    void receive_update(Index from, Index to, Stamp stamp);
    void receive_message(Index from, Index to, std::span<const std::uint8_t> bytes);
    void receive_forward(Index from, Index to, const Passed& forward);
    void act(Index i);
    void choose(Index i);
    void say(Index i);
    void move(Member& m) const;
    Passed pass(Index i, const OverlayActions::Forward& forward);
    void send(Datagram datagram);

    void judge(Index to, bool own, Member& m, Copy& copy);
    void judge_again(const Copy& copy, const Copy& source, unsigned before);
    void judge_hops(const Member& m, const Copy& copy, const Copy& source);
    void judge_list(const Member& m, Index to, const Copy& copy, const Copy& source);
    [[nodiscard]] const Copy* source_of(const Member& m, Index origin, Stamp stamp, bool own) const;
    void violation(const std::string& rule, const Copy& copy, const std::string& what);

    ManyOptions options_;
    World world_;
    RandomStream random_;
    std::vector<Member> members_;
    std::vector<Datagram> under_way_;
    std::vector<std::pair<Index, Index>> calls_;
    OverlayActions actions_;
    std::vector<Candidate> candidates_;
    std::map<Index, Datagram> out_;                       // of who acts now: by receiver
    std::map<Index, std::set<std::uint32_t>> receivers_;  // of who acts now: by originator
    unsigned round_ = 0;
    Work work_;
    std::map<std::string, std::vector<std::string>> wrong_;
};

}  // namespace fray::test
