"""Muon for matrices: momentum whose singular values are made equal before it moves the weights.

PyTorch's own `torch.optim.Muon` turns one matrix at a time, some hundred small products after each other; here all
matrices of a shape are turned together, which a GPU does in a fraction of the time.
"""

import torch

# Coefficients of the quintic that drives singular values towards one (Jordan et al., 2024).
A, B, C = 3.4445, -4.7750, 2.0315


def orthogonal(stack, steps=5):
    """Matrices (n, rows, columns) with about the same singular vectors and singular values near one."""
    turned = stack.size(1) > stack.size(2)
    x = stack.transpose(1, 2) if turned else stack
    x = x / (x.norm(dim=(1, 2), keepdim=True) + 1e-7)
    for _ in range(steps):
        square = x @ x.transpose(1, 2)
        x = A * x + (B * square + C * square @ square) @ x
    return x.transpose(1, 2) if turned else x


class Muon(torch.optim.Optimizer):
    """For parameters with two dimensions. `lr` is the length of a step in units of the weights' own scale."""

    def __init__(self, parameters, lr=0.02, momentum=0.95, weight_decay=0.01):
        super().__init__(parameters, {"lr": lr, "momentum": momentum, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            shapes = {}
            for parameter in group["params"]:
                if parameter.grad is not None:
                    shapes.setdefault(parameter.shape, []).append(parameter)
            for (rows, columns), parameters in shapes.items():
                momenta = [self.state[p].setdefault("momentum", torch.zeros_like(p)) for p in parameters]
                gradients = [p.grad for p in parameters]
                torch._foreach_lerp_(momenta, gradients, 1 - group["momentum"])
                ahead = torch._foreach_lerp(gradients, momenta, group["momentum"])
                # bf16 has no fast products on older processors, and is not needed for few small matrices.
                dtype = torch.bfloat16 if parameters[0].is_cuda else torch.float32
                update = orthogonal(torch.stack(ahead).to(dtype)).float()
                torch._foreach_mul_(parameters, 1 - group["lr"] * group["weight_decay"])
                scale = max(1, rows / columns) ** 0.5
                torch._foreach_add_(parameters, list(update.unbind(0)), alpha=-group["lr"] * scale)
