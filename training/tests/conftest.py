"""Paths: the board network's modules come first; a test of the bag network takes its own (`test_bag.py`)."""

import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "training", "board"), os.path.dirname(os.path.abspath(__file__))]
# For schema.py.
sys.path.append(os.path.join(ROOT, "training"))
