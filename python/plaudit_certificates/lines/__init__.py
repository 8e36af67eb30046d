"""Values and bounds of moment generating functions along vertical lines."""
