import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { structuralEqual } from "@kaji/core";
import type { VolumeFile } from "./volume-files.ts";

/** Where the files are that a volume shows at present. */
const dataLink = "..data";

/**
 * A volume that shows objects. Whoever reads it sees all files of one moment: they are in a folder of their own, to which a link leads that is replaced at once, as on a real
 * node.
 */
export class ShownVolume {
  readonly #path: string;
  #shown: readonly VolumeFile[] | undefined;
  #version = 0;

  constructor(path: string) {
    this.#path = path;
    mkdirSync(path, { recursive: true });
  }

  /** Shows these files instead of those before. */
  show(files: readonly VolumeFile[]): void {
    if (this.#shown !== undefined && structuralEqual(described(files), described(this.#shown))) return;
    const before = `..${this.#version++}`;
    const now = `..${this.#version}`;
    for (const { path, bytes, mode } of files) {
      const file = join(this.#path, now, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, bytes);
      // Whatever this process's umask takes away is given back.
      chmodSync(file, mode);
    }
    mkdirSync(join(this.#path, now), { recursive: true });
    const link = join(this.#path, `${dataLink}_new`);
    symlinkSync(now, link);
    renameSync(link, join(this.#path, dataLink));
    this.#linkNames(new Set(files.map(({ path }) => path.split("/")[0] ?? path)));
    rmSync(join(this.#path, before), { recursive: true, force: true });
    this.#shown = files;
  }

  /** What is at the top of the volume leads to where the files are now. */
  #linkNames(names: ReadonlySet<string>): void {
    const present = new Set(readdirSync(this.#path).filter((name) => !name.startsWith("..")));
    for (const name of names) if (!present.has(name)) symlinkSync(join(dataLink, name), join(this.#path, name));
    for (const name of present) if (!names.has(name)) rmSync(join(this.#path, name));
  }
}

/** What two sets of files are compared by. */
function described(files: readonly VolumeFile[]): readonly (readonly (number | string)[])[] {
  return files.map(({ path, bytes, mode }) => [path, mode, Buffer.from(bytes).toString("base64")]);
}
