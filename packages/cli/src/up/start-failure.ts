import { CommandError } from "../command.ts";

/** Why a control plane could not be started, with what to do about it where an option does. */
export function startFailure(error: unknown): unknown {
  const remedy = error instanceof Error ? remedyOf(error) : undefined;
  return error instanceof Error && remedy !== undefined ? new CommandError(`${error.message}; ${remedy}`, { cause: error }) : error;
}

/** Errors are told by their names: `kaji up` runs from one file, whose classes are not those of the packages. */
function remedyOf({ name, message }: Error): string | undefined {
  if (name === "ListenError" && message.endsWith(": the port is in use")) return "choose another with --port, or 0 for any that is free";
  if (name === "StorageError" && message.includes(" is in use by another instance")) return "stop that one, or choose another with --data";
  return undefined;
}
