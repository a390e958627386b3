// Measured cells are found again, and not used if they are not ours or not complete.

#include "lab/advise/cell_cache.hpp"
#include "lab/advise/measure.hpp"
#include "lab/advise/network.hpp"
#include "lab/advise_fakes.hpp"
#include "lab/fake_experiment.hpp"
#include "lab/runner/file_io.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>
#include <string>
#include <vector>

namespace fray::lab::advise {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class AdviseCache : public testing::Test {
protected:
    CellCache cache(const std::string& commit = "abc") {
        return {folder_.path() / "cells",
                {.version = "1.0.0", .commit = commit},
                [this](std::string_view what) { warnings_.emplace_back(what); }};
    }
    Result<Measured> measure(const CellCache& cache, const Network& network) {
        const auto cells = cells_needed(description_, network);
        return measure_cells(cells, network, runner_, cache,
                             {.jobs = 3, .stop = stop_, .warn = [this](std::string_view what) {
                                  warnings_.emplace_back(what);
                              }});
    }

    TemporaryFolder folder_;
    FakeRunner runner_{16ms};
    std::atomic<bool> stop_{false};
    std::vector<std::string> warnings_;
    Description description_ = described(
        "[[entity]]\nname = \"a\"\ntype = \"local_avatar\"\n"
        "[[entity]]\nname = \"b\"\ntype = \"other_avatar\"\n");
};

TEST_F(AdviseCache, WhatIsKnownIsNotMeasuredAgain) {
    ASSERT_TRUE(cache().open());
    const auto first = measure(cache(), fake_network());
    ASSERT_TRUE(first) << first.error().message;
    EXPECT_EQ(first->size(), 27U);
    EXPECT_EQ(runner_.calls, 27);  // both entities need the same cells
    const auto again = measure(cache(), fake_network());
    ASSERT_TRUE(again);
    EXPECT_EQ(runner_.calls, 27);
    EXPECT_TRUE(warnings_.empty());
    for (const auto& [key, result] : *first) {
        EXPECT_EQ(again->at(key).felt.propagation_ms, result.felt.propagation_ms);
        EXPECT_EQ(again->at(key).bytes_per_s, result.bytes_per_s);
        EXPECT_EQ(again->at(key).top_speed, result.top_speed);
        EXPECT_EQ(again->at(key).recordings, 10U);
        EXPECT_EQ(again->at(key).felt.viewer_frames, 1000U);
    }
}

TEST_F(AdviseCache, AnotherBuildOrNetworkIsMeasuredAnew) {
    ASSERT_TRUE(cache().open());
    Network network = fake_network();
    ASSERT_TRUE(measure(cache(), network));
    ASSERT_TRUE(measure(cache("def"), network));
    EXPECT_EQ(runner_.calls, 54);
    network.content = "1234";  // the content of the recording changed, under the same name
    ASSERT_TRUE(measure(cache(), network));
    EXPECT_EQ(runner_.calls, 81);
    EXPECT_TRUE(warnings_.empty());
}

TEST_F(AdviseCache, BrokenAndForeignFilesAreIgnoredWithAWord) {
    const auto cells = cache();
    ASSERT_TRUE(cells.open());
    const CellResult result{
        .felt = {.response_ms = 12.5}, .bytes_per_s = 100, .top_speed = 20, .recordings = 10};
    ASSERT_TRUE(cells.store("one", result));
    ASSERT_TRUE(cells.find("one"));
    const fs::path file = cells.file_of("one");
    const std::string good = *read_whole(file);
    const auto refused = [&](const std::string& text) {
        warnings_.clear();
        std::ofstream{file, std::ios::binary} << text;
        const bool ignored = !cells.find("one").has_value();
        return ignored && warnings_.size() == 1 ? warnings_[0].substr(file.string().size() + 2) : "trusted";
    };
    std::string digit = good;
    digit.replace(digit.find("12.5"), 4, "11.5");
    EXPECT_EQ(refused(digit), "is damaged; it is measured again");
    std::string negative = good;
    negative.replace(negative.find("12.5"), 4, "-1.5");
    EXPECT_EQ(refused(negative), "is damaged; it is measured again");
    for (std::size_t length = 0; length < good.size() - 2; length += 7)
        EXPECT_EQ(refused(good.substr(0, length)), "is no measured cell; it is measured again");
    EXPECT_EQ(refused("[1, 2]"), "is no measured cell; it is measured again");
    EXPECT_EQ(refused(std::string(100'000, ' ')), "is no measured cell; it is measured again");
    ASSERT_TRUE(cells.store("two", result));
    EXPECT_EQ(refused(*read_whole(cells.file_of("two"))), "is of another cell; it is measured again");
    fs::remove(file);
    fs::create_directory(file);
    warnings_.clear();
    EXPECT_FALSE(cells.find("one"));
    EXPECT_THAT(warnings_, ElementsAre(HasSubstr("is no measured cell")));
    EXPECT_FALSE(cells.store("one", result));
}

TEST_F(AdviseCache, WhatIsNotPlayableStaysSo) {
    const auto cells = cache();
    ASSERT_TRUE(cells.open());
    ASSERT_TRUE(cells.store("one", {.felt = {.inputs = 7, .inputs_unseen = 6, .decisions_open = 5},
                                    .bytes_per_s = 0,
                                    .top_speed = 1,
                                    .recordings = 10,
                                    .unplayable = 3}));
    const auto found = cells.find("one");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->unplayable, 3U);
    EXPECT_EQ(found->felt.inputs, 7U);
    EXPECT_EQ(found->felt.inputs_unseen, 6U);
    EXPECT_EQ(found->felt.decisions_open, 5U);
}

TEST_F(AdviseCache, FilesOfAnOlderFormatAreNotRead) {
    const auto cells = cache();
    ASSERT_TRUE(cells.open());
    const CellResult result{.felt = {}, .bytes_per_s = 100, .top_speed = 20, .recordings = 10};
    ASSERT_TRUE(cells.store("one", result));
    const std::string good = *read_whole(cells.file_of("one"));
    EXPECT_THAT(good, HasSubstr("format=2"));  // in the key, so in the file's name
    // If a file of an older format has this name, figures that it lacks are not taken as zero.
    for (const std::string name : {"inputs_unseen", "viewer_frames", "recordings", "unplayable"}) {
        std::string old = good;
        old.replace(old.find('"' + name + '"'), 2, "\"x");
        std::ofstream{cells.file_of("one"), std::ios::binary} << old;
        EXPECT_FALSE(cells.find("one")) << name;
    }
}

TEST_F(AdviseCache, ABrokenFileIsReplaced) {
    const auto cells = cache();
    ASSERT_TRUE(cells.open());
    const auto first = measure(cells, fake_network());
    ASSERT_TRUE(first);
    std::ofstream{cells.file_of(first->begin()->first)} << "{";
    ASSERT_TRUE(measure(cells, fake_network()));
    EXPECT_EQ(runner_.calls, 28);
    EXPECT_EQ(warnings_.size(), 1U);
    ASSERT_TRUE(measure(cells, fake_network()));
    EXPECT_EQ(runner_.calls, 28);
}

TEST_F(AdviseCache, FilesAreThereWholeOrNotAtAll) {
    const auto cells = cache();
    ASSERT_TRUE(cells.open());
    ASSERT_TRUE(measure(cells, fake_network()));
    int files = 0;
    for (const auto& entry : fs::directory_iterator{folder_.path() / "cells"}) {
        EXPECT_EQ(entry.path().extension(), ".json");  // no temporary file is left
        ++files;
    }
    EXPECT_EQ(files, 27);
    const CellResult nonsense{
        .felt = {.response_ms = std::nan("")}, .bytes_per_s = 1, .top_speed = 1, .recordings = 1};
    EXPECT_FALSE(cells.store("nan", nonsense));
    EXPECT_FALSE(fs::exists(cells.file_of("nan")));
}

TEST_F(AdviseCache, AFolderThatCannotBeWrittenIsSaidBefore) {
    std::ofstream{folder_.path() / "cells"} << "a file";
    const auto opened = cache().open();
    ASSERT_FALSE(opened);
    EXPECT_THAT(opened.error().message, HasSubstr("cells"));
    // Later on it is a warning, not an error.
    const auto measured = measure(cache(), fake_network());
    ASSERT_TRUE(measured);
    EXPECT_EQ(measured->size(), 27U);
    EXPECT_EQ(warnings_.size(), 27U);
}

TEST_F(AdviseCache, AStoppedRunGoesOnWhereItWas) {
    ASSERT_TRUE(cache().open());
    runner_.stop = &stop_;
    runner_.stop_after = 5;
    const auto first = measure(cache(), fake_network());
    ASSERT_TRUE(first);
    EXPECT_GE(first->size(), 5U);
    EXPECT_LE(first->size(), 7U);  // cells in progress are finished
    runner_.stop = nullptr;
    stop_ = false;
    const auto rest = measure(cache(), fake_network());
    ASSERT_TRUE(rest);
    EXPECT_EQ(rest->size(), 27U);
    EXPECT_EQ(runner_.calls, 27);
}

TEST_F(AdviseCache, ACellThatCannotBeMeasuredEndsIt) {
    ASSERT_TRUE(cache().open());
    runner_.fails = true;
    const auto measured = measure(cache(), fake_network());
    ASSERT_FALSE(measured);
    EXPECT_THAT(measured.error().message, HasSubstr(": the recordings are not there"));
    EXPECT_LE(runner_.calls, 3);
}

TEST(AdviseCells, EveryParameterIsInTheKey) {
    const auto key = [](const Adaptive& adaptive) {
        return cell_key({.consistency = {.algorithm = adaptive}, .network = "lan"}, {});
    };
    EXPECT_NE(key({.most_lag = 50ms, .least_lag = 50ms}), key({.most_lag = 50ms}));
    EXPECT_NE(key({.most_lag = 60ms}), key({.most_lag = 50ms}));
}

TEST(AdviseNetwork, KnowsHowSlowItIs) {
    const auto near = load_network("same-continent");
    const auto far = load_network("other-continent");
    ASSERT_TRUE(near && far);
    EXPECT_NEAR(std::chrono::duration<double>(near->median_latency).count(), 0.0163, 0.0005);
    EXPECT_NEAR(std::chrono::duration<double>(far->median_latency).count(), 0.16, 0.005);
    EXPECT_TRUE(near->content.empty());
    // Must not mention profiles.
    EXPECT_THAT(load_network("moon").error().message,
                testing::StartsWith("a network must be one of lan, same-continent"));
    EXPECT_THAT(load_network("ping:/nowhere.txt").error().message, HasSubstr("/nowhere.txt"));
}

TEST(AdviseNetwork, TheContentOfAMeasurementCounts) {
    const TemporaryFolder folder;
    const fs::path file = folder.path() / "pings.csv";
    const auto loaded = [&](const std::string& rows) {
        std::ofstream{file} << "t_s,rtt_ms\n" << rows;
        const auto network = load_network("starlink:" + file.string());
        if (!network) ADD_FAILURE() << network.error().message;
        return network ? *network : Network{};
    };
    const Network first = loaded("0,40\n0.1,42\n0.2,44\n");
    const Network changed = loaded("0,40\n0.1,42\n0.2,45\n");
    EXPECT_EQ(first.content.size(), 16U);
    EXPECT_NE(first.content, changed.content);
    EXPECT_EQ(first.content, loaded("0,40\n0.1,42\n0.2,44\n").content);
    EXPECT_EQ(first.median_latency, Duration{21ms});
    EXPECT_NE(cell_key({.consistency = {}, .network = first.name}, first.content),
              cell_key({.consistency = {}, .network = first.name}, changed.content));
}

}  // namespace
}  // namespace fray::lab::advise
