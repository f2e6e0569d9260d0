"""Kernels that PyTorch is slow at on processors: gradients of embedding bags and of clipping.

Compiled on first use (a C++ compiler and ninja must be there); columns are divided among
threads, so that sums have the same order whatever their number.
"""

import torch
from torch.utils.cpp_extension import load_inline

SOURCE = r"""
#include <torch/extension.h>
#include <ATen/Parallel.h>

// The gradient of a table, rows times width: every index of a bag receives the bag's gradient.
torch::Tensor bag_gradient(torch::Tensor gradient, torch::Tensor indices, int64_t rows) {
    gradient = gradient.contiguous();
    const int64_t bags = indices.size(0), slots = indices.size(1), width = gradient.size(1);
    auto table = torch::zeros({rows, width}, gradient.options());
    const float* from = gradient.data_ptr<float>();
    const int32_t* index = indices.data_ptr<int32_t>();
    float* to = table.data_ptr<float>();
    at::parallel_for(0, width / 32, 1, [&](int64_t first, int64_t last) {
        const int64_t begin = 32 * first, count = 32 * (last - first);
        for (int64_t bag = 0; bag < bags; bag++) {
            const float* source = from + bag * width + begin;
            for (int64_t slot = 0; slot < slots; slot++) {
                float* target = to + int64_t(index[bag * slots + slot]) * width + begin;
                for (int64_t block = 0; block < count; block += 32)
                    for (int64_t column = block; column < block + 32; column++)
                        target[column] += source[column];
            }
        }
    });
    return table;
}

// The gradient before clipping to [0, most], from the one after it.
torch::Tensor clip_gradient(torch::Tensor gradient, torch::Tensor clipped, double most) {
    gradient = gradient.contiguous();
    auto result = torch::empty_like(gradient);
    const float* from = gradient.data_ptr<float>();
    const float* value = clipped.data_ptr<float>();
    float* to = result.data_ptr<float>();
    const float highest = float(most);
    at::parallel_for(0, gradient.numel(), 65536, [&](int64_t first, int64_t last) {
        for (int64_t i = first; i < last; i++)
            to[i] = value[i] > 0 && value[i] < highest ? from[i] : 0.0f;
    });
    return result;
}
"""

kernels = load_inline(
    "plyzip_kernels",
    SOURCE,
    functions=["bag_gradient", "clip_gradient"],
    extra_cflags=["-O3", "-march=native", "-ffast-math", "-fopenmp"],
)


class Bag(torch.autograd.Function):
    """Sums of the table's rows at (N, slots) indices."""

    @staticmethod
    def forward(context, table, indices):
        context.save_for_backward(indices)
        context.rows = len(table)
        return torch.nn.functional.embedding_bag(indices, table, mode="sum")

    @staticmethod
    def backward(context, gradient):
        (indices,) = context.saved_tensors
        return kernels.bag_gradient(gradient, indices, context.rows), None


class Clip(torch.autograd.Function):
    """Values from 0 to `most`."""

    @staticmethod
    def forward(context, value, most):
        clipped = value.clamp(0, most)
        context.save_for_backward(clipped)
        context.most = most
        return clipped

    @staticmethod
    def backward(context, gradient):
        (clipped,) = context.saved_tensors
        return kernels.clip_gradient(gradient, clipped, context.most), None
