"""Chess archives: PGN in a tenth of the bytes, any game within seconds.

>>> archive = plyzip.open(plyzip.compress(FAMOUS))
>>> [game.tags["White"] for game in archive]
['Morphy, Paul', 'Anderssen, Adolf']
"""

from plyzip._plyzip import (
    Archive,
    Finds,
    Forecast,
    Game,
    GameCodec,
    GameCosts,
    GameIterator,
    Games,
    Matches,
    MatchIterator,
    Model,
    PlyCost,
    Positions,
    Summary,
    TagStream,
    __version__,
    compress,
    decompress,
    explain,
    open,
    predict,
)
from plyzip.errors import (
    DamagedError,
    DefectError,
    LimitError,
    ModelError,
    ModelMissingError,
    PlyzipError,
    UnsupportedError,
    UsageError,
)

__all__ = [
    "Archive",
    "DamagedError",
    "DefectError",
    "Finds",
    "Forecast",
    "Game",
    "GameCodec",
    "GameCosts",
    "GameIterator",
    "Games",
    "LimitError",
    "MatchIterator",
    "Matches",
    "Model",
    "ModelError",
    "ModelMissingError",
    "PlyCost",
    "PlyzipError",
    "Positions",
    "Summary",
    "TagStream",
    "UnsupportedError",
    "UsageError",
    "__version__",
    "compress",
    "decompress",
    "explain",
    "open",
    "predict",
]
