// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"bytes"
	"fmt"
)

// writeUnits is what -q -u prints: of a machine that is no S-class unit, which
// none has been for long, nothing but the driver's version and CUDA's. Scripts
// ask it for those.
func writeUnits(w *bytes.Buffer, m *Machine, xml, dtd bool) {
	t := &tree{w: w, xml: xml, depth: 1, r: releaseOf(str(m.Driver))}
	t.width = t.r.width()
	inside := func() {
		t.leaf("Timestamp", "timestamp", m.Time.Format(ctime))
		t.leaf("Driver Version", "driver_version", str(m.Driver))
		t.leaf("CUDA Version", "cuda_version", cudaVersion(m.CUDA))
		t.onlyText(func() { w.WriteByte('\n') })
		if len(m.HICs.V) == 0 && (!xml || !m.HICs.OK()) {
			t.leaf("HIC Info", "hic_info", "N/A")
		} else {
			t.group("HIC Info", "hic_info", func() {
				for _, h := range m.HICs.V {
					t.onlyXML(func() {
						fmt.Fprintf(w, "\t\t<hic id=\"%d\">\n\t\t\t<firmware>%s</firmware>\n\t\t</hic>\n", h.HwbcId, escape(h.FirmwareVersion))
					})
					t.onlyText(func() { t.leaf(fmt.Sprintf("HIC %d", h.HwbcId), "", h.FirmwareVersion) })
				}
			})
		}
		t.leaf("Attached Units", "attached_units", text(m.Units, func(n uint32) string { return fmt.Sprint(n) }))
	}
	if xml {
		startXML(w, m, "unit", dtd)
		t.depth = 0
		t.group("", "nvidia_smi_log", inside)
		return
	}
	w.WriteString("\n==============NVSMI LOG==============\n\n")
	inside()
	w.WriteByte('\n')
}
