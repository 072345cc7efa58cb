import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Container, Volume } from "@kaji/types/core/v1";
import type { MountedPath } from "./mounted-paths.ts";
import { ShownVolume } from "./shown-volume.ts";
import { expandVariables } from "./variable-expansion.ts";
import { volumeFiles } from "./volume-files.ts";
import type { VolumeContents } from "./volume-files.ts";

const defaultMessagePath = "/dev/termination-log";
/** Where Linux keeps files in memory. */
const memory = "/dev/shm";
/** As much of a message as a pod's status may have. */
const longestMessage = 4096;

/** The files of one pod: its volumes, and what its containers say when they end. Only the owner of this process can read them. */
export class PodFolder implements Disposable {
  readonly #path: string;
  readonly #shown = new Map<string, ShownVolume>();
  readonly #inMemory: string[] = [];

  constructor(path: string) {
    this.#path = path;
    for (const folder of [path, join(path, "volumes"), join(path, "messages")]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  /** Has volumes show what there is now. Those that do not show objects begin empty, and are only made. */
  show(contents: VolumeContents): void {
    for (const volume of contents.pod.spec?.volumes ?? []) {
      const files = volumeFiles(volume, contents);
      const path = this.volume(volume.name);
      if (files === undefined) {
        this.#makeEmpty(path, volume);
        continue;
      }
      const shown = this.#shown.get(volume.name) ?? new ShownVolume(path);
      this.#shown.set(volume.name, shown);
      shown.show(files);
    }
  }

  /** Where the paths are that a container knows. */
  mounts({ name, volumeMounts = [], terminationMessagePath }: Container, variables: ReadonlyMap<string, string>): readonly MountedPath[] {
    const mounts = volumeMounts.map((mount) => {
      const volume = this.volume(mount.name);
      const outside = join(volume, mount.subPath ?? expandVariables(mount.subPathExpr ?? "", variables));
      if (relative(volume, outside).startsWith(".."))
        throw new Error(`${JSON.stringify(mount.subPathExpr)} leads out of volume ${mount.name}`);
      if (!this.#shown.has(mount.name)) mkdirSync(outside, { recursive: true });
      return { inside: mount.mountPath.replace(/(?<=.)\/+$/, ""), outside };
    });
    return [...mounts, { inside: terminationMessagePath ?? defaultMessagePath, outside: this.#message(name) }];
  }

  /** What a container wrote where it is to say why it ends. */
  messageOf({ name }: Container): string {
    return readFileSync(this.#message(name)).subarray(0, longestMessage).toString("utf8");
  }

  /** Where a volume is. */
  volume(name: string): string {
    return join(this.#path, "volumes", name);
  }

  /** Forgets what a container had to say when it ended. An empty folder for the root of its file system, in place of that of the run before. */
  beginRun({ name }: Container): string {
    writeFileSync(this.#message(name), "");
    const root = join(this.#path, "roots", name);
    rmSync(root, { recursive: true, force: true });
    mkdirSync(root, { recursive: true });
    return root;
  }

  /** An empty folder for the root of a command's file system, until that is over: the container has its own. */
  commandRoot(): Disposable & { readonly path: string } {
    const commands = join(this.#path, "commands");
    mkdirSync(commands, { recursive: true });
    const path = mkdtempSync(join(commands, "root-"));
    return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
  }

  /** Writes a file for the pod's processes that is in no volume, and returns its path. */
  write(name: string, text: string): string {
    const file = join(this.#path, name);
    writeFileSync(file, text, { mode: 0o600 });
    return file;
  }

  [Symbol.dispose](): void {
    for (const folder of [this.#path, ...this.#inMemory]) rmSync(folder, { recursive: true, force: true });
  }

  /** One that is to be in memory is, where the machine has a place for that. */
  #makeEmpty(path: string, { emptyDir }: Volume): void {
    if (existsSync(path)) return;
    if (emptyDir?.medium === "Memory" && existsSync(memory)) {
      const folder = mkdtempSync(join(memory, "kaji-volume-"));
      this.#inMemory.push(folder);
      symlinkSync(folder, path);
    } else mkdirSync(path);
    chmodSync(path, 0o777);
  }

  #message(container: string): string {
    return join(this.#path, "messages", container);
  }
}
