"""Calibration: the value of a parameter at which a target is just met."""
