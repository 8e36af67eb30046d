"""Ledgers: budgets that are spent step by step, in a file."""
