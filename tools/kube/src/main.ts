import { once } from "node:events";
import { dirname } from "node:path";
import { errorMessage, systemClock } from "@kaji/core";
import { refuseUse, scriptOptions } from "@kaji-tools/script-options";
import { readVersions } from "./go-module.ts";
import { missingPrograms, programFolder } from "./program-folder.ts";
import { controlPlane, isProgramName, programNames } from "./programs.ts";
import { providePrograms } from "./provide-programs.ts";
import { startKube } from "./start-kube.ts";

const usage = `usage: npm run kube -- build [program ...]     build a control plane, or just these programs, and print their folder
       npm run kube -- path                    print the folder, or fail when the control plane is not built
       npm run kube -- up [--controllers] [-- flag ...]
                                               run a control plane until Ctrl-C and print the path of its kubeconfig;
                                               the flags go to kube-apiserver
programs: ${programNames.join(", ")}`;

try {
  await main();
} catch (error) {
  console.error(`kube: ${errorMessage(error)}`);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const options = { controllers: { type: "boolean", default: false } } as const;
  const { values, positionals } = scriptOptions({ name: "kube", usage, options, allowPositionals: true });
  const [command = "", ...names] = positionals;
  switch (command) {
    case "build":
      return build(names);
    case "path":
      return printPath();
    case "up":
      return up(values.controllers, names);
    default:
      return refuseUse("kube", command === "" ? "no command given" : `unknown command '${command}'`);
  }
}

async function build(names: readonly string[]): Promise<void> {
  const unknown = names.find((name) => !isProgramName(name));
  if (unknown !== undefined) refuseUse("kube", `unknown program '${unknown}'`);
  console.log(await providePrograms(names.length === 0 ? controlPlane : names.filter(isProgramName)));
}

function printPath(): void {
  const folder = programFolder(process.env, readVersions());
  const missing = missingPrograms(folder, controlPlane);
  if (folder.type === "Cache" && missing.length > 0) {
    throw new Error(`${missing.join(", ")} not built yet in ${folder.path}: run "kube build"`);
  }
  console.log(folder.path);
}

async function up(controllers: boolean, apiserverFlags: readonly string[]): Promise<void> {
  const startMs = systemClock.monotonic();
  await using kube = await startKube({ controllers, apiserverFlags });
  const seconds = ((systemClock.monotonic() - startMs) / 1000).toFixed(1);
  // Who reads the path may send the signal: it has to be expected by then.
  const end = Promise.race([once(process, "SIGINT"), once(process, "SIGTERM"), kube.died]);
  console.error(`${kube.server} is ready after ${seconds} s; its logs are in ${dirname(kube.kubeconfig)}; Ctrl-C stops it`);
  console.log(kube.kubeconfig);
  const reason = await end;
  if (reason instanceof Error) throw reason;
}
