import { enableCompileCache } from "node:module";
import { parseGoFlags } from "./go-flags.ts";

// Stands in for kube-apiserver: an embedded API server, started by the same flags. What it keeps is gone when it ends, and no client waits for that.
enableCompileCache();
process.on("SIGTERM", () => process.exit(0)).on("SIGINT", () => process.exit(0));
try {
  const { apiServerOptions, ignoredFlags, missingPlugins } = await import("./api-server-flags.ts");
  const { startApiServer } = await import("@kaji/cluster");
  const flags = parseGoFlags(process.argv.slice(2));
  for (const name of ignoredFlags(flags)) process.stderr.write(`kube-apiserver: --${name} has no effect on the embedded API server\n`);
  const { server } = await startApiServer(await apiServerOptions(flags));
  for (const name of missingPlugins(flags, server))
    process.stderr.write(`kube-apiserver: the embedded API server has no plugin ${name} of admission\n`);
} catch (error) {
  process.stderr.write(`kube-apiserver: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
