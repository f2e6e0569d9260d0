"""The weighted mean of two states of one network: of checkpoints of `train.py`, or of states of `search_features.py`.

    PYTHONPATH=training python3 -m bag.between before/checkpoint.pt after/checkpoint.pt 0.6 run/checkpoint.pt

A network that has gone on to other games forgets some of those that it began with. Between the weights of before and
those of after lie networks that know both (Wortsman and others, Robust fine-tuning of zero-shot models, 2022). The
share, from 0 to 1, is that of the second state.
"""

import argparse

import torch


def between(before, after, share):
    """The mean of two dictionaries of tensors, in which `after` counts `share`."""
    return {name: (1 - share) * before[name] + share * after[name] for name in before}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("share", type=float)
    parser.add_argument("out")
    options = parser.parse_args()
    before, after = (torch.load(path, weights_only=True) for path in (options.before, options.after))
    if "net" in after:
        net = between(before["net"], after["net"], options.share)
        mean = {"net": net, "sizes": after["sizes"], "step": after["step"]}
    else:
        mean = between(before, after, options.share)
    torch.save(mean, options.out)


if __name__ == "__main__":
    main()
