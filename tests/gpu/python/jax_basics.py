# SPDX-License-Identifier: Apache-2.0
# JAX: jit, grad, scan, vmap, device_put in a loop, a training loop
import hashlib

import jax
import jax.numpy as jnp
import numpy as np


def digest(*arrays):
    h = hashlib.sha256()
    for a in arrays:
        h.update(np.asarray(a).tobytes())
    return h.hexdigest()[:24]


print(jax.devices()[0].platform, len(jax.devices()) > 0)
key = jax.random.PRNGKey(1)
a = jax.random.normal(key, (512, 512))
print("matmul", digest(jax.jit(lambda a: jnp.tanh(a @ a.T).sum(0))(a)))
print("grad", digest(jax.grad(lambda a: jnp.sum(jnp.sin(a) ** 2))(a)))
print("scan", digest(jax.lax.scan(lambda c, x: (c * 0.5 + x, c.sum()), jnp.zeros(512), a)[1]))
print("vmap", digest(jax.vmap(lambda r: jnp.sort(r)[:10])(a)))
print("fft", digest(jnp.abs(jnp.fft.fft(a[0]))))
print("cholesky", digest(jnp.linalg.cholesky(a @ a.T + 600 * jnp.eye(512))))

total = 0.0
for i in range(200):
    x = jax.device_put(np.full(10000, i, dtype=np.float32))
    total += float(x.sum())
print("device_put", total)


def loss(p, x, y):
    h = jax.nn.relu(x @ p["w1"] + p["b1"])
    return jnp.mean((h @ p["w2"] - y) ** 2)


@jax.jit
def update(p, x, y):
    value, g = jax.value_and_grad(loss)(p, x, y)
    return jax.tree.map(lambda p, g: p - 0.01 * g, p, g), value


k1, k2 = jax.random.split(key)
p = {"w1": jax.random.normal(k1, (64, 128)) * 0.1, "b1": jnp.zeros(128), "w2": jax.random.normal(k2, (128, 8)) * 0.1}
rng = np.random.default_rng(1)
for i in range(100):
    p, value = update(p, rng.standard_normal((32, 64), dtype=np.float32), rng.standard_normal((32, 8), dtype=np.float32))
print("train", float(value).hex(), digest(*jax.tree.leaves(p)))
