import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The path of a program that go.mod here pins. Go builds it the first time, which takes minutes, and keeps it in its cache. */
export async function goTool(name: "helm" | "kustomize" | "olm-validate"): Promise<string> {
  const cwd = fileURLToPath(new URL(".", import.meta.url));
  const { stdout } = await run("go", ["tool", "-n", name], { cwd, env: { ...process.env, CGO_ENABLED: "0", GOWORK: "off" } });
  return stdout.trim();
}
