/** A folder or file of this machine that stands for a path in a container. */
export interface MountedPath {
  /** As the container knows it. */
  readonly inside: string;
  /** Where it really is. */
  readonly outside: string;
}

/**
 * Takes the place of mounts, which only a privileged process can have: where an argument or a variable names a path under a mount, the process is given the path that it
 * really has, and what it writes is shown with the paths that its pod knows. A path counts where it begins: at the start of a text, or after a sign such as `=`.
 */
export class MountedPaths {
  readonly #outward: Replacement;
  readonly #inward: Replacement;

  constructor(mounts: readonly MountedPath[]) {
    const plain = mounts.filter(({ inside }) => inside !== "/");
    this.#outward = replacement(plain.map(({ inside, outside }) => [inside, outside]));
    this.#inward = replacement(plain.map(({ inside, outside }) => [outside, inside]));
  }

  /** A text for the process. */
  outside(text: string): string {
    return this.#outward(text);
  }

  /** A text of the process. */
  inside(text: string): string {
    return this.#inward(text);
  }
}

type Replacement = (text: string) => string;

/** Of two paths that begin alike the longer one is meant. What has been replaced is not looked at again. */
function replacement(pairs: readonly (readonly [from: string, to: string])[]): Replacement {
  if (pairs.length === 0) return (text) => text;
  const targets = new Map(pairs);
  const paths = [...targets.keys()].toSorted((left, right) => right.length - left.length).map(escaped);
  const pattern = new RegExp(String.raw`(?<![\w./-])(?:${paths.join("|")})(?![\w.-])`, "g");
  return (text) => text.replaceAll(pattern, (path) => targets.get(path) ?? path);
}

function escaped(text: string): string {
  return text.replaceAll(/[\\.+*?()|[\]{}^$]/g, String.raw`\$&`);
}
