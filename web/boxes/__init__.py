"""Each box with its figures: their sources, and typing in what the real box says."""
