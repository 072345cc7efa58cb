/** The controllers that scenarios are about; others would only add what each of their own tests shows. */
export const scenarioControllers: readonly string[] = [
  "daemonset-controller",
  "deployment-controller",
  "garbage-collector-controller",
  "replicaset-controller",
  "replicationcontroller-controller",
  "statefulset-controller",
];
