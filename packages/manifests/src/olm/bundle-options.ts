import type { ManifestOptions } from "../manifest-options.ts";

/** How an operator is to run wherever its bundle is installed, and what the bundle says of itself, for people who choose operators. */
export interface BundleOptions extends Pick<ManifestOptions, "env" | "metricsAuth" | "replicas" | "resources" | "shards"> {
  /** Three numbers, such as `1.2.3`. */
  readonly version: string;
  /** The image that runs the operator. Default: `NAME:vVERSION`. */
  readonly image?: string | undefined;
  /** Default: the name of the operator in words. */
  readonly displayName?: string | undefined;
  readonly description?: string | undefined;
  readonly provider?: string | undefined;
  readonly maintainers?: readonly Maintainer[] | undefined;
  readonly links?: readonly { readonly name: string; readonly url: string }[] | undefined;
  readonly keywords?: readonly string[] | undefined;
  readonly icon?: { readonly base64data: string; readonly mediatype: string } | undefined;
  /** Default `stable`. */
  readonly channels?: readonly string[] | undefined;
  /** The version that this one is an upgrade of, such as `1.2.2`. */
  readonly replaces?: string | undefined;
  /** Versions that an upgrade may leave out. */
  readonly skips?: readonly string[] | undefined;
  /** Default `1.30.0`. */
  readonly minKubeVersion?: string | undefined;
}

/** Whom to ask. */
export interface Maintainer {
  readonly name: string;
  readonly email: string;
}
