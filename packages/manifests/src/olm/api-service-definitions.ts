import { ports } from "../manifest-options.ts";
import type { Plan } from "../manifest-options.ts";
import { wordsOf } from "./words.ts";

/**
 * The kinds that an operator serves by itself as the Operator Lifecycle Manager wants them: it makes their Service, certificates and APIServices by itself, and lets the operator read who its
 * clients are, and ask what they may.
 */
export function apiServiceDefinitions({ operator, name: deploymentName }: Plan): readonly object[] {
  return operator.apis.map(({ resource: { group, version, kind, plural } }) => ({
    name: plural,
    group,
    version,
    kind,
    deploymentName,
    containerPort: ports.webhook,
    displayName: wordsOf(kind),
    description: `A ${wordsOf(kind)}, which the operator serves by itself.`,
  }));
}
