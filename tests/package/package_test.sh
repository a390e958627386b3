#!/usr/bin/env bash
# Installs Fray into a folder of the build tree, and builds and runs a small program against it from
# elsewhere: once through find_package, once through pkg-config.
set -euo pipefail
if [ -n "${FRAY_SANITIZE:-}" ]; then
  echo "left out: a program against sanitized libraries needs the sanitizer's flags too"
  exit 77
fi
folder="$FRAY_BINARY_DIR/package_test"
prefix="$folder/prefix"
rm -rf "$folder"
mkdir -p "$folder/elsewhere"
cmake --install "$FRAY_BINARY_DIR" --prefix "$prefix" >"$folder/install.log"
cp "$FRAY_SOURCE_DIR"/tests/package/{CMakeLists.txt,consumer.cpp} "$folder/elsewhere/"
cd "$folder/elsewhere"

cmake -G Ninja -S . -B build -D CMAKE_PREFIX_PATH="$prefix" -D CMAKE_CXX_COMPILER="$FRAY_CXX" >/dev/null
cmake --build build
echo "find_package: $(build/consumer)"
echo "find_package, all parts: $(build/consumer_of_all)"

PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name fray.pc)")
export PKG_CONFIG_PATH
for package in fray fray-net fray-sim; do
  # Word splitting is meant: these are flags.
  # shellcheck disable=SC2046
  "$FRAY_CXX" -std=c++20 consumer.cpp $(pkg-config --cflags --libs $package) -o "$package"
  echo "pkg-config $package: $("./$package")"
done
