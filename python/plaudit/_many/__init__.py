"""Calls that answer many questions."""
