import { Protocol } from "./protocol.ts";

// The work of the benchmarks, done with kaji. peers/README.md says how it is asked. Each work loads no more than it needs.
const [work, bars, concurrency] = process.argv.splice(2);
const talk = new Protocol();
const end = new AbortController();
const listening = talk.listen();
switch (work) {
  case "first":
    await (await import("./first.ts")).first(talk);
    break;
  case "informer": {
    const { mirror } = await import("./mirror.ts");
    const mirroring = mirror(talk, end.signal);
    await Promise.race([listening, mirroring]);
    end.abort();
    await mirroring;
    break;
  }
  case "reconcile": {
    void listening.then(() => process.kill(process.pid, "SIGTERM"));
    const { operate } = await import("./operate.ts");
    await operate(talk, Number(bars), Number(concurrency));
    break;
  }
  default:
    throw new Error("usage: first | informer | reconcile BARS CONCURRENCY");
}
await listening;
