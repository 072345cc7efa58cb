import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { httpTransport } from "@kaji/client";
import { Pool } from "undici";
import type { Report, Row } from "../report.ts";
import { median } from "../statistics.ts";

const rounds = 5;
const events = 50_000;
const requests = 2000;
const warmUp = 0.1;

/** Sends a GET, and counts the bytes of its answer. */
type Get = (path: string) => Promise<number>;

/** What a transport takes by itself: one long watch, and requests one after the other, of the client's and of undici. */
export async function benchmark(): Promise<Report> {
  await using started = new AsyncDisposableStack();
  const { url, ca } = await startServer(started);
  const transport = started.use(httpTransport({ server: url, certificateAuthority: { type: "Data", data: ca } }, { environment: {} }));
  const pool = new Pool(url, { connections: 1, pipelining: 1, bodyTimeout: 0, connect: { ca } });
  started.defer(() => pool.close());
  const subjects: Readonly<Record<string, Get>> = {
    kaji: async (path) => length((await transport({ method: "GET", path, headers: {} })).body),
    undici: async (path) => length((await pool.request({ method: "GET", path })).body),
  };

  const rows: Row[] = [];
  for (const [work, count, unit, measure] of [
    ["event of a watch, one by one, CPU", events, "µs", watch(1)],
    ["event of a watch, in bulk, CPU", events, "µs", watch(100)],
    ["GET of an object, CPU", requests, "µs", getInSequence],
  ] as const) {
    const figures = Object.keys(subjects).map((subject) => ({ subject, values: new Array<number>() }));
    for (const get of Object.values(subjects)) await measure(get, count * warmUp);
    for (let round = 0; round < rounds; round++) {
      for (const { subject, values } of figures) values.push(await microsecondsEach(count, () => measure(subjects[subject], count)));
    }
    rows.push(...figures.map(({ subject, values }) => ({ work, subject, value: median(values), unit })));
  }
  return { rows, ratios: [] };
}

function watch(together: number): (get: Get | undefined, count: number) => Promise<void> {
  return async (get, count) => {
    if ((await get?.(`/?watch=true&events=${count}&together=${together}`)) === 0) throw new Error("no event came");
  };
}

async function getInSequence(get: Get | undefined, count: number): Promise<void> {
  for (let index = 0; index < count; index++) await get?.("/");
}

async function microsecondsEach(count: number, work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}

async function length(body: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0;
  for await (const piece of body) bytes += piece.byteLength;
  return bytes;
}

async function startServer(started: AsyncDisposableStack): Promise<{ readonly url: string; readonly ca: string }> {
  const program = fileURLToPath(new URL("server-program.ts", import.meta.url));
  const child = spawn(process.execPath, [...process.execArgv, program], { stdio: ["pipe", "pipe", "inherit"] });
  started.defer(async () => {
    child.stdin.end();
    await once(child, "exit");
  });
  const [said] = await once(child.stdout, "data");
  return JSON.parse(String(said));
}
