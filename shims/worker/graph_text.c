// SPDX-License-Identifier: Apache-2.0
//
// cuGraphDebugDotPrint: the vendor writes a file, the client wants one of its
// own. The vendor's is in memory, and its text goes over in pieces.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session.h"
#include "cuda_worker.h"

CUresult axw_axGraphDot(struct axw_call *w)
{
	struct ax_in_axGraphDot in;
	struct ax_out_axGraphDot out = { 0 };
	CUgraph graph;
	char path[64];
	struct stat st;

	if (w->in_size < sizeof in)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	memcpy(&in, w->in, sizeof in);
	if (!axg_vendor.cuGraphDebugDotPrint)
		return axw_own(CUDA_ERROR_NOT_SUPPORTED);
	if (axg_get_CUgraph(w->s, in.graph, &graph) != CUDA_SUCCESS || !graph || !w->bulk_out)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	int fd = memfd_create("axon-graph", MFD_CLOEXEC);
	if (fd < 0)
		return axw_own(CUDA_ERROR_OPERATING_SYSTEM);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	// Each piece is printed anew: nothing has to be kept for a client that may not come back.
	CUresult r = axg_vendor.cuGraphDebugDotPrint(graph, path, in.flags);
	if (r == CUDA_SUCCESS && fstat(fd, &st))
		r = axw_own(CUDA_ERROR_OPERATING_SYSTEM);
	if (r == CUDA_SUCCESS) {
		out.total = (uint64_t)st.st_size;
		size_t want = in.offset < out.total ? out.total - in.offset : 0;
		if (want > w->bulk_out_size)
			want = w->bulk_out_size;
		for (size_t at = 0; at < want;) {
			ssize_t n = pread(fd, w->bulk_out + at, want - at, (off_t)(in.offset + at));
			if (n <= 0 && !(n < 0 && errno == EINTR)) {
				r = axw_own(CUDA_ERROR_OPERATING_SYSTEM);
				break;
			}
			at += n > 0 ? (size_t)n : 0;
		}
	}
	close(fd);
	memcpy(w->out, &out, sizeof out);
	w->out_size = r == CUDA_SUCCESS ? sizeof out : 0;
	return r;
}
