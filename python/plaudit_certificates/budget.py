"""How much work a certificate may ask for. Kinds spend before each loop, so that nothing large is begun."""
import time

from .real import Rejected, bits_now


class Budget:
    def __init__(self, timeout=600.0, operations=200_000_000, memory=2**33):
        """`operations` of intervals at 128 bits, `memory` bits held at once."""
        self.deadline = time.monotonic() + timeout
        self.timeout, self.operations, self.memory = timeout, operations, memory
        self.spent = 0

    def spend(self, operations):
        """To be called before `operations` interval operations are done at the present precision."""
        operations = max(0, int(operations))
        self.spent += operations * (256 + bits_now()) // 384
        if self.spent > self.operations:
            raise Rejected(f"needs more work than {self.operations} operations")
        self.look()

    def hold(self, count):
        """To be called before `count` intervals are kept at once."""
        if int(count) * (2 * bits_now() + 4096) > self.memory:
            raise Rejected(f"needs more memory than {self.memory // 2**23} MiB")

    def look(self):
        if time.monotonic() > self.deadline:
            raise Rejected(f"needs more work than {self.timeout:g} seconds allow")
