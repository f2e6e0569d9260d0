"""The board network: a transformer of the 64 squares, which is research: the program does not run it yet.

`python3 -m board.train`, with `training` in PYTHONPATH, runs a module.
"""
