"""What tools/cpp_classes.py counts as a method, as a member, and as a file of a class."""
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True  # nothing beside the scripts
sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "tools"))
from cpp_classes import classes  # noqa: E402
from cpp_text import without_comments  # noqa: E402


class Contents(unittest.TestCase):
    def counts(self, text, name="A"):
        found = classes({"src/core/a.hpp": without_comments(text)})
        return [(one.methods, one.members) for one in found if one.name == name]

    def assert_counts(self, methods, members, inside):
        self.assertEqual(self.counts(f"namespace n {{\nclass A final : public B<int>, C {{\n{inside}\n}};\n}}\n"),
                         [(methods, members)], inside)

    METHODS = [
        "void f();", "A(int x) : x_{x}, y_(B{x}) {}", "explicit A(B b = {}, C c = C{1, 2});", "~A() { if (x) { y(); } }",
        "[[nodiscard]] static std::map<int, B> f(std::function<void(int)> g, int (*h)(int));", "operator bool() const;",
        "bool operator()(int a, int b) const;", "int& operator[](int i) { return x[i]; }", "virtual void f() const = 0;",
        "friend class B; auto operator<=>(const A& other) const;", "auto f() -> std::vector<int> override { return {}; }",
        "template <class T, int N = 3>\n    requires Small<T>\nvoid f(T (&list)[N],\n       int x = a < b ? 1 : 2) noexcept(N);",
        "const A* operator->() const { return this; }", "decltype(auto) f() const&;", "A& operator=(const A& other);",
    ]
    MEMBERS = [
        "int x;", "int x = 3;", "int x{f(3)};", "int x[3][4] = {{1, 2}, {}};", "unsigned x : sizeof(int);", "B* x = nullptr;",
        "void (*f)(int, int) = nullptr;", "int (A::*p)(int) const;", "int (&list)[3];", "std::function<void(int)> f;",
        "std::map<int, std::vector<int>>\n    x{};", "std::array<int, 1U << kBits> x{};", "mutable B x = B{.a = 1, .b = 2};",
        "std::function<int()> f = [] { return 1; };", "alignas(64) const B& x;", "struct B x;", 'std::string x = "a;b{";',
        "struct { int x; };", "bool x = y < 3;", "// int y;\nint x;", "decltype(y) x = 1'000;",
    ]
    NEITHER = [
        "A() = default;", "A(const A&) = delete;", "friend bool operator==(const A&, const A&) = default;",
        "friend bool operator<(const A& a, const A& b) { return a.x < b.x; }", "template <class S>\nfriend void f(S&, A&);",
        "using B::B;", "__extension__ using W = __int128;", "using F = void (*)(int);", "typedef int (*F)(int);",
        "enum class E : int { a = 1, b };", "class B;",
        "static_assert(sizeof(int) == 4);", "static constexpr int kX = 1;", "static int counter;", "/* void f(); */",
        "struct D { void g(); int y; };", "public:", "template <class T> struct D;", ";", "#define X \\\n    int y;",
    ]

    def test_each(self):
        for counts, lines in [((1, 0), self.METHODS), ((0, 1), self.MEMBERS), ((0, 0), self.NEITHER)]:
            for line in lines:
                with self.subTest(line=line):
                    self.assert_counts(*counts, line)

    def test_all_together(self):
        """None of them hides what follows."""
        lines = [line for some in zip(self.METHODS, self.MEMBERS, self.NEITHER) for line in some]
        self.assert_counts(len(self.METHODS), len(self.METHODS), "\n".join(lines))

    def test_several_in_one_declaration(self):
        self.assert_counts(0, 3, "int a = 1, *b = nullptr, c[2] = {1, 2};")
        self.assert_counts(0, 3, "struct D { int y; } d_, e_; union { int f; };")
        self.assert_counts(0, 2, "unsigned a : 1, b : 2;")

    def test_nested_and_templates(self):
        text = ("template <class T>\nstruct A { struct B { void f(); int x; void g(); }; enum { c }; B b; };\n"
                "template <>\nstruct A<int> { int y, z; };\nnamespace { class C { int x; }; }\n")
        self.assertEqual(self.counts(text), [(0, 1), (0, 2)])
        self.assertEqual(self.counts(text, "A::B"), [(2, 1)])
        self.assertEqual(self.counts(text, "C"), [(0, 1)])

    def test_class_within_a_function_is_part_of_it(self):
        self.assertEqual(self.counts("void f() {\n    struct A { int x; };\n}\nint g(struct A* a);\n"), [])

    def test_whose_file_it_is(self):
        found = classes({
            "src/a.hpp": "namespace n { class A { class B { B(); void f(); }; void g(); }; }\n"
                         "namespace m { class A { void g(); }; }\n",
            "src/a.cpp": "namespace n {\nA::B::B() : x_{1} {}\nvoid A::B::f() { A::g(); }\nint x = A::g();\n}\n",
            "src/b.cpp": "namespace n { namespace { struct Local { void f() {} }; }\n"
                         "std::vector<int> A::g() const { f(); } }\n",
            "src/c.cpp": "template <class T>\nvoid m::A::g() {}\nnamespace n { namespace { struct Local { void f(); };\n"
                         "void Local::f() {} } }\n"})
        self.assertEqual({(one.name, one.line, one.path): sorted(one.files) for one in found}, {
            ("A", 1, "src/a.hpp"): ["src/b.cpp"], ("A::B", 1, "src/a.hpp"): ["src/a.cpp"],
            ("A", 2, "src/a.hpp"): ["src/c.cpp"], ("Local", 1, "src/b.cpp"): ["src/b.cpp"],
            ("Local", 3, "src/c.cpp"): ["src/c.cpp"]})


if __name__ == "__main__":
    unittest.main()
