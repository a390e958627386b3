#!/usr/bin/env python3
"""The plans are listed, Fray can be cited, and every paper that a plan or the glossary names has a reference."""
import os
import re
import tomllib
import unittest
from pathlib import Path

ROOT = Path(os.environ.get("FRAY_SOURCE_DIR", Path(__file__).resolve().parents[2]))


def text(name):
    return (ROOT / name).read_text()


class Plans(unittest.TestCase):
    def test_the_page_of_the_lab_lists_every_plan_once_and_no_other(self):
        section = text("docs/concepts/lab.md").split("\n## The plans\n", 1)[1].split("\n## ", 1)[0]
        listed = re.findall(r"^\| `(\w+)` \| [^|]+\?", section, re.M)
        plans = sorted(path.stem for path in (ROOT / "lab" / "plans").glob("*.toml"))
        self.assertGreater(len(plans), 20)
        self.assertEqual(sorted(listed), plans)


class References(unittest.TestCase):
    def setUp(self):
        self.references = dict(re.findall(r"^\| \*\*([^*|]+)\*\* \| ([^|]+) \|$", text("docs/references.md"), re.M))

    def test_the_papers_of_the_glossary_have_one(self):
        named = re.findall(r"\*\*([^*]+)\*\* \(", text("docs/glossary.md").split("\n## ", 1)[0])
        self.assertEqual(sorted(named), sorted(self.references))
        self.assertEqual(len(named), 4)

    def test_the_papers_of_the_plans_have_one(self):
        figures = [tomllib.loads(path.read_text())["paper"] for path in (ROOT / "lab" / "plans").glob("*.toml")]
        cited = [figure for figure in figures if re.search(r"\b(Fig\.|section)", figure)]
        self.assertGreater(len(cited), 10)
        for figure in cited:
            self.assertIn(figure.split(" Fig.")[0].split(" section")[0], self.references)

    def test_the_citation_file_has_the_same_papers(self):
        titles = re.findall(r'^    title: "(.*)"$', text("CITATION.cff"), re.M)
        self.assertEqual(sorted(titles), sorted(re.search(r"\*(.*)\*", entry).group(1)
                                                for entry in self.references.values()))


class Citation(unittest.TestCase):
    def test_it_names_version_licence_and_authors_of_the_project(self):
        fields = dict(re.findall(r'^([\w-]+): "?([^"\n]+)"?$', text("CITATION.cff"), re.M))
        version = re.search(r"project\(fray VERSION ([\d.]+)", text("CMakeLists.txt")).group(1)
        self.assertEqual((fields["cff-version"], fields["title"], fields["version"]), ("1.2.0", "Fray", version))
        self.assertEqual(fields["license"], text("LICENSE").split()[0])
        self.assertIn('\nauthors:\n  - name: "The Fray authors"\n', text("CITATION.cff"))


if __name__ == "__main__":
    unittest.main()
