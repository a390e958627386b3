#pragma once
// Files that are there whole or not at all.

#include <fray/result.hpp>

#include <filesystem>
#include <string>
#include <string_view>

namespace fray::lab {

/// Writes a temporary file and renames it: no reader sees a partial file, and an old one stays until the new
/// one is complete.
[[nodiscard]] Result<void> write_whole(const std::filesystem::path& file, std::string_view text);
/// Checks that write_whole() would succeed, before long work whose result goes there. Leaves no file behind.
[[nodiscard]] Result<void> check_writable(const std::filesystem::path& file);
[[nodiscard]] Result<std::string> read_whole(const std::filesystem::path& file);
/// Makes the folder and those above it, and makes sure that files can be made in it.
[[nodiscard]] Result<void> make_writable_folder(const std::filesystem::path& folder);
/// Renames a folder to the first free name of folder.1, folder.2, ... and returns it.
[[nodiscard]] Result<std::filesystem::path> move_aside(const std::filesystem::path& folder);

}  // namespace fray::lab
