import { createServer } from "node:http";
import { flagList, parseGoFlags } from "./go-flags.ts";

// Stands in for etcd where only its health is asked for: the API server beside it keeps its objects itself.
const urls = flagList(parseGoFlags(process.argv.slice(2)), "listen-client-urls");
for (const url of urls.length === 0 ? ["http://127.0.0.1:2379"] : urls) {
  const { hostname, port } = new URL(url);
  const server = createServer((request, response) => {
    const isHealth = request.url?.split("?", 1)[0] === "/health";
    response.writeHead(isHealth ? 200 : 404, { "content-type": "application/json" });
    response.end(isHealth ? '{"health":"true","reason":""}' : "{}");
  });
  server.on("error", (error) => {
    process.stderr.write(`etcd: ${error.message}\n`);
    process.exit(1);
  });
  server.listen(Number(port), hostname.replaceAll(/^\[|\]$/g, ""));
}
process.on("SIGTERM", () => process.exit(0)).on("SIGINT", () => process.exit(0));
