"""Intervals over integers of any size, and what is made of them."""
