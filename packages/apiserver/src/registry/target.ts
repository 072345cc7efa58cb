import type { Kind, KindVersion } from "../kind.ts";
import type { Strategy } from "../strategy.ts";
import type { ExpectedType } from "../request/body-type.ts";

/** What a request is about: a kind in one version, and where its objects are. */
export interface Target {
  readonly kind: Kind;
  readonly version: KindVersion;
  readonly namespace: string | undefined;
  /** Given for everything but lists, collections and creations. */
  readonly name: string | undefined;
  readonly subresource: string | undefined;
}

/** The target's type, with the schema that reads it. */
export function expectedType({ kind, version }: Target): ExpectedType {
  return { group: kind.group, version: version.version, kind: kind.kind, schema: version.schema };
}

/** The name of the object a request is about. */
export function requiredName({ name }: Target): string {
  if (name === undefined) throw new TypeError("a request for one object has its name in the path");
  return name;
}

/** The strategy of the object itself, or of the subresource through which it is written. */
export function strategyOf({ version, subresource }: Target): Strategy {
  const found = subresource === undefined ? undefined : version.subresources[subresource];
  return found?.type === "Update" ? found.strategy : version.strategy;
}
