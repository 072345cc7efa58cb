import type { ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { createAuthority, issueServing } from "@kaji/apiserver";
import { systemClock, systemRandom } from "@kaji/core";
import { widget } from "../informer/widget.ts";

// A process of its own, so that its work is in nobody's figures. It says where it is and who vouches for it, and ends with its standard input.
const object = widget(1);
const line = `{"type":"MODIFIED","object":${object}}\n`;
const tools = { clock: systemClock, random: systemRandom };
const authority = createAuthority("bench", tools);
const server = createServer(issueServing(authority, ["127.0.0.1"], tools), (request, response) => {
  const query = new URL(request.url ?? "", "https://localhost").searchParams;
  response.writeHead(200, { "content-type": "application/json" });
  if (query.has("events")) stream(response, Number(query.get("events")), Number(query.get("together")));
  else response.end(object);
});
server.listen(0, "127.0.0.1", () => {
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  process.stdout.write(`${JSON.stringify({ url, ca: authority.cert })}\n`);
});
process.stdin.resume().on("end", () => process.exit());

/** Each event in a chunk of its own, as an API server writes them; so many in one turn, which go out together. */
function stream(response: ServerResponse, left: number, together: number): void {
  if (left <= 0) return void response.end();
  const next = (): void => stream(response, left - together, together);
  let hasRoom = true;
  for (let count = Math.min(left, together); count > 0; count--) hasRoom = response.write(line);
  if (hasRoom) setImmediate(next);
  else response.once("drain", next);
}
