// One thread's work: groups of positions through the network and back.
#pragma once

#include "blocks.h"
#include "embedding.h"
#include "heads.h"

namespace tiles {

struct Worker {
    Position positions[GROUP];
    Kept kept[LAYERS];
    alignas(64) float stream[TOKENS][W], gradient[TOKENS][W];
    Layers layers;
    Blocks blocks{layers};
    Heads heads{layers};
    Gradients gradients;

    // Adds the gradients of `positions`: `share` times those of moves and ends, `offset_share` times those of moves
    // with an offset.
    void group(const Network& net, const int16_t* const* offsets, float share, float offset_share) {
        const bool quantised = net.quantised;
        double* losses = gradients.losses;
        embed(net.embedding, positions, stream);
        for (int layer = 0; layer < LAYERS; layer++)
            blocks.there(quantised, net.blocks[layer], positions, stream, kept[layer]);
        normalise(stream, quantised, heads.normal, heads.scale);
        layers.given<W>(heads.normal[0]);
        memset(heads.d_normal, 0, sizeof heads.d_normal);
        heads.policy(quantised, net.policies[0], positions, nullptr, share, gradients.policies[0], losses);
        if (offsets)
            heads.policy(quantised, net.policies[1], positions, offsets, offset_share, gradients.policies[1],
                         losses + 4);
        heads.ends(net, positions, share, gradients, losses + 2);
        memset(gradient, 0, sizeof gradient);
        normalise_back(quantised, 0, TOKENS, heads.d_normal[0], heads.normal, heads.scale, gradient);
        for (int layer = LAYERS - 1; layer >= 0; layer--)
            blocks.back(quantised, net.blocks[layer], positions, gradients.blocks[layer], kept[layer], gradient);
        embed_back(gradients.embedding, positions, gradient);
    }
};

}  // namespace tiles
