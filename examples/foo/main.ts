import { once } from "node:events";
import { createClient, systemClock, systemRandom } from "kaji";
import { FooController } from "./foo-controller.ts";

await using client = await createClient();
const end = new AbortController();
void Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]).then(() => end.abort());
await new FooController({ client, clock: systemClock, random: systemRandom }).run(end.signal);
