// SPDX-License-Identifier: Apache-2.0
#include "maps.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

bool axc_maps_open(struct axc_maps *m)
{
	m->have = m->at = 0;
	m->fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	return m->fd >= 0;
}

void axc_maps_close(struct axc_maps *m) { close(m->fd); }

static bool next_line(struct axc_maps *m, char *line, size_t room)
{
	size_t n = 0;
	for (;;) {
		if (m->at == m->have) {
			ssize_t got;
			while ((got = read(m->fd, m->text, sizeof m->text)) < 0 && errno == EINTR)
				;
			if (got <= 0)
				return false;
			m->have = (size_t)got;
			m->at = 0;
		}
		char c = m->text[m->at++];
		if (c == '\n') {
			line[n] = 0;
			return true;
		}
		if (n + 1 < room)
			line[n++] = c;
	}
}

static uint64_t number(const char **p, int base)
{
	char *end;
	uint64_t n = strtoull(*p, &end, base);
	*p = *end ? end + 1 : end;
	return n;
}

bool axc_maps_next(struct axc_maps *m, struct axc_mapping *out, char *line, size_t room)
{
	const char *p = line;

	if (!next_line(m, line, room))
		return false;
	out->start = number(&p, 16);
	out->end = number(&p, 16);
	if (strlen(p) < 5)
		return false;
	out->prot = (p[0] == 'r' ? PROT_READ : 0) | (p[1] == 'w' ? PROT_WRITE : 0) | (p[2] == 'x' ? PROT_EXEC : 0);
	out->shared = p[3] == 's';
	p += 5;
	out->offset = number(&p, 16);
	out->major = (unsigned)number(&p, 16);
	out->minor = (unsigned)number(&p, 16);
	out->inode = number(&p, 10);
	out->anonymous = !out->inode;
	while (*p == ' ')
		p++;
	out->path = p;
	out->huge = strstr(p, "anon_hugepage") || strstr(p, "hugepages");
	return true;
}

bool axc_mapping_at(uint64_t address, struct axc_mapping *out, char *line, size_t room)
{
	struct axc_maps maps;
	bool found = false;

	if (!axc_maps_open(&maps))
		return false;
	while (!found && axc_maps_next(&maps, out, line, room))
		found = address - out->start < out->end - out->start;
	axc_maps_close(&maps);
	return found;
}
