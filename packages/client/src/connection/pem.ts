import type { Clock } from "@kaji/core";
import type { PemSource } from "./connection.ts";
import { reveal } from "./secret.ts";
import { WatchedFile } from "./watched-file.ts";
import type { Reloaded } from "./watched-file.ts";

/** PEM from where it is. `what` names it in messages. */
export function pemOf(source: PemSource, what: string, clock: Clock): Reloaded<string> {
  switch (source.type) {
    case "Data":
      return fixed(reveal(source.data));
    case "File":
      return new WatchedFile(source.path, what, clock);
    default:
      return source satisfies never;
  }
}

function fixed(text: string): Reloaded<string> {
  return { read: () => text, expire: () => {} };
}
