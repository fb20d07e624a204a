// SPDX-License-Identifier: Apache-2.0
//
// Copies and fills in two and three dimensions, from pageable and from pinned memory
#include "must.h"

#include <string.h>

static unsigned sum(const unsigned char *p, size_t n)
{
	unsigned s = 0;
	for (size_t i = 0; i < n; i++)
		s = s * 31 + p[i];
	return s;
}

int main()
{
	enum { W = 123, H = 45, D = 6, PITCH = 200 };
	for (int pinned = 0; pinned < 2; pinned++) {
		unsigned char *host, *back;
		size_t bytes = PITCH * H * D;
		if (pinned) {
			MUST(cudaMallocHost(&host, bytes));
			MUST(cudaMallocHost(&back, bytes));
		} else {
			host = (unsigned char *)malloc(bytes);
			back = (unsigned char *)malloc(bytes);
		}
		for (size_t i = 0; i < bytes; i++)
			host[i] = (unsigned char)(i * 7);
		memset(back, 0, bytes);

		unsigned char *d;
		size_t pitch;
		MUST(cudaMallocPitch(&d, &pitch, W, H));
		MUST(cudaMemcpy2D(d, pitch, host, PITCH, W, H, cudaMemcpyHostToDevice));
		MUST(cudaMemset2D(d + 5 * pitch + 10, pitch, 0xee, 20, 10));
		MUST(cudaMemcpy2D(back + 3, PITCH, d, pitch, W, H, cudaMemcpyDeviceToHost));
		printf("pinned %d, 2D: pitch %zu, %08x\n", pinned, pitch, sum(back, bytes));
		MUST(cudaMemcpy2DAsync(back, PITCH, d + 1, pitch, W - 1, H, cudaMemcpyDeviceToHost, 0));
		MUST(cudaStreamSynchronize(0));
		printf("pinned %d, 2D later: %08x\n", pinned, sum(back, bytes));

		cudaPitchedPtr box;
		MUST(cudaMalloc3D(&box, make_cudaExtent(W, H, D)));
		MUST(cudaMemset3D(box, 0x11, make_cudaExtent(W, H, D)));
		cudaMemcpy3DParms c = {};
		c.srcPtr = make_cudaPitchedPtr(host, PITCH, W, H);
		c.dstPtr = box;
		c.srcPos = make_cudaPos(2, 3, 1);
		c.dstPos = make_cudaPos(5, 6, 2);
		c.extent = make_cudaExtent(W - 10, H - 10, D - 2);
		c.kind = cudaMemcpyHostToDevice;
		MUST(cudaMemcpy3D(&c));
		cudaMemcpy3DParms r = {};
		r.srcPtr = box;
		r.dstPtr = make_cudaPitchedPtr(back, PITCH, W, H);
		r.extent = make_cudaExtent(W, H, D);
		r.kind = cudaMemcpyDeviceToHost;
		MUST(cudaMemcpy3D(&r));
		printf("pinned %d, 3D: %08x\n", pinned, sum(back, bytes));

		cudaArray_t array;
		cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned char>();
		MUST(cudaMalloc3DArray(&array, &format, make_cudaExtent(W, H, D)));
		cudaMemcpy3DParms a = {};
		a.srcPtr = make_cudaPitchedPtr(host, PITCH, W, H);
		a.dstArray = array;
		a.extent = make_cudaExtent(W, H, D);
		a.kind = cudaMemcpyHostToDevice;
		MUST(cudaMemcpy3D(&a));
		cudaMemcpy3DParms b = {};
		b.srcArray = array;
		b.srcPos = make_cudaPos(1, 2, 3);
		b.dstPtr = make_cudaPitchedPtr(back, PITCH, W, H);
		b.extent = make_cudaExtent(W - 1, H - 2, D - 3);
		b.kind = cudaMemcpyDeviceToHost;
		MUST(cudaMemcpy3D(&b));
		printf("pinned %d, array: %08x\n", pinned, sum(back, bytes));
		MUST(cudaFreeArray(array));
		MUST(cudaFree(box.ptr));
		MUST(cudaFree(d));
	}
	return 0;
}
