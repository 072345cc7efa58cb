import type { ClusterSession } from "../cluster-session.ts";
import { CommandError } from "../command.ts";
import type { ChangeReport } from "./change-report.ts";

/** What is waited for, and what it is now. */
export type Progress = { readonly done: true } | { readonly done: false; readonly state: string };

const pollMs = 100;

/** Looks again and again until it is so; what it is meanwhile is told each time it changes. */
export async function waitUntil(
  { clock, signal }: Pick<ClusterSession, "clock" | "signal">,
  { report, timeoutMs, look }: { readonly report: ChangeReport; readonly timeoutMs: number; readonly look: () => Promise<Progress> },
): Promise<void> {
  const startMs = clock.monotonic();
  for (let told = ""; ;) {
    const progress = await look();
    if (progress.done) return;
    if (clock.monotonic() - startMs >= timeoutMs) {
      throw new CommandError(`not done within ${timeoutMs / 1000} s: ${progress.state}; see --timeout`);
    }
    if (progress.state !== told) report.progress(progress.state);
    told = progress.state;
    await clock.sleep(pollMs, signal);
  }
}
