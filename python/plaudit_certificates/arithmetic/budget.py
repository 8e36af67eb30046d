"""How much work a certificate may ask for. Kinds spend before each loop, so that nothing large is begun."""
from .clock import Rejected, look
from .real import bits_now


class Budget:
    """Time is the clock's business (clock.py)."""

    def __init__(self, operations=200_000_000, memory=2**33):
        """`operations` of intervals at 128 bits, `memory` bits held at once."""
        self.operations, self.memory, self.spent = operations, memory, 0

    def spend(self, operations):
        """To be called before `operations` interval operations are done at the present precision."""
        operations = max(0, int(operations))
        self.spent += operations * (256 + bits_now()) // 384
        if self.spent > self.operations:
            raise Rejected(f"needs more work than {self.operations} operations")
        look()

    def hold(self, count, bits=0):
        """To be called before `count` intervals are kept at once, or whole numbers of so many bits."""
        if int(count) * ((bits or 2 * bits_now()) + 4096) > self.memory:
            raise Rejected(f"needs more memory than {self.memory // 2**23} MiB")

    def look(self):
        look()
