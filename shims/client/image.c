// SPDX-License-Identifier: Apache-2.0
//
// Module images. CUDA's calls take a pointer without a length, so the length
// is read off the format: a fat binary and an ELF file say theirs, PTX ends
// with a NUL. What is behind the pointer is the program's own, so it is
// trusted as far as the vendor's library trusts it.
//
// Long ones go as a descriptor: the bytes are written to a memfd, which is
// sealed, so that the worker reads them where they are. (They cannot stay where
// the program has them, though that be a file: the worker may read no bytes that
// somebody can still change.) The others, those of a relay, and all if there is
// no such file to be had, are copied through the lane.
#include "image.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "call.h"
#include "export.h"
#include "session.h"

#define WRAPPER_MAGIC 0x466243b1u
#define FATBIN_MAGIC 0xba55ed50u
#define PART (4u << 20)
#define BY_FILE (1u << 18) // bytes from which on the file is worth its system calls
#define MARGIN 64u         // zeros behind the image, as the worker wants them
#define FILE_MAX (4ll << 30) // the worker takes no more

struct wrapper {
	uint32_t magic, version;
	const void *data;
	const void *more; // version 2: prelinked fat binaries, which the linker wants
};

struct fatbin {
	uint32_t magic;
	uint16_t version, header_size;
	uint64_t files_size;
};

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

static size_t elf_length(const void *image)
{
	Elf64_Ehdr h;
	memcpy(&h, image, sizeof h);
	if (h.e_ident[EI_CLASS] != ELFCLASS64)
		return 0;
	size_t end = larger(sizeof h, (size_t)h.e_shoff + (size_t)h.e_shnum * h.e_shentsize);
	end = larger(end, (size_t)h.e_phoff + (size_t)h.e_phnum * h.e_phentsize);
	for (unsigned i = 0; i < h.e_shnum; i++) {
		Elf64_Shdr s;
		memcpy(&s, (const uint8_t *)image + h.e_shoff + (size_t)i * h.e_shentsize, sizeof s);
		if (s.sh_type != SHT_NOBITS)
			end = larger(end, (size_t)s.sh_offset + s.sh_size);
	}
	return end;
}

bool axc_image_of(const void *image, const void **bytes, size_t *length)
{
	uint32_t magic;
	// PTX may be shorter than a magic is long: look at one byte before four.
	if (*(const uint8_t *)image == 0)
		return false;
	if (((const uint8_t *)image)[1] == 0 || ((const uint8_t *)image)[2] == 0) {
		*bytes = image;
		*length = strlen(image) + 1;
		return true;
	}
	memcpy(&magic, image, sizeof magic);
	if (magic == WRAPPER_MAGIC) {
		struct wrapper w;
		memcpy(&w, image, sizeof w);
		image = w.data;
		if (!image)
			return false;
		memcpy(&magic, image, sizeof magic);
	}
	*bytes = image;
	if (magic == FATBIN_MAGIC) {
		struct fatbin f;
		memcpy(&f, image, sizeof f);
		*length = (size_t)f.header_size + f.files_size;
		return f.header_size >= sizeof f && f.files_size < 1ull << 40;
	}
	if (!memcmp(image, ELFMAG, SELFMAG)) {
		*length = elf_length(image);
		return *length != 0;
	}
	*length = strlen(image) + 1;
	return true;
}

// A sealed file of the image and zeros, or -1.
static int sealed(const uint8_t *bytes, size_t length)
{
	static const uint8_t zeros[MARGIN];
	struct rlimit limit;
	ssize_t n;

	// A file that is too long for this limit would be a signal.
	if (getrlimit(RLIMIT_FSIZE, &limit) || limit.rlim_cur < length + MARGIN)
		return -1;
	int fd = memfd_create("axon-image", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (fd < 0)
		return -1;
	for (size_t at = 0; at < length + MARGIN; at += n > 0 ? (size_t)n : 0) {
		n = at < length ? write(fd, bytes + at, length - at) : write(fd, zeros, length + MARGIN - at);
		if (n <= 0 && !(n < 0 && errno == EINTR)) {
			axc_debug("an image of %zu bytes cannot be handed over as a file: %s", length, n ? strerror(errno) : "no room");
			close(fd);
			return -1;
		}
	}
	if (fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)) {
		close(fd);
		return -1;
	}
	return fd;
}

// False: it has to go another way.
static bool send_file(const void *bytes, size_t length, uint64_t image, CUresult *r)
{
	struct axc_call call;
	uint64_t number;
	int fd;

	if (axc.mirrored || length < BY_FILE || (fd = sealed(bytes, length)) < 0)
		return false;
	number = axc_export_number();
	bool sent = axc_session_pass(number, fd);
	close(fd);
	if (!sent)
		return false;
	if (!(*r = axc_begin(&call, AX_axImageFile, sizeof(struct ax_in_axImageFile), 0))) {
		*(struct ax_in_axImageFile *)call.in = (struct ax_in_axImageFile){.image = image, .number = number, .total = length};
		*r = axc_wait(&call);
		axc_end(&call);
	}
	if (*r != CUDA_ERROR_OPERATING_SYSTEM)
		return true;
	axc_debug("an image's file did not reach the worker: it goes in parts");
	return false;
}

CUresult axc_image_send(const void *bytes, size_t length, uint64_t *number)
{
	static _Atomic uint64_t last;
	uint64_t image = atomic_fetch_add(&last, 1) + 1;
	CUresult done;

	*number = image;
	if (axc_ready() == CUDA_SUCCESS && send_file(bytes, length, image, &done))
		return done;
	for (size_t at = 0; at < length;) {
		struct axc_call call;
		size_t n = length - at < PART ? length - at : PART;
		CUresult r = axc_begin(&call, AX_axImagePart, sizeof(struct ax_in_axImagePart), n);
		if (r)
			return r;
		*(struct ax_in_axImagePart *)call.in =
			(struct ax_in_axImagePart){.image = image, .offset = at, .total = length, .n = n};
		memcpy(call.data, (const uint8_t *)bytes + at, n);
		r = axc_wait(&call);
		axc_end(&call);
		if (r)
			return r;
		at += n;
	}
	return CUDA_SUCCESS;
}

void axc_image_drop(uint64_t number)
{
	struct axc_call call;
	if (axc_begin(&call, AX_axImageDrop, sizeof(struct ax_in_axImageDrop), 0))
		return;
	((struct ax_in_axImageDrop *)call.in)->image = number;
	axc_post(&call);
}

CUresult axc_image_read(const char *path, void **bytes, size_t *length)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); // a FIFO that nobody writes to is no reason to wait
	if (fd < 0 || fstat(fd, &st)) {
		if (fd >= 0)
			close(fd);
		return CUDA_ERROR_FILE_NOT_FOUND;
	}
	if (!S_ISREG(st.st_mode) || st.st_size > FILE_MAX) {
		close(fd);
		return CUDA_ERROR_INVALID_IMAGE;
	}
	size_t size = st.st_size > 0 ? (size_t)st.st_size : 0, have = 0;
	uint8_t *p = malloc(size + 64); // a magic and a header can be looked at in any file
	ssize_t n = 1;
	while (p && have < size && (n = read(fd, p + have, size - have)) != 0) {
		if (n < 0 && errno != EINTR)
			break;
		have += n > 0 ? (size_t)n : 0;
	}
	close(fd);
	if (!p)
		return CUDA_ERROR_OUT_OF_MEMORY;
	if (have < size || !have) {
		free(p);
		return CUDA_ERROR_INVALID_IMAGE;
	}
	memset(p + have, 0, 64);
	*bytes = p;
	*length = have;
	return CUDA_SUCCESS;
}
