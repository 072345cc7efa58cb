import { aborted } from "@kaji/core";
import { startDashboard } from "@kaji/dashboard";
import { clusterFlags, clusterFlagsHelp, withCluster } from "../cluster-session.ts";
import type { Command } from "../command.ts";
import { numberOf, oneOf } from "../option-values.ts";
import { withRemedy } from "../up/start-failure.ts";

/** `kaji dashboard`: a web page on a cluster, until it is told to stop. */
export const dashboardCommand: Command = {
  help: `Usage: kaji dashboard [options]

Serves a web page that shows what is in a cluster and what happens there, as it happens: objects by kind, who owns whom, and which fields were changed by whom. It only reads, is
reached from this machine alone, and shows no data of Secrets.

Options:
  --port PORT            the port of the page; 0 is any that is free (default 0)
${clusterFlagsHelp}  --output FORMAT        text or json, of what is said on stdout (default text)
  --verbose              show where an error comes from

Examples:
  kaji dashboard
  kaji dashboard --context staging --port 8001
`,
  options: { ...clusterFlags, port: { type: "string" }, output: { type: "string" } },
  async run(values, terminal) {
    const port = numberOf(values, "port", { fallback: 0, max: 65_535 });
    const output = oneOf(values, "output", ["text", "json"]);
    await withCluster(values, { terminal }, async ({ client, cluster, clock, signal }) => {
      await using dashboard = await withRemedy(startDashboard({ client, cluster, clock, port, watchesAtOnce: true }));
      const { url } = dashboard;
      terminal.out(output === "json" ? `${JSON.stringify({ url, pid: process.pid })}\n` : greeting(cluster, url));
      await aborted(signal);
    });
  },
};

function greeting(cluster: string, url: string): string {
  return `The dashboard of ${cluster} is at

  ${url}

Whoever has this address can read what you can. Ctrl+C stops it.
`;
}
