/** What is to be said about a bundle or a catalog: with an error the Operator Lifecycle Manager would not take it. */
export interface OlmFinding {
  readonly level: "Error" | "Warning";
  /** The file and the field it is about, such as `manifests/bars.clusterserviceversion.yaml: spec.replaces`. */
  readonly place: string;
  readonly text: string;
}
