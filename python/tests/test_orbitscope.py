"""The installed wheel, as a program uses it."""

import _thread
import base64
import doctest
import itertools
import pickle
import random
import re
import subprocess
import sys
import threading
import time
import unittest
import zlib
from pathlib import Path

import orbitscope
from orbitscope import OrbitscopeError, _engine

HERE = Path(__file__).parent
FLIPS = """param n = 3 in 1..9
process p[n] { var x: bool = false action flip: true -> x := not x }
invariant fine: true
ltl settles: forall q in p: F G q.x
cover up: p[0].x and p[1].x
"""
# Far too many states for the patience of a test.
LARGE = """process p[12] { var x: 0..9 = 0 action up: true -> x := (x + 1) % 10 }
invariant small: forall q in p: q.x < 10
"""


class Answers(unittest.TestCase):
    def test_a_run_is_one_of_the_program(self):
        (settles,) = orbitscope.check(FLIPS, properties=["settles"], params={"n": 4})
        self.assertEqual((settles.verdict, settles.logic, settles.holds), ("violated", "ltl", False))
        self.assertEqual(len(settles.ledger), 4)
        states = [[process["x"] for process in step.state["p"]] for step in settles.run]
        self.assertEqual(states[0], [False] * 4)
        # Nothing but one flip after the other, by whom the step names.
        for (before, after), step in zip(zip(states, states[1:]), list(settles.run)[1:]):
            differing = [f"p[{i}]" for i in range(4) if before[i] != after[i]]
            self.assertEqual((differing, step.action), ([step.process], "flip"))
        # The cycle comes back, and some process is false on it again and again.
        self.assertEqual(settles.run.cycle[-1].state, settles.run.prefix[-1].state)
        self.assertTrue(any(not all(step.state["p"][i]["x"] for step in settles.run.cycle) for i in range(4)))

    def test_every_property_has_its_answer(self):
        answers = {answer.property: answer for answer in orbitscope.check(FLIPS)}
        self.assertEqual([answers[name].words for name in ("fine", "settles", "up")], ["holds", "violated", "covered"])
        self.assertIsNone(answers["fine"].run)
        self.assertIsNone(answers["up"].run.cycle)
        self.assertEqual(len(answers["up"].run), 3)
        (fine,) = orbitscope.check(FLIPS, properties="fine", engine="explicit", states=2)
        self.assertEqual(fine.verdict, "unknown")
        self.assertEqual(fine.words, "unknown: the limit of states was reached")
        self.assertEqual(orbitscope.check(FLIPS, properties=[]), [])

    def test_fairness_and_engines_are_asked_for(self):
        text = "process p[2] { var done: bool = false action go: not done -> done := true action idle: true -> done := done }\nltl ends: F (forall q in p: q.done)\n"
        for engine in ("onthefly", "threaded", "explicit", "symbolic"):
            for fairness, verdict in (("none", "violated"), ("strong", "violated")):
                (ends,) = orbitscope.check(text, engine=engine, fairness=fairness)
                self.assertEqual(ends.verdict, verdict, (engine, fairness))
        text = text.replace(" action idle: true -> done := done", "")
        self.assertTrue(orbitscope.check(text, fairness="weak")[0].holds)

    def test_a_table_has_a_row_for_each_step(self):
        (settles,) = orbitscope.check(FLIPS, properties="settles")
        table = settles.run.table()
        self.assertEqual(list(table.columns), ["part", "process", "action", "p[0].x", "p[1].x", "p[2].x"])
        self.assertEqual(len(table), len(settles.run))
        self.assertEqual((table["part"] == "cycle").sum(), len(settles.run.cycle))
        self.assertEqual(table["p[1].x"].tolist(), [step.state["p"][1]["x"] for step in settles.run])
        (up,) = orbitscope.check("shared t: 0..3 = 0\nshared set_of: set of 0..3 = {}\nprocess one { var y: 0..3 = 0 action go(a in 0..3): y == 0 -> y := a, set_of := set_of + a }\ncover end: one.y == 2\n")
        rows = up.run.rows()
        self.assertEqual(rows[-1]["action"], "go(2)")
        self.assertEqual((rows[-1]["one.y"], rows[-1]["set_of"], rows[-1]["t"]), (2, ["2"], 0))

    def test_a_large_state_is_told_by_its_changes(self):
        (up,) = orbitscope.check("process p[10001] { var x: 0..3 = 0 action go: x < 3 -> x := x + 1 }\ncover up: p[7].x == 2\n")
        self.assertIsNone(up.run.prefix[0].state)
        table = up.run.table()
        self.assertEqual(table["p[7].x"].tolist()[-2:], [1, 2])

    def test_a_description(self):
        told = orbitscope.parse(FLIPS, params={"n": 5})
        self.assertEqual(told.parameters, [orbitscope.Parameter("n", 5, 1, 9)])
        self.assertEqual((told.families, told.processes), ([orbitscope.Family("p", 5)], 5))
        self.assertEqual(told.properties[1], orbitscope.Property("settles", "ltl", 4))

    def test_symmetry(self):
        group = orbitscope.symmetry(FLIPS, params={"n": 9})
        self.assertEqual(group.order, 362880)
        broken = orbitscope.symmetry("process p[3] { var x: bool = false action a: true -> x := true }\ninvariant i: true\nshared t: 0..2 = 1\nprocess q[2] { action b: t == 1 -> t := 2 }")
        self.assertEqual(broken.order, 12)
        self.assertEqual(orbitscope.symmetry("process p[40] { var x: bool = false action a: true -> x := true }").order % 10**9, 0)

    def test_a_link_says_how_it_is_checked(self):
        link = orbitscope.link(FLIPS, property="settles", params={"n": 4}, fairness="strong")
        version, packed = link.split(".")
        self.assertEqual(version, "1")
        content = zlib.decompress(base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4))).decode()
        head, text = content.split("\n\n", 1)
        self.assertEqual(head.splitlines(), ["set n=4", "property settles", "option fairness=strong"])
        self.assertEqual(text, FLIPS)

    def test_standard_form(self):
        self.assertEqual(orbitscope.format("invariant   x:true"), "invariant x: true\n")

    def test_a_run_of_a_notebook_is_escaped(self):
        (settles,) = orbitscope.check(FLIPS, properties="settles")
        self.assertEqual(settles.run._repr_html_().count("<tr>"), len(settles.run) + 1)
        step = orbitscope.Step("p<0>", "go", ["a&b"], {}, [])
        self.assertIn("<td>p&lt;0&gt;</td><td>go(a&amp;b)</td>", orbitscope.Run([step], None)._repr_html_())


class Graphs(unittest.TestCase):
    def test_the_states_are_those_of_an_enumeration(self):
        import networkx

        made = orbitscope.graph(FLIPS, of="states").networkx()
        cube = networkx.Graph()
        for state in itertools.product([False, True], repeat=3):
            for i in range(3):
                cube.add_edge(state, tuple(x != (i == j) for j, x in enumerate(state)))
        self.assertEqual(made.number_of_edges(), 24)
        self.assertTrue(networkx.is_isomorphic(networkx.Graph(made), cube))
        self.assertEqual([node for node, initial in made.nodes(data="initial") if initial], [list(made)[0]])

    def test_the_quotient_has_a_node_for_each_orbit(self):
        for n in (2, 4, 9):
            quotient = orbitscope.graph(FLIPS, params={"n": n})
            self.assertEqual((len(quotient.nodes), quotient.complete), (n + 1, True))
        cut = orbitscope.graph(FLIPS, params={"n": 9}, nodes=4)
        self.assertEqual((len(cut.nodes) <= 4, cut.complete), (True, False))
        self.assertTrue(cut.note)

    def test_dot_and_svg(self):
        product = orbitscope.graph(FLIPS, of="product", property="settles")
        # The initial node has an arrow from nowhere.
        self.assertEqual(product.dot().count("->"), len(product.edges) + 1)
        self.assertTrue(product._repr_svg_().startswith("<svg"))


class Wrong(unittest.TestCase):
    def wrong(self, question, *words, **options):
        with self.assertRaises(OrbitscopeError) as caught:
            question(*words, **options)
        return caught.exception

    def test_errors_have_a_kind_a_place_and_words(self):
        error = self.wrong(orbitscope.check, "process p { var x: bool = false }\nparam n = ;")
        self.assertEqual((error.kind, error.problems[0].line, error.problems[0].column), ("model", 2, 11))
        self.assertIn(f"{error.problems[0].line}:{error.problems[0].column}", str(error))
        again = pickle.loads(pickle.dumps(error))
        self.assertEqual((again.kind, str(again), again.problems), (error.kind, str(error), error.problems))
        check = orbitscope.check
        for kind, words, error in [
            ("model", "must be in 1..9", self.wrong(check, FLIPS, params={"n": 70})),
            ("model", "did you mean `settles`?", self.wrong(check, FLIPS, properties=["settle"])),
            ("usage", "did you mean `explicit`?", self.wrong(check, FLIPS, engine="explict")),
            ("usage", "needs a property", self.wrong(orbitscope.graph, FLIPS, of="product")),
            ("usage", "options", self.wrong(check, FLIPS, params={"n": 1.5})),
            ("usage", "options", self.wrong(check, FLIPS, params={"n": 2**70})),
            ("usage", "options", self.wrong(check, FLIPS, params={"n": object()})),
            ("usage", "options", self.wrong(check, FLIPS, params=["n"])),
            ("usage", "options", self.wrong(check, FLIPS, states=-1)),
            ("usage", "no Unicode", self.wrong(check, "process p { } \ud800")),
        ]:
            self.assertEqual(error.kind, kind, error)
            self.assertIn(words, str(error))

    def test_a_model_that_leaves_a_range_is_no_answer(self):
        (low,) = orbitscope.check("process p { var x: 0..1 = 0 action a: true -> x := x + 1 }\ninvariant low: p.x <= 1\n")
        self.assertEqual((low.verdict, low.holds), ("unknown", False))
        self.assertIn("value 2 outside the variable's range 0..1", low.words)

    def test_what_is_no_text_is_a_mistake_of_python(self):
        for question in (orbitscope.check, orbitscope.parse, orbitscope.format, orbitscope.symmetry, orbitscope.link, orbitscope.graph):
            with self.assertRaises(TypeError):
                question(None)
        with self.assertRaises(TypeError):
            orbitscope.check(FLIPS, fairnes="strong")

    def test_numbers_of_other_libraries_are_numbers(self):
        import numpy

        self.assertEqual(orbitscope.parse(FLIPS, params={"n": numpy.int64(7)}).processes, 7)

    def test_no_text_breaks_the_engine(self):
        numbers = random.Random(17)
        answered = 0
        for _ in range(1500):
            text = list(FLIPS)
            for _ in range(numbers.randrange(1, 6)):
                at = numbers.randrange(len(text))
                text[at : at + numbers.randrange(3)] = numbers.choice(["", "\0", "é", "{", "}", "0", "[", ":=", "\n", "->", "9" * 30])
            try:
                orbitscope.check("".join(text), states=2_000)
                answered += 1
            except OrbitscopeError as error:
                self.assertIn(error.kind, ("model", "fault", "refusal", "limit"), error)
        # Some are wrong, and some are models still.
        self.assertTrue(20 < answered < 1400, answered)


class Long(unittest.TestCase):
    def test_ctrl_c_ends_a_check(self):
        begun = time.monotonic()
        threading.Timer(0.3, _thread.interrupt_main).start()
        with self.assertRaises(KeyboardInterrupt):
            orbitscope.check(LARGE, engine="explicit")
        self.assertLess(time.monotonic() - begun, 10)

    def test_progress_is_told_and_may_end_it(self):
        told = []

        def progress(name, nodes, edges):
            told.append((name, nodes, edges))
            if len(told) == 5:
                raise RuntimeError("enough")

        with self.assertRaisesRegex(RuntimeError, "enough"):
            orbitscope.check(LARGE, engine="explicit", progress=progress)
        self.assertEqual({name for name, *_ in told}, {"small"})
        self.assertLess(told[0][1], told[-1][1])

    def test_other_threads_go_on(self):
        counted = itertools.count()
        done = threading.Event()

        def check():
            try:
                orbitscope.check(LARGE, engine="explicit", states=400_000)
            finally:
                done.set()

        thread = threading.Thread(target=check)
        thread.start()
        # A lock that was held would keep this loop from going round more than once in a slice.
        while not done.wait(0.001):
            next(counted)
        thread.join()
        self.assertGreater(next(counted), 20)


class Package(unittest.TestCase):
    def test_examples_are_what_they_say(self):
        for tried in (doctest.testmod(orbitscope), doctest.testfile(str(HERE.parent / "README.md"), module_relative=False)):
            self.assertGreater(tried.attempted, 1)
            self.assertEqual(tried.failed, 0)

    def test_it_is_the_installed_one_with_types_and_licences(self):
        installed = Path(orbitscope.__file__).parent
        self.assertNotEqual(installed, HERE.parent / "orbitscope")
        self.assertTrue(installed.joinpath("py.typed").is_file())
        stubs = installed.joinpath("_engine.pyi").read_text(encoding="utf-8")
        named = set(re.findall(r"^(?:def|class) (\w+)|^(\w+):", stubs, re.MULTILINE))
        named = {name for pair in named for name in pair if name}
        self.assertEqual(named, {name for name in dir(_engine) if not name.startswith("_")})
        licences = list(installed.parent.glob("orbitscope-*.dist-info/licenses/*"))
        self.assertEqual({file.name for file in licences}, {"LICENSE-APACHE", "LICENSE-MIT", "THIRD-PARTY.txt"})
        self.assertTrue(all(function.__doc__ for function in map(orbitscope.__dict__.get, orbitscope.__all__)))

    def test_other_libraries_are_asked_for_when_they_are_needed(self):
        program = (
            "import sys\n"
            "for name in ('pandas', 'networkx', 'anywidget'): sys.modules[name] = None\n"
            "import orbitscope\n"
            f"text = {FLIPS!r}\n"
            "for ask in (lambda: orbitscope.check(text, properties='up')[0].run.table(),\n"
            "            lambda: orbitscope.graph(text).networkx(), lambda: orbitscope.show(text)):\n"
            "    try: ask()\n"
            "    except ImportError as error: print(error)\n"
        )
        told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
        self.assertEqual(re.findall(r"pip install (\w+)`", told), ["pandas", "networkx", "anywidget"], told)
        self.assertEqual(re.findall(r"orbitscope\[(\w+)\]", told), ["tables", "graphs", "widget"])


if __name__ == "__main__":
    unittest.main()
