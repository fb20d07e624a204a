// SPDX-License-Identifier: Apache-2.0
//
// Arrays, textures with filters and borders, surfaces, a mipmap
#include "must.h"

__global__ void sample(cudaTextureObject_t t, float *out, int n, float step)
{
	int i = threadIdx.x, j = blockIdx.x;
	out[j * n + i] = tex2D<float>(t, -1 + i * step, -1 + j * step);
}

__global__ void scribble(cudaSurfaceObject_t s, int n)
{
	int i = threadIdx.x, j = blockIdx.x;
	float v;
	surf2Dread(&v, s, i * 4, j);
	surf2Dwrite(v + 1000.0f * (float)(i == j), s, i * 4, j);
	(void)n;
}

__global__ void row(cudaTextureObject_t t, float *out) { out[threadIdx.x] = tex1Dfetch<float>(t, (int)threadIdx.x); }

__global__ void level(cudaTextureObject_t t, float *out) { out[threadIdx.x] = tex2DLod<float>(t, 0.25f, 0.25f, (float)threadIdx.x); }

static double sum(const float *d, int n)
{
	static float h[4096];
	double s = 0;
	MUST(cudaMemcpy(h, d, n * sizeof *h, cudaMemcpyDeviceToHost));
	for (int i = 0; i < n; i++)
		s += h[i] * (i % 7 + 1);
	return s;
}

int main()
{
	enum { N = 32 };
	static float host[N][N], back[N][N];
	float *out;
	for (int j = 0; j < N; j++)
		for (int i = 0; i < N; i++)
			host[j][i] = (float)(j * N + i);
	MUST(cudaMalloc(&out, N * N * sizeof *out));
	cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
	cudaArray_t array;
	MUST(cudaMallocArray(&array, &format, N, N, cudaArraySurfaceLoadStore));
	MUST(cudaMemcpy2DToArray(array, 0, 0, host, N * 4, N * 4, N, cudaMemcpyHostToDevice));
	cudaResourceDesc what = {};
	what.resType = cudaResourceTypeArray;
	what.res.array.array = array;

	static const cudaTextureAddressMode modes[] = {cudaAddressModeClamp, cudaAddressModeBorder};
	for (int filter = 0; filter < 2; filter++)
		for (int m = 0; m < 2; m++) {
			cudaTextureDesc how = {};
			cudaTextureObject_t t;
			how.addressMode[0] = how.addressMode[1] = modes[m];
			how.filterMode = filter ? cudaFilterModeLinear : cudaFilterModePoint;
			how.borderColor[0] = 5;
			MUST(cudaCreateTextureObject(&t, &what, &how, NULL));
			sample<<<N, N>>>(t, out, N, 1.1f);
			MUST(cudaGetLastError());
			printf("filter %d, edge %d: %.3f\n", filter, m, sum(out, N * N));
			MUST(cudaDestroyTextureObject(t));
		}

	cudaSurfaceObject_t s;
	MUST(cudaCreateSurfaceObject(&s, &what));
	scribble<<<N, N>>>(s, N);
	MUST(cudaMemcpy2DFromArray(back, N * 4, array, 0, 0, N * 4, N, cudaMemcpyDeviceToHost));
	int right = 0;
	for (int j = 0; j < N; j++)
		for (int i = 0; i < N; i++)
			right += back[j][i] == host[j][i] + 1000.0f * (float)(i == j);
	printf("surface: %d of %d right\n", right, N * N);

	float *line;
	MUST(cudaMalloc(&line, sizeof host));
	MUST(cudaMemcpy(line, host, sizeof host, cudaMemcpyHostToDevice));
	cudaResourceDesc linear = {};
	cudaTextureDesc plain = {};
	cudaTextureObject_t t;
	linear.resType = cudaResourceTypeLinear;
	linear.res.linear.devPtr = line;
	linear.res.linear.desc = format;
	linear.res.linear.sizeInBytes = 100 * 4; // past it, a fetch gives 0
	MUST(cudaCreateTextureObject(&t, &linear, &plain, NULL));
	row<<<1, 128>>>(t, out);
	printf("linear: %.3f\n", sum(out, 128));

	cudaMipmappedArray_t mipmap;
	MUST(cudaMallocMipmappedArray(&mipmap, &format, make_cudaExtent(8, 8, 0), 3));
	for (int l = 0; l < 3; l++) {
		cudaArray_t one;
		MUST(cudaGetMipmappedArrayLevel(&one, mipmap, l));
		int w = 8 >> l;
		static float flat[64];
		for (int i = 0; i < w * w; i++)
			flat[i] = (float)(100 * (l + 1));
		MUST(cudaMemcpy2DToArray(one, 0, 0, flat, w * 4, w * 4, w, cudaMemcpyHostToDevice));
	}
	cudaResourceDesc levels = {};
	cudaTextureDesc how = {};
	levels.resType = cudaResourceTypeMipmappedArray;
	levels.res.mipmap.mipmap = mipmap;
	how.normalizedCoords = 1;
	how.maxMipmapLevelClamp = 2;
	cudaTextureObject_t mt;
	MUST(cudaCreateTextureObject(&mt, &levels, &how, NULL));
	level<<<1, 3>>>(mt, out);
	printf("mipmap: %.3f\n", sum(out, 3));
	return right == N * N ? 0 : 1;
}
