// SPDX-License-Identifier: Apache-2.0
//
// The driver's log. The worker's files are not the program's: one that the
// program names is written here.
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "call.h"

#define LOG_BYTES 25600 // all that the driver keeps

static CUresult write_file(const char *path, const char *text, size_t size)
{
	size_t done = 0;
	while (size && !text[size - 1])
		size--; // text, and no NUL
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0)
		return CUDA_ERROR_INVALID_VALUE;
	while (done < size) {
		ssize_t n = write(fd, text + done, size - done);
		if (n < 0 && errno != EINTR)
			break;
		done += n > 0 ? (size_t)n : 0;
	}
	close(fd);
	return done == size ? CUDA_SUCCESS : CUDA_ERROR_OPERATING_SYSTEM;
}

AX_EXPORT CUresult cuLogsDumpToFile(CUlogIterator *iterator, const char *pathToFile, unsigned int flags)
{
	size_t size = LOG_BYTES;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!pathToFile)
		return CUDA_ERROR_INVALID_VALUE;
	char *text = malloc(LOG_BYTES);
	if (!text)
		return CUDA_ERROR_OUT_OF_MEMORY;
	r = cuLogsDumpToMemory(iterator, text, &size, flags);
	if (!r && size > LOG_BYTES)
		r = CUDA_ERROR_UNKNOWN;
	if (!r)
		r = write_file(pathToFile, text, size);
	free(text);
	return r;
}
