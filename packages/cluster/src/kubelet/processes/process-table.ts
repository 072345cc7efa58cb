import { readFileSync, readdirSync } from "node:fs";
import type { ContainerUsage } from "../pod-runtime.ts";

/** The processes of a session. Only Linux shows who they are: elsewhere there are none. */
export function sessionMembers(leader: number): readonly number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && statOf(name)?.[sessionField] === leader)
    .map(Number);
}

/** What processes use of the machine, all together, with those that they have waited for. Those that are gone use nothing. */
export function usageOf(pids: readonly number[]): ContainerUsage {
  let [ticks, memoryBytes] = [0, 0];
  for (const pid of pids) {
    ticks += cpuFields.reduce((sum, field) => sum + (statOf(String(pid))?.[field] ?? 0), 0);
    const [, kilobytes = "0"] = /^VmRSS:\s+(\d+) kB$/m.exec(textOf(`/proc/${pid}/status`)) ?? [];
    memoryBytes += Number(kilobytes) * 1024;
  }
  return { cpuMs: ticks * tickMs, memoryBytes };
}

/** Of what `stat` has after the name of a process: its session, and the time that it and those whom it has waited for took. */
const sessionField = 3;
const cpuFields = [11, 12, 13, 14];
/** In which Linux tells programs of time, on every machine. */
const tickMs = 10;

function statOf(pid: string): readonly number[] | undefined {
  const stat = textOf(`/proc/${pid}/stat`);
  // The name is in parentheses, and may have anything in it.
  return stat === ""
    ? undefined
    : stat
        .slice(stat.lastIndexOf(")") + 2)
        .split(" ")
        .map(Number);
}

/** Empty for a process that is gone. */
function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
