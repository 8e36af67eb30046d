"""The events of dp_accounting as specs of plaudit, by class name: the library itself is not needed.

What each event means is read from its docstring; docs/adaptors.md has the table. An event for which
nothing is proven under the neighbouring relation at hand is refused, with the reason.
"""
from .event import DEEPEST, FIELDS, NonPrivate, event_of, is_event, is_list, plain
from .specs import KNOWN, RELATIONS, factors_of, relation_of, spec_of, usual_relation

__all__ = ["DEEPEST", "FIELDS", "KNOWN", "NonPrivate", "RELATIONS", "event_of", "factors_of",
           "is_event", "is_list", "plain", "relation_of", "spec_of", "usual_relation"]
