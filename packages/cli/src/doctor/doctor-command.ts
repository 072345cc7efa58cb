import { isReason } from "@kaji/core";
import { broughtResources, operatorManifests } from "@kaji/manifests";
import { clusterFlags, clusterFlagsHelp, withCluster } from "../cluster-session.ts";
import { CommandError } from "../command.ts";
import type { Command, OptionValues, Terminal } from "../command.ts";
import { counted } from "../counted.ts";
import { manifestFlags, manifestFlagsHelp, manifestOptions } from "../manifests/manifest-flags.ts";
import { oneOf, textOf } from "../option-values.ts";
import { loadOperator } from "../project/load-operator.ts";
import { openProject } from "../project/project.ts";
import { installedFindings, rolloutFinding, versionFinding } from "./cluster-findings.ts";
import { definitionFindings, objectFindings } from "./definition-findings.ts";
import { developedWebhooks } from "./developed-webhooks.ts";
import { findingLine } from "./finding.ts";
import type { Finding } from "./finding.ts";
import { kindFindings } from "./kind-findings.ts";
import { operatorFinding, ownFinding } from "./permission-findings.ts";
import { warningFindings } from "./warning-findings.ts";
import { certificateFinding, reachFindings } from "./webhook-calls.ts";
import { areRegistered, webhookFindings } from "./webhook-findings.ts";

/** `kaji doctor`: could the operator run there, and does it? */
export const doctorCommand: Command = {
  help: `Usage: kaji doctor [options]

Asks a cluster whether the operator could run there, and whether it does: its version, the kinds of others that the operator needs, your permissions and the operator's, definitions and roles as
declared, versions of what is stored and whether it fits, webhooks trusted and reachable, how long their certificates are good, Pods available, what the operator warns of.
Changes nothing. Fails if there is a problem; each comes with what to do about it.

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
  const project = openProject(textOf(values, "project", "."));
  const options = await manifestOptions(values, project);
  const operator = await loadOperator(project);
  const deployed = operatorManifests(operator, options);
  const namespace = deployed.namespace[0]?.metadata.name ?? "default";
  const findings: Finding[] = [];
  const tell = (...found: readonly Finding[]): void => {
    findings.push(...found);
    if (output === "text") terminal.out(found.map(findingLine).join(""));
  };
  const resources = broughtResources(operator);
  await withCluster(values, { terminal, dryRun: true }, async (session) => {
    tell(await versionFinding(session));
    tell(await ownFinding(session));
    tell(...(await kindFindings(session, operator)));
    const webhookUrl = await developedWebhooks(session, deployed).catch(unlessForbiddenTo);
    const manifests = webhookUrl === undefined ? deployed : operatorManifests(operator, { ...options, webhookUrl });
    tell(...(await unlessForbidden("definitions and roles", () => installedFindings(session, manifests, webhookUrl))));
    tell(...(await unlessForbidden("versions of what is stored", () => definitionFindings(session, resources))));
    tell(...(await unlessForbidden("what is stored", () => objectFindings(session, resources))));
    const account = { namespace, name: operator.name };
    tell(...(await unlessForbidden("the operator's permissions", async () => [await operatorFinding(session, manifests, account)])));
    tell(...(await unlessForbidden("webhooks", () => webhookFindings(session, manifests))));
    if (manifests.webhooks.length > 0) {
      const secret = options.certificates === "cert-manager" ? "webhook-certificate" : "webhook-certificates";
      const name = `${operator.name}-${secret}`;
      tell(...(await unlessForbidden(`Secret ${namespace}/${name}`, async () => [await certificateFinding(session, { namespace, name })])));
      const reached = async (): Promise<readonly Finding[]> =>
        (await areRegistered(session, manifests)) ? reachFindings(session, operator, manifests) : [];
      tell(...(await unlessForbidden("webhooks", reached)));
    }
    tell(...(await unlessForbidden("the Deployment", async () => [await rolloutFinding(session, manifests, webhookUrl)])));
    tell(...(await unlessForbidden("warnings", () => warningFindings(session, operator.name))));
  });
  if (output === "json") terminal.out(`${JSON.stringify(findings)}\n`);
  const problems = findings.filter(({ state }) => state === "problem").length;
  if (problems > 0) throw new CommandError(`${counted(problems, "problem")} among ${findings.length} findings`);
}

/** Who may not look at it is told so where it matters. */
function unlessForbiddenTo(error: unknown): undefined {
  if (!isReason(error, "Forbidden")) throw error;
}

/** What is found out; who may not look is told so, and what else there is to find out is found out. */
async function unlessForbidden(subject: string, look: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> {
  try {
    return await look();
  } catch (error) {
    if (!isReason(error, "Forbidden")) throw error;
    return [{ state: "unknown", subject, text: "may not be looked at by you", remedy: error.message }];
  }
}
