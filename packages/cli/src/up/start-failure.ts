import { CommandError } from "../command.ts";

/** Waits for a control plane to start. Where it does not and an option would help, the error says which. */
export async function withRemedy<T>(starting: Promise<T>): Promise<T> {
  try {
    return await starting;
  } catch (error) {
    const remedy = remedyOf(error);
    if (!(error instanceof Error) || remedy === undefined) throw error;
    throw new CommandError(`${error.message}; ${remedy}`, { cause: error });
  }
}

/** By what errors have, and not by their classes: `kaji up` runs from one file, whose classes are not those of the packages. */
function remedyOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { name, cause } = error;
  const failure = "failure" in error ? error.failure : undefined;
  if (name === "ListenError" && isWith(cause, "code", "EADDRINUSE")) return "choose another with --port, or 0 for any that is free";
  if (name === "StorageError" && isWith(failure, "type", "Locked")) return "stop that one, or choose another with --data";
  if (name === "StorageError" && isWith(failure, "type", "Held")) return "stop that one, or choose another with --etcd-prefix";
  return undefined;
}

function isWith(value: unknown, field: string, wanted: string): boolean {
  return typeof value === "object" && value !== null && Reflect.get(value, field) === wanted;
}
