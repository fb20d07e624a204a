// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"context"
	"fmt"
	"time"

	sd "github.com/coreos/go-systemd/v22/daemon"
	"golang.org/x/sys/unix"
)

// What axond tells systemd (sd_notify(3)), if systemd started it: when it is
// ready, reloads and stops, in STATUS= what systemctl status shows, and, while
// it is well, that it lives.

// statusPause is how often STATUS= changes at most.
const statusPause = time.Second

// NotifyReady says that axond serves.
func NotifyReady() error {
	_, err := sd.SdNotify(false, sd.SdNotifyReady)
	return err
}

// NotifyStopping says that what exits from now on is not to be restarted.
func NotifyStopping() { sd.SdNotify(false, sd.SdNotifyStopping) }

// NotifyReloading says that a reload has begun, which NotifyReady ends.
func NotifyReloading() {
	var now unix.Timespec
	unix.ClockGettime(unix.CLOCK_MONOTONIC, &now)
	sd.SdNotify(false, fmt.Sprintf("%s\nMONOTONIC_USEC=%d", sd.SdNotifyReloading, now.Nano()/1000))
}

// Notify keeps systemd up to date until ctx is done.
func (s *Server) Notify(ctx context.Context) {
	status := time.NewTicker(statusPause)
	defer status.Stop()
	var watchdog <-chan time.Time
	if every, err := sd.SdWatchdogEnabled(false); err == nil && every > 0 {
		t := time.NewTicker(every / 3)
		defer t.Stop()
		watchdog = t.C
	}
	said := ""
	for {
		if now := s.status(); now != said {
			if ok, _ := sd.SdNotify(false, "STATUS="+now); !ok {
				return // nobody listens
			}
			said = now
		}
		select {
		case <-ctx.Done():
			return
		case <-status.C:
		case <-watchdog:
			// That these can be taken is what being well means here: what holds
			// one for ever stops every session's start and end.
			s.mu.Lock()
			s.pool.mu.Lock()
			s.pool.mu.Unlock()
			s.mu.Unlock()
			sd.SdNotify(false, sd.SdNotifyWatchdog)
		}
	}
}

// status is a line for people about what axond does.
func (s *Server) status() string {
	c := s.Counts()
	text := fmt.Sprintf("%d of at most %d sessions; %d started", c.Sessions, s.maxSessions(), c.Started)
	if c.Refused > 0 {
		text += fmt.Sprintf(", %d refused", c.Refused)
	}
	return text
}
