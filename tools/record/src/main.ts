import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { startKube } from "@kaji-tools/kube";
import { httpsTransport } from "./https-transport.ts";
import type { ServerAccess } from "./https-transport.ts";
import { recordScript } from "./kubectl/record-script.ts";
import { programOnPath } from "./kubectl/transcript.ts";
import { record } from "./record.ts";
import { formatRecording } from "./recording.ts";
import { recordings } from "./recordings.ts";

/** Besides scenarios there is what kubectl prints, each time for the kubectl of the same version and the one on the path. */
const kubectlRecording = "kubectl";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { server: { type: "string" }, token: { type: "string" }, ca: { type: "string" } },
});

/** Records the named scenarios, or all, from a server that runs already or one that is started for it. */
async function main(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const { server, token, ca } = values;
  const kube = server === undefined || token === undefined || ca === undefined ? stack.use(await startKube()) : undefined;
  const access: ServerAccess = kube ?? { server: server ?? "", token: token ?? "", ca: readFileSync(ca ?? "", "utf8") };
  const send = stack.use(httpsTransport(access));
  for (const [name, { scenarios, file }] of Object.entries(recordings)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    const recorded = await record(name, scenarios, send);
    writeFileSync(file, formatRecording(recorded));
    const count = recorded.scenarios.reduce((sum, { exchanges }) => sum + exchanges.length, 0);
    process.stdout.write(`${name}: ${recorded.scenarios.length} scenarios, ${count} exchanges\n`);
  }
  if (positionals.length === 0 || positionals.includes(kubectlRecording)) await recordKubectl();
}

/** Each kubectl gets a server of its own: what the script makes is still there after it. */
async function recordKubectl(): Promise<void> {
  for (const program of [undefined, programOnPath("kubectl")]) {
    await using kube = await startKube();
    process.stdout.write(`kubectl ${await recordScript(program ?? kube.kubectl, kube.kubeconfig)}\n`);
  }
}

await main();
