"""A type without serialize() gives one readable error, not pages of template errors."""
import os
import subprocess
import unittest
from pathlib import Path

INCLUDE = Path(os.environ.get("FRAY_SOURCE_DIR", Path(__file__).resolve().parents[2])) / "include"
SENTENCE = "Fray cannot serialize this type"
USES = {
    "entity": 'auto type() { return fray::EntityType::of<Tank>("tank"); }\n'
              "auto state() { return fray::state_of(fray::Pose{}, Tank{}); }\n"
              "auto tank(const fray::Replica& replica) { return replica.as<Tank>(); }",
    "message": "auto send(fray::Peer& peer) { return peer.send({}, Tank{}); }\n"
               "auto ask(fray::Peer& peer) { return peer.interact({}, {}, {}, Tank{}); }",
    "nested": "struct Crew { Tank tank; };\n"
              "template <class Stream> void serialize(Stream& stream, Crew& crew) { stream.object(crew.tank); }\n"
              'auto crew() { return fray::EntityType::of<Crew>("crew"); }',
}


def compile_errors(code):
    compiler = os.environ.get("FRAY_CXX", "g++")
    done = subprocess.run([compiler, "-std=c++20", "-fsyntax-only", f"-I{INCLUDE}", "-x", "c++", "-"],
                          input=f"#include <fray/fray.hpp>\n{code}\n", capture_output=True, text=True,
                          timeout=120, env={**os.environ, "LC_ALL": "C"})
    return [line for line in done.stderr.splitlines() if "error:" in line]


class NoSerialize(unittest.TestCase):
    def test_one_error_says_what_to_write(self):
        for name, use in USES.items():
            with self.subTest(name):
                errors = compile_errors(f"struct Tank {{ int armor = 0; }};\n{use}")
                self.assertEqual(len(errors), 1, errors)
                self.assertIn(SENTENCE, errors[0])

    def test_a_type_with_serialize_compiles(self):
        function = "template <class Stream> void serialize(Stream& stream, Tank& tank) " \
                   "{ stream.integer(tank.armor, 0, 9); }"
        uses = "\n".join(USES.values())
        self.assertEqual(compile_errors(f"struct Tank {{ int armor = 0; }};\n{function}\n{uses}"), [])


if __name__ == "__main__":
    unittest.main()
