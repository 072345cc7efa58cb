import { once } from "node:events";
import { networkInterfaces } from "node:os";
import { parseArgs } from "node:util";
import { httpTransport, loadConfig } from "@kaji/client";
import { startFlunders } from "./start-flunders.ts";

const { values } = parseArgs({ options: { address: { type: "string" }, port: { type: "string" }, folder: { type: "string" } } });
const { address = ownAddress(), port = "0", folder } = values;

const { connection } = await loadConfig();
await using mainServer = httpTransport(connection);
await using _server = await startFlunders({ mainServer, address, port: Number(port), folder });
console.log(`flunders are served at ${address}`);
await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);

function ownAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((list = []) => list);
  const found = addresses.find(({ family, internal }) => family === "IPv4" && !internal);
  if (found === undefined) throw new Error("this machine has no address but loopback; pass one with --address");
  return found.address;
}
