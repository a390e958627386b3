// A list that is used again and again.

#include "core/recycled.hpp"

#include <gtest/gtest.h>

#include <string>

namespace fray {
namespace {

void fill(Recycled<std::string>& list, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) list.add().assign(100, 'x');
}

TEST(Recycled, WhatElementsHoldIsUsedAgain) {
    Recycled<std::string> list;
    fill(list, 10);
    const char* memory = list[7].data();
    list.clear();
    EXPECT_TRUE(list.empty());
    fill(list, 10);
    EXPECT_EQ(list[7].data(), memory);
    EXPECT_EQ(list.size(), 10U);
}

TEST(Recycled, AfterATimeOfManyTheSurplusIsGivenBack) {
    Recycled<std::string> list;
    fill(list, 1000);
    for (int i = 0; i < 70; ++i) {
        list.clear();
        fill(list, 10);
    }
    EXPECT_EQ(list.size(), 10U);
    EXPECT_LE(list.all().size(), 32U);
    EXPECT_LE(list.all().capacity(), 32U);
    EXPECT_EQ(list[9].size(), 100U);
}

}  // namespace
}  // namespace fray
