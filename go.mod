module nervlinux.org/axon

go 1.26.0

require (
	github.com/BurntSushi/toml v1.6.0
	github.com/coreos/go-systemd/v22 v22.7.0
	github.com/jessevdk/go-flags v1.6.1
	golang.org/x/sys v0.50.0
)
