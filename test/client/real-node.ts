import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createAuthority, issueServing } from "@kaji/apiserver";
import { systemClock, systemRandom } from "@kaji/core";

/** A node whose streams and ports are served by the code that real ones have for it. Its commands and ports are those of this machine. */
export interface RealNode extends AsyncDisposable {
  readonly port: number;
}

/** Builds and starts it. */
export async function startRealNode(folder: string): Promise<RealNode> {
  mkdirSync(folder, { recursive: true });
  const program = join(folder, "go-node");
  await promisify(execFile)("go", ["build", "-o", program, "."], { cwd: fileURLToPath(new URL("go-node", import.meta.url)) });
  const issuing = { clock: systemClock, random: systemRandom };
  const certificate = issueServing(createAuthority("nodes", issuing), ["127.0.0.1"], issuing);
  const files = { cert: join(folder, "node.crt"), key: join(folder, "node.key") };
  writeFileSync(files.cert, certificate.cert);
  writeFileSync(files.key, certificate.key);
  const child = spawn(program, [files.cert, files.key], { stdio: ["ignore", "pipe", "ignore"] });
  const [port] = await once(createInterface(child.stdout), "line");
  return {
    port: Number(port),
    async [Symbol.asyncDispose]() {
      child.kill();
      await once(child, "exit");
    },
  };
}
