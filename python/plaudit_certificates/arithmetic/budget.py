"""How much work a certificate may ask for: what it costs is counted before anything is begun, alike in both checkers
(docs/certificates/costs.md). Time is the clock's business (clock.py)."""
from .clock import TooDear, Unfinished, look
from .real import bits_now

MOST_OPERATIONS = 3_000_000_000
MOST_VALUES = 4_000_000  # of all laws


def counted(x):
    """In digits, or where there are over 20 as a power of two that it reaches."""
    return str(x) if x < 10**20 else f"over 2^{x.bit_length() - 1}"


class Budget:
    def __init__(self, operations=MOST_OPERATIONS, memory=2**33):
        """operations: the most that a file may cost; memory: the most bits that are held at once."""
        self.operations, self.memory, self.announced, self.kept = operations, memory, 0, 0

    def announce(self, operations):
        """Operations that are about to be done; all of the file's are added up."""
        self.announced += operations
        if self.announced > self.operations:
            raise TooDear(f"needs {counted(self.announced)} operations, and at most {self.operations} are allowed")

    def keep(self, values):
        """Values of laws that are kept."""
        self.kept += values
        if self.kept > MOST_VALUES:
            raise TooDear(f"the laws have {counted(self.kept)} values, and at most {MOST_VALUES} are allowed")

    def hold(self, count, bits=0):
        """To be called before `count` intervals are kept at once, or whole numbers of so many bits."""
        if int(count) * ((bits or 2 * bits_now()) + 4096) > self.memory:
            raise Unfinished(f"needs more memory than {self.memory // 2**23} MiB")

    def look(self):
        look()
