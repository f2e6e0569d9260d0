"""Labels without a teacher, for tests."""

import numpy as np
import torch

from board import label


def labels(folder, corpus, first_game, end_game):
    """Labels of a teacher who plays the last legal move three times in four, and the first else."""
    folder.mkdir()
    index = corpus.lessons(first_game, end_game)
    choice = (corpus.first[index + 1] - corpus.first[index]).numpy()
    index, choice = index[torch.from_numpy(choice > 1)], choice[choice > 1]
    policy = np.zeros((len(index), choice.max()), np.float32)
    policy[:, 0] = 0.25
    policy[np.arange(len(index)), choice - 1] += 0.75
    game = corpus.game[index].long()
    ply = (index - corpus.start[game]).numpy()
    body = label.packed(game.numpy(), ply, policy, np.full((len(index), 3), 1 / 3, np.float32))
    head = label.HEAD.pack(label.MAGIC, label.VERSION, first_game, end_game - first_game, len(index))
    (folder / "0000000.labels").write_bytes(head + body)
    back = label.read(folder / "0000000.labels")
    assert len(back.game) == len(index) and np.array_equal(back.ply, ply)
