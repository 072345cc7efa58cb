import { errorMessage } from "@kaji/core";
import type { TransportRequest } from "@kaji/core";

/** Hears what a server warns of, and to which request it said so. */
export type WarningListener = (text: string, request: Pick<TransportRequest, "method" | "path">) => void;

/** A listener that hears each text once, and never throws. It remembers the last thousand, so that it cannot grow without bound. */
export function warnOnce(listener: WarningListener = emitWarning): WarningListener {
  const heard = new Set<string>();
  return (text, request) => {
    if (heard.has(text)) return;
    for (const oldest of heard) {
      if (heard.size < remembered) break;
      heard.delete(oldest);
    }
    heard.add(text);
    try {
      listener(text, request);
    } catch (error) {
      // The server has done what was asked; that it also warned must not look as if it had not.
      emitWarning(`${text} (onWarning threw: ${errorMessage(error)})`);
    }
  };
}

const remembered = 1000;

function emitWarning(text: string): void {
  process.emitWarning(text, "KubernetesWarning");
}
