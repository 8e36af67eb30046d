"""The laws of the privacy loss, and discrete noise."""
