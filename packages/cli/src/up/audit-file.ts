import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { errorMessage } from "@kaji/core";
import { auditEvent } from "@kaji/apiserver";
import type { RequestRecord } from "@kaji/apiserver";
import type { Terminal } from "../command.ts";

/** A file to which an event is appended for every request, a line each. Disposing of it waits until all are written. */
export interface AuditFile extends AsyncDisposable {
  readonly observe: (record: RequestRecord) => void;
}

/** The file cannot be written. */
export class AuditFileError extends Error {
  override readonly name = "AuditFileError";
}

/** Opens the file, for its owner's eyes only if it is new. That it can no longer be written is said on the terminal, once. */
export async function openAuditFile(path: string, terminal: Terminal): Promise<AuditFile> {
  const stream = createWriteStream(path, { flags: "a", mode: 0o600 });
  try {
    await once(stream, "open");
  } catch (error) {
    throw new AuditFileError(`audit file ${path} cannot be written: ${errorMessage(error)}`, {
      cause: error,
    });
  }
  stream.on("error", (error) => terminal.err(`audit file ${path} can no longer be written: ${error.message}\n`));
  return {
    observe: (record) => void stream.write(`${JSON.stringify(auditEvent(record))}\n`),
    [Symbol.asyncDispose]: () => new Promise((resolve) => void stream.end(resolve)),
  };
}
