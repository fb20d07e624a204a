// SPDX-License-Identifier: Apache-2.0
//
// Images come in parts, in order; they are put together here, outside the
// region, where the client cannot change them while the vendor reads. Long ones
// come as a file that is sealed, so that nobody can, and are read where they are.
#include "image.h"

#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "descriptor.h"
#include "cuda_calls.h"

#define TOTAL_MAX (4ull << 30) // bytes of all images that a session may have here at a time
#define COUNT_MAX 4096u
#define MARGIN 64u

struct axw_image {
	uint64_t number, size, have;
	uint8_t *bytes;
	unsigned held;
	int dropped;
	struct axw_image *next;
};

struct axw_images {
	pthread_mutex_t lock;
	struct axw_image *first;
	uint64_t total;
	unsigned count;
};

struct axw_images *axw_images_new(void)
{
	struct axw_images *images = calloc(1, sizeof *images);
	if (images && pthread_mutex_init(&images->lock, NULL)) {
		free(images);
		images = NULL;
	}
	return images;
}

// Under the lock.
static struct axw_image **find(struct axw_images *images, uint64_t number)
{
	struct axw_image **at = &images->first;
	while (*at && ((*at)->number != number || (*at)->dropped))
		at = &(*at)->next;
	return at;
}

// Under the lock.
static void remove_image(struct axw_images *images, struct axw_image **at)
{
	struct axw_image *image = *at;
	*at = image->next;
	images->total -= image->size;
	images->count--;
	munmap(image->bytes, image->size + MARGIN);
	free(image);
}

// Under the lock. In the file, or in memory if fd is -1; that which the client only announces costs nothing.
static struct axw_image *begin(struct axw_images *images, uint64_t number, uint64_t size, int fd)
{
	if (size == 0 || size > TOTAL_MAX - images->total || images->count == COUNT_MAX)
		return NULL;
	struct axw_image *image = calloc(1, sizeof *image);
	if (!image)
		return NULL;
	image->bytes = fd < 0 ? mmap(NULL, size + MARGIN, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
			      : mmap(NULL, size + MARGIN, PROT_READ, MAP_PRIVATE | MAP_NORESERVE, fd, 0);
	if (image->bytes == MAP_FAILED) {
		free(image);
		return NULL;
	}
	image->number = number;
	image->size = size;
	image->next = images->first;
	images->first = image;
	images->total += size;
	images->count++;
	return image;
}

CUresult axw_axImagePart(struct axw_call *w)
{
	struct axw_images *images = w->s->images;
	struct ax_in_axImagePart in;
	CUresult r = axw_own(CUDA_ERROR_INVALID_VALUE); // unless the part fits

	if (w->in_size < sizeof in)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	memcpy(&in, w->in, sizeof in);
	if (in.n == 0 || in.n > w->data_size)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	pthread_mutex_lock(&images->lock);
	struct axw_image *image = *find(images, in.image);
	if (!image && in.offset == 0) {
		image = begin(images, in.image, in.total, -1);
		if (!image)
			r = axw_own(CUDA_ERROR_OUT_OF_MEMORY);
	}
	if (image && in.total == image->size && in.offset == image->have && in.n <= image->size - image->have) {
		memcpy(image->bytes + image->have, w->data, in.n);
		image->have += in.n;
		r = CUDA_SUCCESS;
	}
	pthread_mutex_unlock(&images->lock);
	return r;
}

// Whether the file has so many bytes and zeros behind them, and will have them for ever. A descriptor of the client's may be anything.
static int sealed(int fd, uint64_t size)
{
	static const uint8_t zeros[MARGIN];
	uint8_t behind[MARGIN];
	struct stat st;
	int seals = fcntl(fd, F_GET_SEALS); // fails for all but memory

	return seals >= 0 && (seals & F_SEAL_WRITE) && (seals & F_SEAL_SHRINK) && !fstat(fd, &st) && S_ISREG(st.st_mode) &&
	       size <= TOTAL_MAX && (uint64_t)st.st_size >= size + MARGIN &&
	       pread(fd, behind, MARGIN, (off_t)size) == (ssize_t)MARGIN && !memcmp(behind, zeros, MARGIN);
}

CUresult axw_axImageFile(struct axw_call *w)
{
	struct axw_images *images = w->s->images;
	struct ax_in_axImageFile in;
	CUresult r = CUDA_SUCCESS;

	if (w->in_size < sizeof in)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	memcpy(&in, w->in, sizeof in);
	int fd = axw_descriptor_take(in.number);
	if (fd < 0)
		return axw_own(CUDA_ERROR_OPERATING_SYSTEM);
	if (!sealed(fd, in.total)) {
		close(fd);
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	}
	pthread_mutex_lock(&images->lock);
	struct axw_image *image = *find(images, in.image) ? NULL : begin(images, in.image, in.total, fd);
	if (image)
		image->have = in.total;
	else
		r = axw_own(CUDA_ERROR_OUT_OF_MEMORY);
	pthread_mutex_unlock(&images->lock);
	close(fd);
	return r;
}

CUresult axw_axImageDrop(struct axw_call *w)
{
	struct axw_images *images = w->s->images;
	struct ax_in_axImageDrop in;

	if (w->in_size < sizeof in)
		return axw_own(CUDA_ERROR_INVALID_VALUE);
	memcpy(&in, w->in, sizeof in);
	pthread_mutex_lock(&images->lock);
	struct axw_image **at = find(images, in.image);
	if (*at && (*at)->held)
		(*at)->dropped = 1;
	else if (*at)
		remove_image(images, at);
	pthread_mutex_unlock(&images->lock);
	return CUDA_SUCCESS;
}

struct axw_image *axw_image_hold(struct axw_session *s, uint64_t number, const void **bytes, size_t *size)
{
	pthread_mutex_lock(&s->images->lock);
	struct axw_image *image = *find(s->images, number);
	if (image && image->have != image->size)
		image = NULL;
	if (image) {
		image->held++;
		*bytes = image->bytes;
		*size = image->size;
	}
	pthread_mutex_unlock(&s->images->lock);
	return image;
}

void axw_image_release(struct axw_session *s, struct axw_image *image)
{
	pthread_mutex_lock(&s->images->lock);
	if (--image->held == 0 && image->dropped) {
		struct axw_image **at = &s->images->first;
		while (*at != image)
			at = &(*at)->next;
		remove_image(s->images, at);
	}
	pthread_mutex_unlock(&s->images->lock);
}

// Loading a fat binary or a cubin goes by the lengths that it states itself, and the vendor is not told where its bytes end: what
// a client sent is believed as far as it reaches.
int axw_image_fits(const void *bytes, size_t size)
{
	const uint8_t *p = bytes;
	uint32_t magic = 0;
	Elf64_Ehdr e;

	memcpy(&magic, p, size < sizeof magic ? size : sizeof magic);
	if (magic == 0x466243b1u)
		return 0; // a wrapper: there is a pointer in it
	if (magic == 0xba55ed50u) {
		uint16_t header;
		uint64_t files;
		if (size < 16)
			return 0;
		memcpy(&header, p + 6, sizeof header);
		memcpy(&files, p + 8, sizeof files);
		return header >= 16 && header <= size && files <= size - header;
	}
	if (size < SELFMAG || memcmp(p, ELFMAG, SELFMAG))
		return 1; // text: a NUL stands behind the last byte
	if (size < sizeof e)
		return 0;
	memcpy(&e, p, sizeof e);
	if (e.e_shoff > size || (uint64_t)e.e_shnum * e.e_shentsize > size - e.e_shoff || e.e_phoff > size ||
	    (uint64_t)e.e_phnum * e.e_phentsize > size - e.e_phoff || (e.e_shnum && e.e_shentsize < sizeof(Elf64_Shdr)))
		return 0;
	for (unsigned i = 0; i < e.e_shnum; i++) {
		Elf64_Shdr h;
		memcpy(&h, p + e.e_shoff + (size_t)i * e.e_shentsize, sizeof h);
		if (h.sh_type != SHT_NOBITS && (h.sh_offset > size || h.sh_size > size - h.sh_offset))
			return 0;
	}
	return 1;
}
