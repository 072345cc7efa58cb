import { inProcessMs } from "./in-process.ts";

// One use of an API server inside a process in which nothing else has happened.
process.stdout.write(String(await inProcessMs()));
