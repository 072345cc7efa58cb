import type { Project } from "../project/project.ts";

/** What `kaji dev` was asked for. */
export interface DevOptions {
  readonly project: Project;
  /** Whether the objects of earlier runs are forgotten. */
  readonly fresh: boolean;
  readonly data: string;
  readonly port: number;
  /** How many nodes a cluster of our own has. */
  readonly nodes: number;
  readonly log: "debug" | "error" | "info" | "warn";
  /** The context of a cluster to develop on. Undefined: one of our own. */
  readonly context: string | undefined;
  readonly kubeconfig: string | undefined;
  /** Where the API server of that cluster reaches this machine. Undefined: it does not. */
  readonly webhookHost: string | undefined;
  readonly output: "json" | "text";
}
