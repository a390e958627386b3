// Loaders: small hand-made files, damaged in every way that occurs, and the real files if they exist.

#include "sim/data_access.hpp"
#include "sim/data_matrix.hpp"
#include "sim/data_ping.hpp"
#include "sim/data_text.hpp"
#include "support/files.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace fray::sim {
namespace {

using test::find_data;
using test::kNoData;
using test::TempFolder;

/// The error line; it must name the file.
template <class T>
std::string refusal(const Result<T>& result, const std::string& file) {
    if (result) return "accepted";
    EXPECT_EQ(result.error().message.find(file), 0U) << result.error().message;
    EXPECT_EQ(result.error().message.find('\n'), std::string::npos);
    return result.error().message.substr(file.size());
}

// --- numbers ---

TEST(DataText, DecimalsAreReadExactlyAndOtherTextIsNoNumber) {
    EXPECT_EQ(parse_decimal("33.25"), 33.25);
    EXPECT_EQ(parse_decimal("-1"), -1.0);
    EXPECT_EQ(parse_decimal("3.83735e-06"), 3.83735e-06);
    EXPECT_EQ(parse_decimal("0.1"), 0.1);
    for (const char* text :
         {"", "-", ".", "1.2.3", "1e", "1e999", "nan", "0x10", " 1", "1 ", "12345678901234567890"}) {
        EXPECT_FALSE(parse_decimal(text)) << text;
    }
    EXPECT_EQ(parse_whole("42"), 42U);
    EXPECT_FALSE(parse_whole("4.2"));
}

// --- matrices ---

TEST(DataMatrix, ReadsPlanetLab) {
    const TempFolder folder;
    folder.write("nodes.csv", "index,source_node\n0,3\n1,4\n");
    const std::vector<std::uint8_t> cells{0, 0,  10, 0, 12, 0, 0, 0, /* second slice */ 0,
                                          0, 30, 0,  0, 1,  0, 0};
    folder.write("rtt_u16.bin", cells);
    const Result<RttSlices> slices = load_planetlab(folder.path());
    ASSERT_TRUE(slices) << slices.error().message;
    EXPECT_EQ(slices->slices, 2U);
    EXPECT_EQ(slices->at(0, 0, 1), 1ms);
    EXPECT_EQ(slices->at(1, 1, 0), 25'600us);
    EXPECT_EQ(slices->one_way(0).one_way[2], 600us);
    EXPECT_EQ(slices->median_one_way().one_way[1], 1ms);
}

TEST(DataMatrix, RefusesACutOffMatrixWithTheByte) {
    const TempFolder folder;
    folder.write("nodes.csv", "index,source_node\n0,3\n1,4\n");
    const std::string file = folder.write("rtt_u16.bin", std::string_view{"1234567", 7});
    EXPECT_EQ(refusal(load_planetlab(folder.path()), file),
              ": cut off at byte 7: expected a multiple of 8 bytes (2 x 2 values of 16 bit)");
}

TEST(DataMatrix, RefusesNodesThatDoNotCount) {
    const TempFolder folder;
    const std::string file = folder.write("nodes.csv", "index,source_node\n0,3\n2,4\n");
    EXPECT_EQ(refusal(load_planetlab(folder.path()), file), ":3: expected index 1");
    EXPECT_NE(refusal(load_planetlab(folder.path("nowhere")), folder.path("nowhere")).find("cannot be read"),
              std::string::npos);
}

TEST(DataMatrix, RefusesSeattleWithSlicesMissing) {
    const TempFolder folder;
    folder.write("nodes.csv", "index,source_node\n0,1\n");
    folder.write("slices.csv", "index,source_slice\n0,1\n1,3\n");
    const std::string file = folder.write("rtt_u16.bin", std::string_view{"\0\0", 2});
    EXPECT_EQ(refusal(load_seattle(folder.path()), file), ": cut off: expected 2 slices, found 1");
}

TEST(DataMatrix, ReadsCloudRegionsAndWantsEveryPairOnce) {
    const TempFolder folder;
    const std::string header = "src,dst,rtt_avg_ms,tcp_bitrate_bps\n";
    const std::string good = folder.write("good.csv", header + "a,b,10.5,1000\nb,a,20,1000\n");
    const Result<CloudRegions> regions = load_cloud_regions(good);
    ASSERT_TRUE(regions) << regions.error().message;
    EXPECT_EQ(regions->names, (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(regions->one_way.one_way, (std::vector<Duration>{0us, 5'250us, 10ms, 0us}));
    const std::string none = folder.write("none.csv", header);
    EXPECT_EQ(refusal(load_cloud_regions(none), none), ": expected at least one link");
    const std::string one = folder.write("one.csv", header + "a,b,10.5,1000\n");
    EXPECT_EQ(refusal(load_cloud_regions(one), one),
              ": expected every ordered pair of its 2 regions once, found 1 links");
    const std::string twice = folder.write("twice.csv", header + "a,b,10.5,1000\na,b,10.5,1000\n");
    EXPECT_EQ(refusal(load_cloud_regions(twice), twice), ": expected a link from b to a");
    const std::string text = folder.write("text.csv", header + "a,b,ten,1000\n");
    EXPECT_EQ(refusal(load_cloud_regions(text), text), ":2: expected a number as rtt_avg_ms, found \"ten\"");
}

// --- pings ---

TEST(DataPing, ReadsStarlinkWithItsLosses) {
    const TempFolder folder;
    const std::string file = folder.write("noisl.csv", "t_s,rtt_ms\n0.000,44.5\n0.146,-1\n5.2,40.9\n");
    const Result<PingTrace> trace = load_starlink(file);
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_EQ(trace->rtt, (std::vector<Duration>{44'500us, kLostSample, 40'900us}));
    EXPECT_EQ(trace->at[1], 146ms);
    EXPECT_EQ(trace->lost(), 1U);
    EXPECT_EQ(trace->latency(0.5).samples->size(), 3U);
}

TEST(DataPing, RefusesDamagedStarlinkFilesWithTheLine) {
    const TempFolder folder;
    const auto refuse = [&folder](const std::string& content) {
        const std::string file = folder.write("bad.csv", content);
        return refusal(load_starlink(file), file);
    };
    EXPECT_EQ(refuse(""), ": empty");
    EXPECT_EQ(refuse("time,rtt\n"), ":1: expected the columns \"t_s,rtt_ms\"");
    EXPECT_EQ(refuse("t_s,rtt_ms\n"), ": expected at least one probe");
    EXPECT_EQ(refuse("t_s,rtt_ms\n0,1\n0.1\n"), ":3: expected 2 columns, found 1");
    EXPECT_EQ(refuse("t_s,rtt_ms\n0,1\n0.1,4"), ":3: cut off: the last line has no end");
    EXPECT_EQ(refuse("t_s,rtt_ms\n0,x\n"), ":2: expected a number as rtt_ms, found \"x\"");
    EXPECT_EQ(refuse("t_s,rtt_ms\n0,-0.5\n"), ":2: expected a time, or -1 for a lost probe");
    EXPECT_EQ(refuse("t_s,rtt_ms\n1,1\n0,1\n"), ":3: expected times to rise");
}

TEST(DataPing, ReadsPingOutputAndCountsMissingNumbersAsLost) {
    const TempFolder folder;
    const std::string file = folder.write("ping.txt",
                                          "PING a (1.2.3.4) 56(84) bytes of data.\n"
                                          "64 bytes from a: icmp_seq=2 ttl=64 time=23.1 ms\n"
                                          "64 bytes from a: icmp_seq=5 ttl=64 time=140 ms\n\n"
                                          "--- a ping statistics ---\n5 packets transmitted\n");
    const Result<PingTrace> trace = load_ping_output(file);
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_EQ(trace->rtt, (std::vector<Duration>{23'100us, kLostSample, kLostSample, 140ms}));
    EXPECT_EQ(trace->at[3], 3s);
    const std::string bad = folder.write("bad.txt", "PING a\n64 bytes from a: icmp_seq=2 ttl=64 time=23.1\n");
    EXPECT_EQ(refusal(load_ping_output(bad), bad), ":2: expected \"icmp_seq=N ... time=X ms\"");
    const std::string cut =
        folder.write("cut.txt", "PING a\n64 bytes from a: icmp_seq=2 ttl=64 time=23.1 ms");
    EXPECT_EQ(refusal(load_ping_output(cut), cut), ":2: cut off: the last line has no end");
    const std::string none = folder.write("none.txt", "hello\n");
    EXPECT_EQ(refusal(load_ping_output(none), none), ":1: expected the output of ping, \"PING ...\"");
}

TEST(DataPing, ReadsMobilePingsWithWholeBurstsLost) {
    const TempFolder folder;
    const std::string header =
        "session,mobility,t_s,mode,speed_kmh,ping_avg_ms,ping_min_ms,ping_max_ms,ping_stdev_ms,ping_loss_"
        "pct\n";
    const std::string file = folder.write(
        "ping.csv", header + "0,driving,9,5G,1,82.0,79.0,86.0,3.0,0.0\n0,static,23,UMTS,49,,,,,100.0\n");
    const Result<std::vector<MobilePing>> pings = load_mobile_pings(file);
    ASSERT_TRUE(pings) << pings.error().message;
    ASSERT_EQ(pings->size(), 2U);
    EXPECT_EQ((*pings)[0].least, 79ms);
    EXPECT_FALSE((*pings)[1].average);
    EXPECT_EQ((*pings)[1].loss, 1.0);
    const std::string bad = folder.write("bad.csv", header + "0,flying,9,5G,1,82.0,79.0,86.0,3.0,0.0\n");
    EXPECT_EQ(refusal(load_mobile_pings(bad), bad), ":2: expected driving or static as mobility");
}

TEST(DataPing, ReadsGamePingsBySeries) {
    const TempFolder folder;
    const std::string file = folder.write("rl.csv",
                                          "match,match_type,player,t_s,ping_ms\nr0,online,0,0.00,40\nr0,"
                                          "online,1,0.00,8\nr0,online,0,2.00,36\n");
    const Result<std::vector<GamePings>> pings = load_rocketleague_pings(file);
    ASSERT_TRUE(pings) << pings.error().message;
    ASSERT_EQ(pings->size(), 2U);
    EXPECT_EQ((*pings)[0].sampled(1s), (std::vector<Duration>{40ms, 40ms, 36ms}));
    const std::string quake =
        folder.write("qw.csv", "match,player,bot,t_s,ping_ms,loss_pct\nm,0,1,0.00,25,7\nm,0,1,bad,25,0\n");
    EXPECT_EQ(refusal(load_quakeworld_pings(quake), quake), ":3: expected a number as t_s, found \"bad\"");
}

// --- lines ---

TEST(DataAccess, ReadsCapacityAndRefusesAnEmptyOne) {
    const TempFolder folder;
    const std::string file = folder.write("a.up.u8", std::string_view{"\1\0\2", 3});
    const Result<CapacityTrace> trace = load_capacity(file);
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_EQ(trace->packets_per_ms, (std::vector<std::uint8_t>{1, 0, 2}));
    const std::string empty = folder.write("b.up.u8", std::string_view{});
    EXPECT_EQ(refusal(load_capacity(empty), empty),
              ": expected packets per millisecond, one byte each, not all of them zero");
}

TEST(DataAccess, ReadsCountryPercentilesAndDrawsBetweenThem) {
    const TempFolder folder;
    const std::string header = "country,metric,samples,p1,p5,p10,p25,p50,p75,p90,p95,p99\n";
    const std::string file = folder.write("c.csv", header + "AE,upload_mbps,100,1,2,3,4,16,20,30,40,50\n");
    const Result<std::vector<CountryPercentiles>> rows = load_country_percentiles(file);
    ASSERT_TRUE(rows) << rows.error().message;
    EXPECT_DOUBLE_EQ((*rows)[0].at(0.375), 8.0);
    EXPECT_EQ((*rows)[0].at(0.0), 1.0);
    EXPECT_EQ((*rows)[0].at(0.999), 50.0);
    const std::string bad = folder.write("bad.csv", header + "AE,upload_mbps,100,1,2,3,4,16,20,30,40,5\n");
    EXPECT_EQ(refusal(load_country_percentiles(bad), bad), ":2: expected percentiles to rise");
    const std::string metric = folder.write("metric.csv", header + "AE,speed,100,1,2,3,4,16,20,30,40,50\n");
    EXPECT_EQ(refusal(load_country_percentiles(metric), metric),
              ":2: expected upload_mbps, download_mbps, min_rtt_ms or loss_fraction as metric");
}

// --- the real files ---

TEST(DataReal, MatricesHaveTheirStatedDimensions) {
    const auto planetlab = find_data("netlatency_planetlab");
    const auto seattle = find_data("netlatency_seattle");
    const auto cloud = find_data("cloud_regions/links.csv");
    if (!planetlab || !seattle || !cloud) GTEST_SKIP() << kNoData;
    const Result<RttSlices> hosts = load_planetlab(*planetlab);
    ASSERT_TRUE(hosts) << hosts.error().message;
    EXPECT_EQ(hosts->size, 340U);
    EXPECT_EQ(hosts->slices, 12U);
    const Result<RttSlices> homes = load_seattle(*seattle);
    ASSERT_TRUE(homes) << homes.error().message;
    EXPECT_EQ(homes->size, 74U);
    EXPECT_EQ(homes->slices, 230U);
    const Result<CloudRegions> regions = load_cloud_regions(*cloud);
    ASSERT_TRUE(regions) << regions.error().message;
    EXPECT_EQ(regions->names.size(), 14U);
}

TEST(DataReal, PingsHaveTheirStatedCounts) {
    const auto starlink = find_data("starlink_ping");
    const auto phone = find_data("private5g_ping");
    const auto mobile = find_data("mobile_ie_5g4g/ping.csv");
    const auto games = find_data("game_pings");
    if (!starlink || !phone || !mobile || !games) GTEST_SKIP() << kNoData;
    const Result<PingTrace> isl = load_starlink(*starlink + "/isl.csv");
    ASSERT_TRUE(isl) << isl.error().message;
    EXPECT_GT(isl->rtt.size(), 20'000U);
    const Result<PingTrace> edge = load_ping_output(*phone + "/ping-MEC-ORAN.txt");
    ASSERT_TRUE(edge) << edge.error().message;
    EXPECT_EQ(edge->rtt.size() - edge->lost(), 874U);
    const Result<std::vector<MobilePing>> bursts = load_mobile_pings(*mobile);
    ASSERT_TRUE(bursts) << bursts.error().message;
    EXPECT_EQ(bursts->size(), 1732U);
    const Result<std::vector<GamePings>> rocket = load_rocketleague_pings(*games + "/rocketleague_ping.csv");
    ASSERT_TRUE(rocket) << rocket.error().message;
    EXPECT_GT(rocket->size(), 100U);
    const Result<std::vector<GamePings>> quake = load_quakeworld_pings(*games + "/quakeworld_ping.csv");
    ASSERT_TRUE(quake) << quake.error().message;
    EXPECT_GT(quake->size(), 5U);
}

TEST(DataReal, LinesHaveTheirStatedLengths) {
    const auto cellular = find_data("cellular_capacity/Verizon-LTE-short.up.u8");
    const auto countries = find_data("mlab_ndt_percentiles/country_percentiles.csv");
    if (!cellular || !countries) GTEST_SKIP() << kNoData;
    const Result<CapacityTrace> trace = load_capacity(*cellular);
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_EQ(trace->packets_per_ms.size(), 140'001U);
    const Result<std::vector<CountryPercentiles>> rows = load_country_percentiles(*countries);
    ASSERT_TRUE(rows) << rows.error().message;
    EXPECT_EQ(rows->size(), 168U * 4);
}

}  // namespace
}  // namespace fray::sim
