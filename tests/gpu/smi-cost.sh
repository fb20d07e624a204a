#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# What NVIDIA's nvidia-smi and axon's take, of time and of processor time
# (tests/gpu/smi/cost.py), on a machine with a GPU:
#
#   tests/gpu/smi-cost.sh [BUILD]
#
# Needs what make built in BUILD (default: build), NVIDIA's driver, its nvidia-smi
# (or AXON_VENDOR_SMI) and python3. Exit status 0: axon's starts in 0.8 of the
# time or less, and takes no more processor time, axond's and its workers' with it.
set -u
here=$(cd "$(dirname "$0")" && pwd)
b=$(cd "${1:-$here/../../build}" && pwd)
library=libnvidia-ml.so.1
. "$here/vendor"
smi=${AXON_VENDOR_SMI:-$(command -v nvidia-smi)}
[ -n "$smi" ] || { echo "smi-cost: no nvidia-smi of NVIDIA's here; name it in AXON_VENDOR_SMI" >&2; exit 2; }
axond_flags="--vendor $vendor"
. "$here/../../scripts/with-axond"
AXON_SESSION=$socket python3 "$here/smi/cost.py" "$smi" "$b/smi/nvidia-smi" "$axond"
