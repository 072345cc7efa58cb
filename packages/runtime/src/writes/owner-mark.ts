import { createHash } from "node:crypto";
import { objectKey, parseObjectKey } from "@kaji/core";
import type { DraftMeta, KubeObject, NamespacedName, ObjectKey } from "@kaji/core";
import { labelIndex } from "@kaji/informer";
import type { Index } from "@kaji/informer";
import type { Controller } from "../declare/define-controller.ts";
import { ownName } from "../declare/own-name.ts";

/** The longest value that a label may have. */
const longest = 63;

/**
 * The label by which an object belongs to its owner where the server allows no owner reference: in another namespace, or in none. It has the name of the owner and not its uid, so that an owner which
 * was made again, as from a backup, finds what it had.
 */
export class OwnerMark {
  readonly label: string;
  readonly index: Index<KubeObject>;

  constructor({ resource, name }: Pick<Controller, "resource" | "name">) {
    this.label = ownName(resource, `${name}-owner`);
    this.index = labelIndex(this.label);
  }

  /** The object with the mark of its owner. */
  on<T extends { readonly metadata: DraftMeta }>(owner: KubeObject, object: T): T {
    const labels = { ...object.metadata.labels, [this.label]: markOf(owner.metadata) };
    return { ...object, metadata: { ...object.metadata, labels } };
  }

  /** The mark that an object has. */
  of({ metadata }: Pick<KubeObject, "metadata">): string | undefined {
    return metadata.labels?.[this.label];
  }

  /** Whether the mark of an object may not say the whole name of its owner. */
  isCut(object: KubeObject): boolean {
    return this.of(object)?.length === longest;
  }

  isOf(object: KubeObject, owner: KubeObject): boolean {
    return isElsewhere(object.metadata, owner) && this.of(object) === markOf(owner.metadata);
  }

  /** Which objects the server is asked for. */
  selector(owner: KubeObject): string {
    return `${this.label}=${markOf(owner.metadata)}`;
  }

  /** The keys of the owners that an object can be of. `keys`: those of all owners, of which one with a long name has to be found. */
  ownersOf(object: Pick<KubeObject, "metadata">, keys: () => readonly ObjectKey[]): readonly ObjectKey[] {
    const mark = this.of(object);
    const dot = mark?.indexOf(".") ?? -1;
    if (mark === undefined) return [];
    const short = dot < 1 ? [] : [objectKey({ namespace: mark.slice(0, dot), name: mark.slice(dot + 1) })];
    return mark.length < longest ? short : [...short, ...keys().filter((key) => markOf(parseObjectKey(key)) === mark)];
  }
}

/** The value of the mark: whose it is, as far as that is short enough for a label. */
export function markOf({ namespace = "", name }: NamespacedName): string {
  const text = `${namespace}.${name}`;
  if (text.length <= longest) return text;
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 12);
  return `${text.slice(0, longest - digest.length - 1)}-${digest}`;
}

/** Whether an object cannot have the owner as its owner. */
export function isElsewhere(metadata: Pick<DraftMeta, "namespace">, owner: KubeObject): boolean {
  return owner.metadata.namespace !== undefined && metadata.namespace !== owner.metadata.namespace;
}
