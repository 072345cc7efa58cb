import { errorMessage } from "@kaji/core";

/** A listener that hears each text once, and never throws. It remembers the last thousand, so that it cannot grow without bound. */
export function warnOnce(listener: (text: string) => void = emitWarning): (text: string) => void {
  const heard = new Set<string>();
  return (text) => {
    if (heard.has(text)) return;
    for (const oldest of heard) {
      if (heard.size < remembered) break;
      heard.delete(oldest);
    }
    heard.add(text);
    try {
      listener(text);
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
