/** What a program says that embeds a cluster. */
export interface SmallMeasures {
  /** From the end of the import to a cluster that is ready. */
  readonly readyAfterImportMs: number;
  /** To make a fork and dispose of it. */
  readonly forkMs: number;
  /** What a test pays for having a fork of its own: a Deployment of three in a new one, less the same in a cluster that runs. */
  readonly testOverheadMs: number;
}

/** What one says that embeds a large cluster. */
export interface LargeMeasures {
  /** Until all pods run and nothing is left to do. */
  readonly settleMs: number;
  /** Of the whole process at that moment. Garbage is part of it: none is collected for the sake of the measurement. */
  readonly residentMb: number;
  /** The most that the process has had up to then. */
  readonly peakMb: number;
}

/** How much there is in the large cluster. */
export const large = { nodes: 200, deployments: 50, replicas: 100 } as const;
