import { spawnSync } from "node:child_process";
import { lstatSync, mkdirSync, readdirSync, statSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { MountedPath } from "./mounted-paths.ts";

/** A process that is to find its volumes where its container has them. */
export interface RootRequest {
  /** An empty folder that becomes the root of its file system. */
  readonly root: string;
  readonly mounts: readonly MountedPath[];
  readonly hostname: string;
  /** Where it runs. */
  readonly folder: string;
  readonly program: readonly string[];
  readonly variables: ReadonlyMap<string, string>;
}

/** Where in such a root the root of this machine is. */
const host = "/.host";

/** Gives what follows namespaces of its own, for which a user who is not root has to be root in a further one. */
const unshare: readonly [string, ...string[]] = [
  "unshare",
  "--mount",
  "--uts",
  ...(process.getuid?.() === 0 ? [] : ["--user", "--map-root-user"]),
];

/** Carries out the mounts, says on file descriptor 3 that it has begun, and becomes the program. The parameters are root, host name, folder, pairs of paths up to `--`, and the program. */
const script = `set -e
path=$PATH PATH=/usr/sbin:/usr/bin:/sbin:/bin
root=$1 folder=$3
hostname "$2" 2>/dev/null || :
mount --rbind / "$root${host}"
shift 3
while [ "$1" != -- ]; do mount --bind "$1" "$2"; shift 2; done
shift
chroot=$(command -v chroot) PATH=$path
exec "$chroot" "$root" /bin/sh -c 'cd "$1"; shift; echo begun >&3; exec "$@" 3>&-' sh "$folder" "$@"`;

/** Whether this machine lets its user give processes mounts of their own. */
export function hasPrivateRoots(): boolean {
  const [program, ...flags] = unshare;
  return process.platform === "linux" && spawnSync(program, [...flags, "mount", "--rbind", "/", "/"], { stdio: "ignore" }).status === 0;
}

/**
 * The command line of a process whose root shows what this machine's does, and its volumes where its container has them. For folders in which a mount has its place there are
 * new ones, with links to all that was in them; nothing of this machine is changed.
 */
export function inPrivateRoot({ root, mounts, hostname, folder, program, variables }: RootRequest): readonly string[] {
  mkdirSync(join(root, host), { recursive: true });
  linkAll(root, "/");
  const ordered = mounts.toSorted((left, right) => left.inside.length - right.inside.length);
  const pairs = ordered.flatMap(({ inside, outside }, index) => {
    // What lies in another volume has its place there.
    const outer = ordered.slice(0, index).findLast((other) => `${inside}/`.startsWith(`${other.inside}/`));
    if (outer === undefined) makePlace(root, inside, entryAt(outside));
    else makeEntry(join(outer.outside, inside.slice(outer.inside.length)), entryAt(outside));
    return [outside, join(root, inside)];
  });
  const parameters = [root, hostname, folder, ...pairs, "--", ...oddVariables(variables), ...program];
  return [...unshare, "/bin/sh", "-c", script, "sh", ...parameters];
}

/** Sets the variables whose names a shell does not know as such, and may not hand on. */
function oddVariables(variables: ReadonlyMap<string, string>): readonly string[] {
  const odd = [...variables].filter(([name]) => !/^[a-z_]\w*$/i.test(name));
  return odd.length === 0 ? [] : ["/usr/bin/env", ...odd.map(([name, value]) => `${name}=${value}`)];
}

type Entry = "File" | "Folder";

/** Makes what is mounted over, in folders of the root's own. */
function makePlace(root: string, path: string, entry: Entry): void {
  const parent = dirname(path);
  if (parent !== "/") makePlace(root, parent, "Folder");
  const place = join(root, path);
  const isLink = lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  if (isLink) unlinkSync(place);
  makeEntry(place, entry);
  if (isLink && entry === "Folder") linkAll(root, path);
}

function makeEntry(path: string, entry: Entry): void {
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) return;
  if (entry === "File") writeFileSync(path, "");
  else mkdirSync(path, { recursive: true });
}

/** Has a folder of the root lead to all that this machine has there. */
function linkAll(root: string, path: string): void {
  for (const name of namesIn(path)) symlinkSync(join(host, path, name), join(root, path, name));
}

/** What cannot be read seems empty. */
function namesIn(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

function entryAt(path: string): Entry {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true ? "File" : "Folder";
}
