// SPDX-License-Identifier: Apache-2.0
//
// What others map too (files, /dev/shm, memfds) cannot become pages of the
// region: the others would not see it. The worker maps the same file instead, by
// a descriptor that it is sent, and the program's mapping is not touched.
//
// A file that somebody makes shorter meanwhile is a SIGBUS in the worker, as it
// is in the program: that session ends, no other.
#include "shared.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "call.h"
#include "export.h"
#include "file.h"
#include "files.h"
#include "session.h"

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#endif
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

static CUresult refuse(uint64_t at, const char *why)
{
	axc_debug("the memory at 0x%llx can neither be registered nor be the host side of a graph's copy: %s", (unsigned long long)at, why);
	return CUDA_ERROR_NOT_SUPPORTED;
}

// Pages that the file has no memory for would be a SIGBUS in the worker later on. This way they are also this process's, for what
// counts memory. Since Linux 5.14.
static CUresult populate(uint64_t start, uint64_t end, bool write)
{
	if (!madvise((void *)(uintptr_t)start, end - start, write ? MADV_POPULATE_WRITE : MADV_POPULATE_READ) || errno == EINVAL)
		return CUDA_SUCCESS;
	axc_debug("no memory for %llu bytes of a file that are to be shared with the device: %s", (unsigned long long)(end - start),
		  strerror(errno));
	return CUDA_ERROR_OUT_OF_MEMORY;
}

static CUresult tell(int fd, uint64_t start, uint64_t end, const struct axc_shared *s)
{
	struct axc_call call;
	uint64_t number = axc_export_number();

	if (!axc_session_pass(number, fd))
		return CUDA_ERROR_OPERATING_SYSTEM;
	CUresult r = axc_begin(&call, AX_axHostShare, sizeof(struct ax_in_axHostShare), 0);
	if (r)
		return r;
	*(struct ax_in_axHostShare *)call.in = (struct ax_in_axHostShare){
		.address = start, .size = end - start, .offset = s->offset, .number = number, .writable = s->writable};
	r = axc_wait(&call);
	axc_end(&call);
	return r == CUDA_ERROR_NOT_SUPPORTED ? refuse(start, "the worker cannot map it there; its log says why") : r;
}

static CUresult show(int fd, const struct axc_mapping *m, uint64_t *start, uint64_t *end, struct axc_shared *out)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	unsigned long huge;
	struct stat st;

	if (!axr_file_is_memory(fd, &huge))
		return refuse(*start, "its file is on a file system whose pages may be answered by another program or machine (FUSE, a "
				      "network, an overlay); use a memfd, or a file in /dev/shm or on a disk");
	if (huge) {
		*start &= ~((uint64_t)huge - 1);
		*end = (*end + huge - 1) & ~((uint64_t)huge - 1);
	}
	out->offset = m->offset + (*start - m->start);
	if (fstat(fd, &st) || ((uint64_t)st.st_size + page - 1) / page * page < out->offset + (*end - *start)) {
		axc_debug("the memory at 0x%llx reaches beyond the end of its file", (unsigned long long)*start);
		return CUDA_ERROR_INVALID_VALUE;
	}
	CUresult r = populate(*start, *end, m->prot & PROT_WRITE);
	return r ? r : tell(fd, *start, *end, out);
}

CUresult axc_shared_show(const struct axc_mapping *m, uint64_t *start, uint64_t *end, bool read_only, struct axc_shared *out)
{
	if (!(m->prot & PROT_READ) || (!(m->prot & PROT_WRITE) && !read_only))
		return CUDA_ERROR_INVALID_VALUE;
	if (axc.mirrored)
		return refuse(*start, "it is shared with others, and a relay carries no descriptors");
	*out = (struct axc_shared){.inode = m->inode, .major = m->major, .minor = m->minor, .writable = m->prot & PROT_WRITE};
	int fd = axc_file_behind(m, out->writable);
	if (fd < 0 && out->writable && read_only) {
		out->writable = false;
		fd = axc_file_behind(m, false);
	}
	if (fd < 0)
		return refuse(*start, "it is shared with others, and no descriptor of its file can be had; map a memfd or a file in "
				      "/dev/shm in place of anonymous shared memory, and keep its name or its descriptor");
	CUresult r = show(fd, m, start, end, out);
	close(fd);
	return r;
}

bool axc_shared_is(const struct axc_shared *s, uint64_t start, const struct axc_mapping *m, uint64_t at)
{
	return m->shared && m->inode == s->inode && m->major == s->major && m->minor == s->minor &&
	       m->offset + (at - m->start) == s->offset + (at - start);
}
