import type { RemoteDocument } from "../openapi/merged-v2.ts";
import type { ApiResource } from "./api-resources.ts";

/** A version of a group that another server serves. */
export interface RemoteVersion {
  readonly group: string;
  readonly version: string;
  readonly groupPriority: number;
  readonly versionPriority: number;
  /** What it was last known to serve. */
  readonly resources: readonly ApiResource[];
  /** Whether that may have changed since, because the extension server does not answer. */
  readonly isStale: boolean;
}

/** What other servers serve behind this one. */
export interface RemoteVersions {
  versions(): readonly RemoteVersion[];
  /** Which groups come first: those of a higher number. Undefined for a group that has none. */
  groupPriority(group: string): number | undefined;
  /** Where they keep their documents of OpenAPI v3: URLs by paths such as `apis/GROUP/VERSION`. */
  documents(): ReadonlyMap<string, string>;
  /** What they say in OpenAPI v2, as far as they say anything. */
  v2Documents(): Promise<readonly RemoteDocument[]>;
}

/** No extension server is registered. */
export const noRemoteVersions: RemoteVersions = {
  versions: () => [],
  groupPriority: () => undefined,
  documents: () => new Map(),
  v2Documents: () => Promise.resolve([]),
};
