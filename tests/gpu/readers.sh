#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Whether a hundred programs that read NVML, once a second each, slow a session's
# calls, on a machine with a GPU:
#
#   tests/gpu/readers.sh [BUILD [READERS [ROUNDS]]]
#
# Needs what make built in BUILD (default: build). AXON_VENDOR names the vendor's
# folder; the software GPU's does too. Exit status 0: they do not.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
b=$(cd "${1:-$here/../../build}" && pwd)
library=libnvidia-ml.so.1
. "$here/vendor"
axond_flags="--vendor $vendor"
. "$here/../../scripts/with-axond"
AXON_SESSION=$socket LD_LIBRARY_PATH=$b/lib "$b/tests/readers" --readers "${2:-100}" --rounds "${3:-15}" "$b/tests/micro"
