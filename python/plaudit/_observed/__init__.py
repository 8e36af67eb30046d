"""What was observed in runs against what was claimed of them."""
