import { subscribe } from "node:diagnostics_channel";
import type { ReconcileReport, reconcileChannel } from "@kaji/runtime";
import { sentReport } from "@kaji/runtime/reports";

// Imported before an operator's own program: tells the process that has started it of each reconcile. The runtime itself is the operator's to load.
const channel: typeof reconcileChannel = "kaji:reconcile";
subscribe(channel, (message) => process.send?.(sentReport(message as ReconcileReport)));
