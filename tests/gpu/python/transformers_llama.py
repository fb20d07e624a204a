# SPDX-License-Identifier: Apache-2.0
# Transformers: a small Llama with random weights writes the same text
import torch
from transformers import LlamaConfig, LlamaForCausalLM

torch.manual_seed(1)
config = LlamaConfig(vocab_size=1000, hidden_size=512, intermediate_size=1024, num_hidden_layers=4, num_attention_heads=8,
                     num_key_value_heads=4, max_position_embeddings=512, initializer_range=0.2)
with torch.device("cuda"):
    model = LlamaForCausalLM(config).to(torch.float16).eval()
    prompt = torch.randint(3, 1000, (2, 16))
greedy = model.generate(prompt, attention_mask=torch.ones_like(prompt), max_new_tokens=48, do_sample=False, eos_token_id=None,
                        pad_token_id=0)
print("greedy", greedy.tolist())
torch.manual_seed(2)
sampled = model.generate(prompt, attention_mask=torch.ones_like(prompt), max_new_tokens=48, do_sample=True, top_k=50,
                         eos_token_id=None, pad_token_id=0)
print("sampled", sampled.tolist())
