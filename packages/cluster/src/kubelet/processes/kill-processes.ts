import { sessionMembers } from "./process-table.ts";

/** Sends a signal to all processes of a group. */
export function killGroup(group: number, signal: NodeJS.Signals): void {
  killIfThere(-group, signal);
}

/** Sends a signal to all processes of a session, which has a group for each job of a shell; where nobody shows who they are, to the group of the leader. */
export function killSession(leader: number, signal: NodeJS.Signals): void {
  const members = sessionMembers(leader);
  if (members.length === 0) killGroup(leader, signal);
  for (const pid of members) killIfThere(pid, signal);
}

function killIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It is gone already, which some systems call EPERM until it has been waited for.
    if (!(error instanceof Error && "code" in error && (error.code === "ESRCH" || error.code === "EPERM"))) throw error;
  }
}
