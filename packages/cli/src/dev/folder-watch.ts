import { readdirSync, statSync, watch } from "node:fs";
import type { FSWatcher } from "node:fs";
import { basename, dirname, join, sep } from "node:path";

/**
 * Tells of each file that changes in a folder or below it, by its path in the folder, until it is disposed of.
 * Each folder has a watcher of its own: on Linux the recursive one of Node 24 loses sight of a file as soon as another is renamed to its name, which is how many editors save.
 */
export class FolderWatch implements Disposable {
  readonly #root: string;
  readonly #isDeep: boolean;
  readonly #onChange: (path: string) => void;
  /** By the path of the folder in the root. */
  readonly #watchers = new Map<string, FSWatcher>();
  /** Of the folder that the root is in: a watcher of the root is told nothing of one that takes its place. Undefined where that folder may not be read. */
  readonly #ofParent: FSWatcher | undefined;

  constructor(root: string, { isDeep }: { readonly isDeep: boolean }, onChange: (path: string) => void) {
    this.#root = root;
    this.#isDeep = isDeep;
    this.#onChange = onChange;
    this.#ofParent = this.#watchParent();
    this.#follow("");
  }

  [Symbol.dispose](): void {
    this.#ofParent?.close();
    for (const watcher of this.#watchers.values()) watcher.close();
  }

  #watchParent(): FSWatcher | undefined {
    try {
      const watcher = watch(dirname(this.#root), (event, name) => {
        if (event === "rename" && name === basename(this.#root)) this.#lookAgain("");
      });
      return watcher.on("error", () => watcher.close());
    } catch {
      // Who may read a folder need not be allowed to read the one that it is in.
      return undefined;
    }
  }

  /** Watches a folder and those below it, and returns the files that are there. */
  #follow(folder: string): readonly string[] {
    const place = join(this.#root, folder);
    const watcher = watch(place, (event, name) => this.#seen(event, join(folder, name ?? "")));
    watcher.on("error", () => this.#forget(folder));
    this.#watchers.set(folder, watcher);
    return readdirSync(place, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      if (!entry.isDirectory()) return [path];
      return this.#isDeep ? this.#follow(path) : [];
    });
  }

  #seen(event: string, path: string): void {
    this.#onChange(path);
    if (this.#isDeep && event === "rename") this.#lookAgain(path);
  }

  /** A folder came, went, or took the place of another of its name. What is in it already is not told by itself. */
  #lookAgain(path: string): void {
    this.#forget(path);
    try {
      if (isFolder(join(this.#root, path))) for (const file of this.#follow(path)) this.#onChange(file);
    } catch (error) {
      // It has gone again, or a folder in it, or a file has taken its place: that will be told.
      if (!(error instanceof Error && "code" in error && gone.has(error.code))) throw error;
    }
  }

  #forget(path: string): void {
    for (const [folder, watcher] of this.#watchers) {
      if (path !== "" && folder !== path && !folder.startsWith(path + sep)) continue;
      watcher.close();
      this.#watchers.delete(folder);
    }
  }
}

/** How a folder cannot be read that is no more. */
const gone: ReadonlySet<unknown> = new Set(["ENOENT", "ENOTDIR"]);

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
