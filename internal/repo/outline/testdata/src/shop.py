"""A shop: class Hidden is in a string."""
import os
from typing import (
    Any,
    Dict,
)

LIMIT = 3


class Order(
    Base,
    metaclass=Meta,
):
    """def not_this(self): pass"""

    kind: str = "a"

    def __init__(self, lines: Dict[str, int] = {"a": 1}, *, sep: str = "):") -> None:
        self.lines = lines

        def inner(x):
            return x

    @property
    def total(self) -> int: return sum(self.lines.values())

    async def send(
        self,
        to,  # who
    ):
        pass

    class Line:
        def price(self): return 1


def main(argv=None):
    text = '''
def no(): pass
'''
    return text


if os.name:
    def conditional(): pass

class Empty: pass
