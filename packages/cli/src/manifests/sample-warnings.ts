import { oneLine } from "@kaji/core";
import type { KubeObject } from "@kaji/core";
import type { ResourceDefinition } from "@kaji/core/define";
import { broughtResources } from "@kaji/manifests";
import type { OperatorManifests } from "@kaji/manifests";
import type { OperatorDefinition } from "@kaji/runtime";

/** A line for each sample that an API server would refuse: a sample follows from the schema, and knows nothing of the rules in CEL that stand beside it. */
export async function sampleWarnings(operator: OperatorDefinition, { samples }: OperatorManifests): Promise<readonly string[]> {
  const pairs = broughtResources(operator).flatMap((resource) =>
    samples.filter((sample) => isOf(resource, sample)).map((sample) => ({ resource, sample })),
  );
  const lines = await Promise.all(pairs.map(({ resource, sample }) => warningOf(resource, sample)));
  return lines.filter((line) => line !== undefined);
}

function isOf({ group, kind }: ResourceDefinition, sample: KubeObject): boolean {
  return sample.kind === kind && sample.apiVersion.startsWith(`${group}/`);
}

async function warningOf(resource: ResourceDefinition, sample: KubeObject): Promise<string | undefined> {
  // An embedded API server judges, which is loaded for nothing else.
  const { validate } = await import("@kaji/testing");
  const [problem] = await validate(resource, sample);
  if (problem === undefined) return undefined;
  const { field, message } = problem;
  const text = oneLine(`${field}: ${message}`.replace(/^: /, ""));
  return `an API server would refuse the sample of ${resource.kind}: ${text}; give the field an example: .meta({ example: … })`;
}
