"""Proves that every rule of tools/tidy fires on a small bad tree, and is silent on a good one."""
import importlib.machinery
import importlib.util
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
TIDY = ROOT / "tools" / "tidy"
RATCHET = "tools/tidy_ratchet.txt"
LOADER = importlib.machinery.SourceFileLoader("tidy", str(TIDY))
sys.dont_write_bytecode = True  # nothing beside the script
tidy = importlib.util.module_from_spec(importlib.util.spec_from_loader("tidy", LOADER))
LOADER.exec_module(tidy)

GOOD = {
    "README.md": "[pages](docs/index.md)\n",
    "docs/index.md": "Welcome. `tools/setup` sets up.\n",
    "tools/setup": "#!/bin/sh\n",
    "include/fray/time.hpp": "#pragma once\n#include <chrono>\n",
    "src/core/number.hpp": "#pragma once\n#include <fray/time.hpp>\n",
    "src/wire/writer.hpp": '#pragma once\n#include "core/number.hpp"\n',
    "src/session/session.cpp": '#include "wire/writer.hpp"\n',
}


def body(lines):
    return "".join(f"    step({i});\n" for i in range(lines))


class TidyTest(unittest.TestCase):
    def tree(self, files):
        """The good tree with these files added, in a folder of its own."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for name, text in {**GOOD, **files}.items():
            path = Path(folder.name) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return Path(folder.name)

    def findings(self, files):
        return tidy.check(self.tree(files)).findings

    def assert_clean(self, files):
        self.assertEqual(self.findings(files), [])

    def assert_finds(self, expected, files):
        """Exactly one finding, and it holds this text."""
        findings = self.findings(files)
        self.assertEqual(len(findings), 1, findings)
        self.assertIn(expected, findings[0])


class Program(TidyTest):
    def run_tidy(self, root):
        return subprocess.run([sys.executable, str(TIDY), "--root", str(root)], capture_output=True, text=True,
                              check=False)

    def test_good_tree_is_clean(self):
        result = self.run_tidy(self.tree({}))
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn("7 files, 0 findings", result.stdout)

    def test_finding_fails(self):
        result = self.run_tidy(self.tree({"docs/lost.md": "\n"}))
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertIn("docs/lost.md:1: [dead]", result.stdout)

    def test_empty_tree_is_no_success(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(self.run_tidy(folder).returncode, 2)

    def test_ignored_files_are_not_looked_at(self):
        root = self.tree({".gitignore": "/ignored/\n", "ignored/lost.md": "\n"})
        subprocess.run(["git", "init", "-q", str(root)], check=True)
        self.assertEqual(self.run_tidy(root).returncode, 0)


class IncludeDirection(TidyTest):
    def test_upwards(self):
        self.assert_finds("src/core/up.cpp:2: [include] core may not include wire",
                          {"src/core/up.cpp": '\n#include "wire/writer.hpp"\n'})

    def test_between_middle_modules(self):
        self.assert_finds("link may not include clock", {
            "src/clock/offset.hpp": "#pragma once\n", "src/link/link.cpp": '#include "clock/offset.hpp"\n'})

    def test_sim_and_net_are_strangers(self):
        self.assert_finds("sim may not include net", {
            "src/net/udp.hpp": "#pragma once\n", "src/sim/world.cpp": '#include "net/udp.hpp"\n'})
        self.assert_finds("net may not include sim", {
            "src/sim/world.hpp": "#pragma once\n", "src/net/udp.cpp": '#include "sim/world.hpp"\n'})

    def test_relative_path_is_no_way_around(self):
        self.assert_finds("core may not include wire", {"src/core/up.cpp": '#include "../wire/writer.hpp"\n'})

    def test_public_header_stays_public(self):
        self.assert_finds("include may not include core", {
            "include/fray/peer.hpp": '#pragma once\n#include "core/number.hpp"\n',
            "src/session/peer.cpp": "#include <fray/peer.hpp>\n"})

    def test_public_header_in_quotes(self):
        self.assert_finds("included as <fray/time.hpp>", {"src/core/a.cpp": '#include "fray/time.hpp"\n'})

    def test_example_sees_public_headers_only(self):
        self.assert_finds("examples may not include core", {"examples/01_a.cpp": '#include "core/number.hpp"\n'})
        self.assert_clean({"games/panzer/a.hpp": "#pragma once\n", "examples/01_a.cpp": '#include "games/panzer/a.hpp"\n'})

    def test_lab_does_not_include_cli(self):
        self.assert_finds("lab may not include cli", {
            "cli/progress.hpp": "#pragma once\n", "lab/runner/run.cpp": '#include "cli/progress.hpp"\n'})

    def test_between_folders_of_lab(self):
        headers = {f"lab/{folder}/a.hpp": "#pragma once\n" for folder in ["metrics", "runner", "workloads", "advise"]}
        everything = "".join(f'#include "{header}"\n' for header in headers)
        self.assert_clean({**headers, "lab/advise/b.cpp": everything})
        for folder, other in [("workloads", "advise"), ("runner", "workloads"), ("metrics", "runner")]:
            with self.subTest(folder=folder):
                self.assert_finds(f"lab/{folder}/b.cpp:1: [include] {folder} may not include {other}", {
                    f"lab/{other}/a.hpp": "#pragma once\n", f"lab/{folder}/b.cpp": f'#include "lab/{other}/a.hpp"\n'})

    def test_unknown_folder_of_lab(self):
        for path in ["lab/magic/a.cpp", "lab/a.cpp"]:
            with self.subTest(path=path):
                self.assert_finds("no such folder of lab", {path: "int x;\n"})

    def test_downwards_is_free(self):
        self.assert_clean({"lab/runner/run.hpp": '#pragma once\n#include "wire/writer.hpp"\n',
                           "cli/main.cpp": '#include "lab/runner/run.hpp"\n#include "build_info.hpp"\n',
                           "tests/wire/writer_test.cpp": '#include "wire/writer.hpp"\n#include <gtest/gtest.h>\n'})

    def test_foreign_header(self):
        self.assert_finds("<fmt/format.h> may not be included here",
                          {"src/core/a.cpp": "#include <fmt/format.h>\n"})

    def test_missing_header(self):
        self.assert_finds("cannot find core/gone.hpp", {"src/core/a.cpp": '#include "core/gone.hpp"\n'})

    def test_unknown_module(self):
        result = self.findings({"src/magic/a.cpp": "int x;\n"})
        self.assertIn("no such module", result[0])
        self.assertIn("no target builds", result[1])


class BannedCalls(TidyTest):
    BAD = {
        "clock": ["auto t = std::chrono::steady_clock::now();", "#include <ctime>", "auto t = time(nullptr);"],
        "random": ["std::random_device device;", "int i = rand();", "#include <random>"],
        "print": ['printf("x");', "std::cout << 1;", "std::cerr << 1;", 'puts("x");', 'fmt::print("x");',
                  'std::fprintf(stderr, "x");', "#include <iostream>"],
        "thread": ["std::thread worker;", "#include <mutex>"],
        "environment": ['auto x = std::getenv("X");'],
        "file": ["#include <fstream>"],
        "unordered": ["std::unordered_map<int, int> x;", "std::unordered_set<int> x;"],
        "libm": ["auto x = std::sin(1.0);", "auto x = std::pow(2.0F, y);", "auto x = ::expf(y);"],
        "webassembly": ["auto x = y | std::views::reverse;", "#include <coroutine>", "#include <source_location>"],
        "throw": ["throw 1;"],
    }

    def test_each_in_src(self):
        for rule, lines in self.BAD.items():
            for line in lines:
                with self.subTest(line=line):
                    self.assert_finds(f"src/core/a.cpp:2: [{rule}]", {"src/core/a.cpp": f"\n{line}\n"})

    def test_each_in_a_public_header(self):
        for rule, lines in self.BAD.items():
            with self.subTest(rule=rule):
                self.assert_finds(f"[{rule}]", {"include/fray/time.hpp": f"#pragma once\n{lines[0]}\n"})

    def test_simulator_is_strict_too(self):
        self.assert_finds("[clock]", {"src/sim/a.cpp": "auto t = std::chrono::system_clock::now();\n"})

    def test_socket_outside_net(self):
        findings = self.findings({"src/link/a.cpp": "#include <sys/socket.h>\n"})
        self.assertTrue(any("[socket]" in finding for finding in findings), findings)

    def test_net_may_use_the_system_but_not_throw(self):
        self.assert_clean({"src/net/a.cpp": "#include <sys/socket.h>\n#include <ctime>\nstd::mutex m;\n"})
        self.assert_finds("[throw]", {"src/net/a.cpp": "throw 1;\n"})

    def test_programs_are_free(self):
        line = 'throw 1; std::thread worker; std::cout << std::getenv("X");\n'
        self.assert_clean({"lab/runner/run.cpp": line, "cli/main.cpp": line, "tests/wire/a_test.cpp": line})

    def test_comments_and_strings_do_not_count(self):
        self.assert_clean({"src/core/a.cpp": '// throw, std::thread\n/* printf( */ auto x = "std::cout";\n'})

    def test_similar_names_do_not_count(self):
        self.assert_clean({"src/core/a.cpp": "int n = 1'000; snprintf(b, n, f); x.time(); operand(1); sqrt(2.0);\n"})


class Lengths(TidyTest):
    LONG_FILE = {"src/core/a.cpp": "int x;\n" * 401}
    LONG_FUNCTION = {"src/core/a.cpp": "void f(int x) {\n" + body(39) + "}\n"}

    def test_file(self):
        self.assert_finds("the file has 401 lines, at most 400", self.LONG_FILE)
        self.assert_clean({"src/core/a.cpp": "int x;\n" * 400})

    def test_function(self):
        self.assert_finds("src/core/a.cpp:1: [size] f has 41 lines, at most 40", self.LONG_FUNCTION)
        self.assert_clean({"src/core/a.cpp": "void f(int x) {\n" + body(38) + "}\n"})

    def test_functions_of_every_shape(self):
        for header in ["int A::f() const noexcept {", "A::f(int a) : a_{a}, b_(B{1}) {", "auto f() -> std::vector<int> {",
                       "template <typename T> requires Small<T>\nvoid f(T t) {", "bool f(Options o = {}) {",
                       "namespace n { class A { public: void f() override {"]:
            with self.subTest(header=header):
                closing = "}}}\n" if header.startswith("namespace") else "}\n"
                self.assert_finds("[size]", {"src/core/a.cpp": header + "\n" + body(40) + closing})

    def test_long_classes_and_tables_are_fine(self):
        self.assert_clean({"src/core/a.cpp": "struct A {\n" + "    int f() {\n        return 1;\n    }\n" * 20 + "};\n"
                           + "constexpr int kTable[] = {\n" + "    1,\n" * 60 + "};\n"})

    def test_ratchet_allows_what_is_there(self):
        self.assert_clean({**self.LONG_FILE, RATCHET: "# known\nfile src/core/a.cpp - 401\n"})
        self.assert_clean({**self.LONG_FUNCTION, RATCHET: "function src/core/a.cpp f 41\n"})

    def test_ratchet_forbids_growth(self):
        self.assert_finds("at most 400", {"src/core/a.cpp": "int x;\n" * 405, RATCHET: ""})
        self.assert_finds("405 lines, at most 402", {
            "src/core/a.cpp": "int x;\n" * 405, RATCHET: "file src/core/a.cpp - 402\n"})

    def test_ratchet_must_be_lowered(self):
        self.assert_finds("lower the ratchet: 'file src/core/a.cpp -' to 401",
                          {**self.LONG_FILE, RATCHET: "file src/core/a.cpp - 450\n"})
        self.assert_finds("lower the ratchet: remove", {RATCHET: "file src/core/gone.cpp - 450\n"})

    def test_ratchet_can_be_written(self):
        root = self.tree(self.LONG_FUNCTION)
        tidy.write_ratchet(tidy.Tree(root))
        self.assertIn("function src/core/a.cpp f 41\n", (root / RATCHET).read_text())
        self.assertEqual(tidy.check(root).findings, [])


def declared(name, methods=0, members=0):
    """A header with this class."""
    lines = [f"    void f{i}();\n" for i in range(methods)] + [f"    int m{i}_ = 0;\n" for i in range(members)]
    return f"#pragma once\nclass {name} {{\n" + "".join(lines) + "};\n"


class ClassSizes(TidyTest):
    USE = '#include "core/a.hpp"\n'

    def header(self, text, **more):
        return {"src/core/a.hpp": text, "src/core/use.cpp": self.USE, **more}

    def sources(self, count):
        return {f"src/core/{i}.cpp": self.USE + f"void A::f{i}() {{}}\n" for i in range(count)}

    def test_methods(self):
        self.assert_finds("src/core/a.hpp:2: [size] A has 41 methods, at most 40", self.header(declared("A", 41)))
        self.assert_clean(self.header(declared("A", 40)))

    def test_members(self):
        self.assert_finds("src/core/a.hpp:2: [size] A has 21 members, at most 20", self.header(declared("A", 1, 21)))
        self.assert_clean(self.header(declared("A", 1, 20)))

    def test_files(self):
        self.assert_finds("src/core/a.hpp:2: [size] A has 4 source files, at most 3",
                          self.header(declared("A", 4), **self.sources(4)))
        self.assert_clean(self.header(declared("A", 4), **self.sources(3)))

    def test_public_headers_and_sources_count_too(self):
        self.assert_finds("include/fray/time.hpp:2: [size]", {"include/fray/time.hpp": declared("A", 41)})
        self.assert_finds("src/core/a.cpp:2: [size]", {"src/core/a.cpp": declared("A", 41)})
        self.assert_clean({"lab/runner/a.cpp": declared("A", 41), "tests/wire/a_test.cpp": declared("A", 41)})

    def test_data_has_any_number_of_members(self):
        fields = "".join(f"    int m{i} = 0;\n" for i in range(30))
        methods = "    A() = default;\n    explicit A(int);\n    static A of(int);\n    bool check() const;\n"
        options = f"#pragma once\nstruct A {{\n{methods}{fields}"
        self.assert_clean(self.header(options + "};\n"))
        self.assert_finds("A has 30 members", self.header(options + "    void change();\n};\n"))
        self.assert_finds("A has 31 members", self.header(options + "private:\n    int hidden_;\n};\n"))

    def test_ratchet_allows_what_is_there_and_forbids_growth(self):
        large = self.header(declared("A", 50, 30))
        self.assert_clean({**large, RATCHET: "members src/core/a.hpp A 30\nmethods src/core/a.hpp A 50\n"})
        self.assert_finds("A has 50 methods, at most 49",
                          {**large, RATCHET: "members src/core/a.hpp A 30\nmethods src/core/a.hpp A 49\n"})

    def test_ratchet_must_be_lowered(self):
        self.assert_finds("lower the ratchet: 'methods src/core/a.hpp A' to 41",
                          {**self.header(declared("A", 41)), RATCHET: "methods src/core/a.hpp A 50\n"})
        self.assert_finds("lower the ratchet: remove 'files src/core/a.hpp A 5'",
                          {**self.header(declared("A", 40)), RATCHET: "files src/core/a.hpp A 5\n"})

    def test_ratchet_can_be_written(self):
        root = self.tree(self.header(declared("A", 41, 21), **self.sources(4)))
        tidy.write_ratchet(tidy.Tree(root))
        self.assertEqual((root / RATCHET).read_text().splitlines()[1:], [
            "files src/core/a.hpp A 4", "members src/core/a.hpp A 21", "methods src/core/a.hpp A 41"])
        self.assertEqual(tidy.check(root).findings, [])

    def test_table(self):
        root = self.tree(self.header(declared("Small", 1, 2) + "struct Large { void f(); void g(); int x; };\n"))
        result = subprocess.run([sys.executable, str(TIDY), "--classes", "--root", str(root)], capture_output=True,
                                text=True, check=True)
        self.assertEqual(result.stdout.splitlines()[2:], ["| `Large` | 2 | 1 | 0 | `src/core/a.hpp` |",
                                                          "| `Small` | 1 | 2 | 0 | `src/core/a.hpp` |"])


class DeadFiles(TidyTest):
    def test_header_nobody_includes(self):
        self.assert_finds("src/core/lonely.hpp:1: [dead] no other file includes", {"src/core/lonely.hpp": "\n"})

    def test_header_only_its_own_source_includes(self):
        self.assert_finds("[dead] no other file includes", {
            "src/core/lonely.hpp": "\n", "src/core/lonely.cpp": '#include "core/lonely.hpp"\n'})

    def test_source_in_no_target(self):
        for path in ["tests/wire/other.cpp", "examples/two.cpp", "fuzz/other.cpp", "docs/a.cpp"]:
            with self.subTest(path=path):
                self.assert_finds("[dead] no target builds", {path: "int x;\n"})

    def test_page_nobody_links(self):
        self.assert_finds("docs/lost.md:1: [dead] no other page links",
                          {"docs/lost.md": "[me](lost.md)\n"})

    def test_broken_link(self):
        self.assert_finds("docs/index.md:2: [link] gone.md", {"docs/index.md": "`tools/setup`\n[x](gone.md#part)\n"})

    def test_script_nobody_mentions(self):
        self.assert_finds("tools/lost:1: [dead] no other file mentions", {"tools/lost": "#!/bin/sh\n"})
        self.assert_finds("tools/lost.py:1: [dead]", {"tools/lost.py": "print(1)\n"})

    def test_tests_start_by_themselves(self):
        self.assert_clean({"tests/lab/run_test.sh": "#!/bin/sh\n", "examples/03_udp.test.sh": "#!/bin/sh\n"})


class Words(TidyTest):
    def test_each(self):
        # In pieces, so that the rule does not find this file.
        for word in ["TO" "DO", "FIX" "ME", "XX" "X", "HA" "CK", "/wo" "rk/main", "https://deb.deb" "ian.org/x",
                     "https://regis" "try.np" "mjs.org", "as an A" "I", "hel" "per age" "nt", "suba" "gent"]:
            with self.subTest(word=word):
                self.assert_finds("docs/index.md:2: [word]", {"docs/index.md": f"`tools/setup`\nsee {word} there\n"})

    def test_ordinary_words(self):
        self.assert_clean({"docs/index.md": "`tools/setup` hacks work/life, guidable AI, mktemp.XXXXXX\n"})


if __name__ == "__main__":
    unittest.main()
