import { readFileSync, readdirSync } from "node:fs";

/** Sends a signal to all processes of a group. */
export function killGroup(group: number, signal: NodeJS.Signals): void {
  killIfThere(-group, signal);
}

/** Sends a signal to all processes of a session, which has a group for each job of a shell. Only Linux shows who they are; elsewhere it is the group of the leader. */
export function killSession(leader: number, signal: NodeJS.Signals): void {
  if (process.platform !== "linux") return killGroup(leader, signal);
  for (const pid of readdirSync("/proc")) if (/^\d+$/.test(pid) && sessionOf(pid) === leader) killIfThere(Number(pid), signal);
}

/** The session of a process; undefined if it is gone. */
function sessionOf(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name comes before, in parentheses, and may have anything in it. State, parent and group follow it.
    const [, , , session] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return Number(session);
  } catch {
    return undefined;
  }
}

function killIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It is gone already, which some systems call EPERM until it has been waited for.
    if (!(error instanceof Error && "code" in error && (error.code === "ESRCH" || error.code === "EPERM"))) throw error;
  }
}
