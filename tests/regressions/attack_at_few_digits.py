"""Where nobody asked for digits, an attack of many steps was worked at for six of them until the time was up: a minute for a
lower end, after an upper end of milliseconds. It has a short time for all digits, and then few are enough."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from _program import expect, finish, run  # noqa: E402

done = run("delta", "shuffled(gaussian(1), steps=1000, adjacency=zero_out)^10", "--epsilon", "1", "--json")
lower = float(done.json()["lower_end"]["mechanism_lower"])
expect(0.0211 < lower < 0.0213, f"the attack has {lower}")
expect(done.seconds < 15, "seconds of work")
finish()
