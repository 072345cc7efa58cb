import { Protocol } from "./protocol.ts";

// The work of the benchmarks, done with kaji. peers/README.md says how it is asked. Each work loads no more than it needs.
const [work, ...args] = process.argv.splice(2);
const [bars, concurrency] = args;
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
  case "faults": {
    const { sufferFaults } = await import("./faults.ts");
    const suffering = sufferFaults(talk, args, end.signal);
    await Promise.race([listening, suffering]);
    end.abort();
    await suffering;
    break;
  }
  case "reconcile": {
    void listening.then(() => process.kill(process.pid, "SIGTERM"));
    // The operator has flags of its own.
    process.argv.push(...args.slice(2));
    const { operate } = await import("./operate.ts");
    await operate(talk, Number(bars), Number(concurrency));
    break;
  }
  default:
    throw new Error("usage: first | informer | faults URL… | reconcile BARS CONCURRENCY");
}
await listening;
