import type { Connection } from "../connection/connection.ts";

/** Whom to talk to, and where in there. */
export interface LoadedConfig {
  readonly connection: Connection;
  /** The namespace that is meant where none is said. */
  readonly namespace: string;
  /** Undefined for the service account of a Pod. */
  readonly context: string | undefined;
}
