# SPDX-License-Identifier: Apache-2.0
# Decoding by a Llama of 8 layers with random weights, tokens a second: each
# token's step launched as it comes, and as one CUDA graph. A round for each
# line of input.
import os
import sys
import time

import torch
from transformers import LlamaConfig, LlamaForCausalLM

TOKENS, PROMPT, ROOM = 64, 32, 256

torch.manual_seed(1)
config = LlamaConfig(vocab_size=32000, hidden_size=2048, intermediate_size=5632, num_hidden_layers=8,
                     num_attention_heads=16, num_key_value_heads=16, max_position_embeddings=1024)
torch.set_default_dtype(torch.float16)
with torch.device("cuda"):
    model = LlamaForCausalLM(config).eval()
prompt = torch.randint(1, 32000, (1, PROMPT), device="cuda")


def eager():
    """The model's own loop, with the cache that grows."""
    def run():
        out = model(prompt, use_cache=True)
        cache, token = out.past_key_values, out.logits[:, -1].argmax(-1, keepdim=True)
        torch.cuda.synchronize()
        began = time.perf_counter()
        for _ in range(TOKENS):
            out = model(token, past_key_values=cache, use_cache=True)
            token = out.logits[:, -1].argmax(-1, keepdim=True)
        token.item()
        return TOKENS / (time.perf_counter() - began)

    return run


def graph():
    """A step of one token, captured: always the same place in a cache of fixed size."""
    from transformers import StaticCache

    token = prompt[:, :1].clone()
    position = torch.tensor([PROMPT], device="cuda")
    try:
        cache = StaticCache(config=config, max_cache_len=ROOM)
    except TypeError:
        cache = StaticCache(config=config, max_batch_size=1, max_cache_len=ROOM, device="cuda", dtype=torch.float16)
    mask = torch.zeros(1, 1, 1, ROOM, device="cuda")
    mask[..., PROMPT + 1:] = torch.finfo(torch.float16).min

    def step():
        out = model(token, past_key_values=cache, use_cache=True, attention_mask=mask, position_ids=position[None],
                    cache_position=position)
        token.copy_(out.logits[:, -1].argmax(-1, keepdim=True))

    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            reset(cache)
            step()
    torch.cuda.current_stream().wait_stream(side)
    reset(cache)
    g = torch.cuda.CUDAGraph()
    with torch.cuda.graph(g):
        step()

    def run():
        for _ in range(3):
            g.replay()
        torch.cuda.synchronize()
        began = time.perf_counter()
        for _ in range(4 * TOKENS):
            g.replay()
        token.item()
        return 4 * TOKENS / (time.perf_counter() - began)

    return run


def reset(cache):
    """Versions of the library that count the tokens in the cache would run out of it."""
    if hasattr(cache, "reset"):
        cache.reset()


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
