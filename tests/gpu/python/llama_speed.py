# SPDX-License-Identifier: Apache-2.0
# Decoding by a Llama of 8 layers with random weights, tokens a second: each
# token's step launched as it comes, and as one CUDA graph. A round for each
# line of input.
import copy
import os
import sys
import time

import torch
from transformers import LlamaConfig, LlamaForCausalLM

TOKENS, PROMPT = 64, 32

torch.manual_seed(1)
config = LlamaConfig(vocab_size=32000, hidden_size=2048, intermediate_size=5632, num_hidden_layers=8,
                     num_attention_heads=16, num_key_value_heads=16, max_position_embeddings=1024)
torch.set_default_dtype(torch.float16)
with torch.device("cuda"):
    model = LlamaForCausalLM(config).eval()
prompt = torch.randint(1, 32000, (1, PROMPT), device="cuda")


def prefill():
    out = model(prompt, use_cache=True)
    return out.past_key_values, out.logits[:, -1].argmax(-1, keepdim=True)


def eager():
    """A token after another, with a cache that grows."""
    def run():
        cache, token = prefill()
        torch.cuda.synchronize()
        began = time.perf_counter()
        for _ in range(TOKENS):
            out = model(token, past_key_values=cache, use_cache=True)
            token = out.logits[:, -1].argmax(-1, keepdim=True)
        token.item()
        return TOKENS / (time.perf_counter() - began)

    return run


def graph():
    """The token after the prompt, captured, and replayed again and again."""
    start, token = prefill()

    def step(cache):
        token.copy_(model(token, past_key_values=cache, use_cache=True).logits[:, -1].argmax(-1, keepdim=True))

    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            step(copy.deepcopy(start))
    torch.cuda.current_stream().wait_stream(side)
    cache = copy.deepcopy(start)
    # The graph reads these, and the cache lets go of them when it grows.
    read = [(layer.keys, layer.values) for layer in cache.layers]
    g = torch.cuda.CUDAGraph()
    with torch.cuda.graph(g):
        step(cache)

    def run(keep=(read, cache)):
        g.replay()
        torch.cuda.synchronize()
        began = time.perf_counter()
        for _ in range(4 * TOKENS):
            g.replay()
        token.item()
        return 4 * TOKENS / (time.perf_counter() - began)

    return run


wanted = os.environ.get("ONLY", "").split("|")
figures = {}
for line in sys.stdin:
    with torch.no_grad():
        for make in (eager, graph):
            name = "llama_" + make.__name__
            if wanted != [""] and name not in wanted:
                continue
            try:
                if name not in figures:
                    figures[name] = make()
                print(name, figures[name](), "tokens/s", sep="\t", flush=True)
            except Exception as e:  # one of the two may still have its figure
                print("%s: %s: %s" % (name, type(e).__name__, e), file=sys.stderr, flush=True)
                figures[name] = lambda: float("nan")
    print("done", flush=True)
