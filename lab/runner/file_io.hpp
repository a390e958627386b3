#pragma once
// Atomic file operations: a file is complete or absent.

#include <fray/result.hpp>

#include <filesystem>
#include <string>
#include <string_view>

namespace fray::lab {

/// Writes a temporary file and renames it: no reader sees a partial file, and an old one stays until the new
/// one is complete.
[[nodiscard]] Result<void> write_whole(const std::filesystem::path& file, std::string_view text);
/// Checks that write_whole() would succeed, before long work whose result is written there. Leaves no file
/// behind.
[[nodiscard]] Result<void> check_writable(const std::filesystem::path& file);
[[nodiscard]] Result<std::string> read_whole(const std::filesystem::path& file);
/// Creates the folder and its parents, and checks that files can be created in it.
[[nodiscard]] Result<void> make_writable_folder(const std::filesystem::path& folder);
/// Renames a folder to the first free name of folder.1, folder.2, ... and returns it.
[[nodiscard]] Result<std::filesystem::path> move_aside(const std::filesystem::path& folder);

}  // namespace fray::lab
