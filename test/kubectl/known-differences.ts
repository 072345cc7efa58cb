const noDescriptions = "the descriptions of built-in kinds are upstream's texts, which the embedded server does not carry";

/** Commands that print something else with the embedded server, and why that is so. */
export const knownDifferences: Readonly<Record<string, string>> = {
  "kubectl explain deployment.spec.replicas": noDescriptions,
  "kubectl explain pod.spec.containers.resources": noDescriptions,
  "kubectl explain service --recursive --output=plaintext-openapiv2": noDescriptions,
};
