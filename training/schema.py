"""What the training and the program must agree on: sizes, slots, ranges of features, versions, names in files.

`schema.json` has it, and `plyzip-training schema training/schema.json` writes that file from the program's constants.
`schema.nnue.width` is the entry `width` of the section `nnue`.
"""

import json
import os
from types import SimpleNamespace

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "schema.json")) as file:
    schema = json.load(file, object_hook=lambda entries: SimpleNamespace(**entries))
