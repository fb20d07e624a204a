# SPDX-License-Identifier: Apache-2.0
#
# Packages and installation. Included by the top Makefile, which sets B.

VERSION  ?= 0.1.0-dev
PREFIX   ?= /usr
PACKAGES ?= $(B)/packages
# Both of them, where the cross-compiler is: make deb rpm ARCHES="amd64 arm64"
ARCHES   ?= $(shell dpkg --print-architecture 2>/dev/null || uname -m | sed 's/x86_64/amd64/; s/aarch64/arm64/')

.PHONY: install deb rpm vm-test package-test
# Without DESTDIR into the running system.
install: all
	packaging/install $(B) "$(DESTDIR)" $(PREFIX)

deb: build-deps
	+@$(call packages,deb)
rpm: build-deps
	+@$(call packages,rpm)

# packages KIND: for every architecture.
packages = $(MAKE) --no-print-directory all && rm -f $(PACKAGES)/*.$(1) && for arch in $(ARCHES); do \
		b=$(B); \
		if [ $$arch = arm64 ] && [ "$$(uname -m)" != aarch64 ]; then b=$(B)/arm64; $(MAKE) --no-print-directory variant-arm64 || exit 1; fi; \
		VERSION=$(VERSION) packaging/build $$b $(PACKAGES) $$arch $(1) || exit 1; \
	done

# Both kinds for both architectures, checked by lintian and rpmlint, and built twice.
package-test:
	@scripts/deps package
	@$(MAKE) --no-print-directory deb rpm ARCHES="amd64 arm64"
	@VERSION=$(VERSION) packaging/check $(B) $(PACKAGES) amd64 arm64

# The packages of this machine's architecture, in a guest with systemd: see tests/vm.
vm-test:
	@scripts/deps vm
	@$(MAKE) --no-print-directory deb rpm
	@scripts/vm-test $(B)
