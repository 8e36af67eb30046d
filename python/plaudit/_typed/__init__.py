"""What people type: names of the arguments of DP-SGD, and words about what is spelt otherwise here."""
