/** What was measured of one way to write the Bar operator. */
export interface NewUserFigures {
  readonly files: number;
  readonly lines: number;
  /** What is typed from an empty folder until the sample is reconciled. */
  readonly commands: readonly string[];
  /** From an empty folder to the Deployment of the sample, with all that is downloaded or compiled already in caches. */
  readonly firstReconcileS: number;
  /** From saving another image in the controller to the Deployment that has it. */
  readonly saveToReconcileS: number;
  readonly testS: number;
}
