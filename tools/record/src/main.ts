import { readFileSync, writeFileSync } from "node:fs";
import type { Transport } from "@kaji/core";
import { startKube } from "@kaji-tools/kube";
import { refuseUse, scriptOptions } from "@kaji-tools/script-options";
import { httpsTransport } from "./https-transport.ts";
import { recordScript } from "./kubectl/record-script.ts";
import { programOnPath } from "./kubectl/transcript.ts";
import { record } from "./record.ts";
import { formatRecording } from "./recording.ts";
import { recordings } from "./recordings.ts";
import type { RecordingPlan } from "./recordings.ts";
import { serveStandIns, withStandIns } from "./webhooks/serve-stand-ins.ts";

/** Besides scenarios there is what kubectl prints, each time for the kubectl of the same version and the one on the path. */
const kubectlRecording = "kubectl";

const names = [...Object.keys(recordings), kubectlRecording];

const usage = `usage: npm run record -- [NAME ...] [--server URL --token TOKEN --ca FILE]

Records again what a real control plane answers: all recordings, or those named, from a server that is started for it or the one given.
Recordings: ${names.join(", ")}`;

const { values, positionals } = scriptOptions({
  name: "record",
  usage,
  allowPositionals: true,
  options: { server: { type: "string" }, token: { type: "string" }, ca: { type: "string" } },
});

/** Records the named scenarios, or all, from a server that runs already or ones that are started for it. */
async function main(): Promise<void> {
  const unknown = positionals.find((name) => !names.includes(name));
  if (unknown !== undefined) refuseUse("record", `unknown recording '${unknown}'`);
  const wanted = Object.entries(recordings).filter(([name]) => positionals.length === 0 || positionals.includes(name));
  const byFlags = Map.groupBy(wanted, ([, { apiserverFlags = [] }]) => apiserverFlags.join(" "));
  for (const plans of byFlags.values()) await recordAll(plans);
  if (positionals.length === 0 || positionals.includes(kubectlRecording)) await recordKubectl();
}

/** Records what needs a server that is started in the same way. */
async function recordAll(plans: readonly (readonly [name: string, plan: RecordingPlan])[]): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const send = await serverFor(plans[0]?.[1].apiserverFlags ?? [], stack);
  for (const [name, { scenarios, file }] of plans) {
    const recorded = await record(name, scenarios, send);
    writeFileSync(file, formatRecording(recorded));
    const count = recorded.scenarios.reduce((sum, { exchanges }) => sum + exchanges.length, 0);
    process.stdout.write(`${name}: ${recorded.scenarios.length} scenarios, ${count} exchanges\n`);
  }
}

/** A server that is started can also be shown webhooks. */
async function serverFor(apiserverFlags: readonly string[], stack: AsyncDisposableStack): Promise<Transport> {
  const { server, token, ca } = values;
  if (server !== undefined && token !== undefined && ca !== undefined && apiserverFlags.length === 0) {
    return stack.use(httpsTransport({ server, token, ca: readFileSync(ca, "utf8") }));
  }
  const kube = stack.use(await startKube({ apiserverFlags }));
  const standIns = stack.use(await serveStandIns(kube));
  return withStandIns(stack.use(httpsTransport(kube)), standIns.origin, kube.ca);
}

/** Each kubectl gets a server of its own: what the script makes is still there after it. */
async function recordKubectl(): Promise<void> {
  for (const program of [undefined, programOnPath("kubectl")]) {
    await using kube = await startKube();
    process.stdout.write(`kubectl ${await recordScript(program ?? kube.kubectl, kube.kubeconfig)}\n`);
  }
}

await main();
