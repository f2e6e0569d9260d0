"""Paths: `bag`, `board` and `schema` are found in `training`, by the tests and by the programs that they run."""

import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TRAINING = os.path.join(ROOT, "training")
sys.path[:0] = [TRAINING, os.path.dirname(os.path.abspath(__file__))]
os.environ["PYTHONPATH"] = TRAINING
