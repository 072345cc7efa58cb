import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Terminal } from "../command.ts";
import { writeText } from "../write-text.ts";

/** What is to become of a folder: files to make where there are none, and one that is changed. */
export interface FolderChange {
  /** Texts by their paths in the folder. What exists is kept as it is. */
  readonly created: ReadonlyMap<string, string>;
  readonly changed?: { readonly path: string; readonly text: string } | undefined;
}

/** Makes the change, and says for each file what became of it. */
export function changeFolder(folder: string, { created, changed }: FolderChange, terminal: Terminal, output: "json" | "text"): void {
  const report: { readonly change: "changed" | "created" | "kept"; readonly path: string }[] = [];
  for (const [path, text] of created) {
    const isNew = !existsSync(join(folder, path));
    if (isNew) writeText(join(folder, path), text);
    report.push({ change: isNew ? "created" : "kept", path });
  }
  if (changed !== undefined && readFileSync(join(folder, changed.path), "utf8") !== changed.text) {
    writeText(join(folder, changed.path), changed.text);
    report.push({ change: "changed", path: changed.path });
  }
  const lines = report.map(({ change, path }) => `${change.padEnd(8)} ${path}${change === "kept" ? ": it exists" : ""}\n`);
  terminal.out(output === "json" ? `${JSON.stringify(report)}\n` : lines.join(""));
}
