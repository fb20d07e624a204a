// SPDX-License-Identifier: Apache-2.0
//
// The driver's log. The worker's files are not the program's: one that the
// program names is written here.
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "call.h"

#define LOG_BYTES 25600 // all that the driver keeps

AX_EXPORT CUresult cuLogsDumpToFile(CUlogIterator *iterator, const char *pathToFile, unsigned int flags)
{
	static _Thread_local char text[LOG_BYTES];
	size_t size = sizeof text, done = 0;
	CUresult r = axc_ready();
	if (r)
		return r;
	if (!pathToFile)
		return CUDA_ERROR_INVALID_VALUE;
	if ((r = cuLogsDumpToMemory(iterator, text, &size, flags)))
		return r;
	if (size > sizeof text)
		return CUDA_ERROR_UNKNOWN;
	while (size && !text[size - 1])
		size--; // text, and no NUL
	int fd = open(pathToFile, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
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
