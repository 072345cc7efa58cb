import { operatorManifests } from "@kaji/manifests";
import { clusterFlags, clusterFlagsHelp, withCluster } from "../cluster-session.ts";
import { CommandError } from "../command.ts";
import type { Command, OptionValues, Terminal } from "../command.ts";
import { manifestFlags, manifestFlagsHelp, manifestOptions } from "../manifests/manifest-flags.ts";
import { oneOf, textOf } from "../option-values.ts";
import { loadOperator } from "../project/load-operator.ts";
import { openProject } from "../project/project.ts";
import { installedFindings, rolloutFinding, versionFinding } from "./cluster-findings.ts";
import { findingLine } from "./finding.ts";
import type { Finding } from "./finding.ts";
import { operatorFinding, ownFinding } from "./permission-findings.ts";
import { webhookFindings } from "./webhook-findings.ts";

/** `kaji doctor`: could the operator run there, and does it? */
export const doctorCommand: Command = {
  help: `Usage: kaji doctor [options]

Asks a cluster whether the operator could run there and does: its version, your permissions and the operator's, definitions and roles as declared, webhooks trusted and reachable,
Pods available. Changes nothing. Fails if there is a problem; each comes with what to do about it.

Options:
${manifestFlagsHelp}${clusterFlagsHelp}  --output FORMAT        text or json (default text)
  --verbose              show where an error comes from

Example:
  kaji doctor --context staging
`,
  options: { ...manifestFlags, ...clusterFlags, output: { type: "string" } },
  run: doctor,
};

async function doctor(values: OptionValues, terminal: Terminal): Promise<void> {
  const output = oneOf(values, "output", ["text", "json"]);
  const operator = await loadOperator(openProject(textOf(values, "project", ".")));
  const manifests = operatorManifests(operator, manifestOptions(values));
  const namespace = manifests.namespace[0]?.metadata.name ?? "default";
  const findings: Finding[] = [];
  const tell = (...found: readonly Finding[]): void => {
    findings.push(...found);
    if (output === "text") terminal.out(found.map(findingLine).join(""));
  };
  await withCluster(values, { terminal, dryRun: true }, async (session) => {
    tell(await versionFinding(session));
    tell(await ownFinding(session));
    tell(...(await installedFindings(session, manifests)));
    tell(await operatorFinding(session, operator, namespace));
    tell(...(await webhookFindings(session, manifests)));
    tell(await rolloutFinding(session, manifests));
  });
  if (output === "json") terminal.out(`${JSON.stringify(findings)}\n`);
  const problems = findings.filter(({ state }) => state === "problem").length;
  if (problems > 0) throw new CommandError(`${problems} of ${findings.length} findings are problems`);
}
