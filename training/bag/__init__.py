"""The bag network: sums of features. `python3 -m bag.train`, with `training` in PYTHONPATH, runs a module."""
