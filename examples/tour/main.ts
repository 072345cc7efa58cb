import { Backup } from "./backup.ts";

/** Somebody in a hurry. */
const hasty = {
  metadata: { name: "Nightly Backup" },
  spec: { database: "orders", keep: 0, size: "much" },
};

show("One definition (backup.ts) is a static type and a CustomResourceDefinition", Backup.crd());
show("and a sample to start from, with the defaults a server would fill in", Backup.sample());
show(
  "and a validator that says what an API server would say about this object",
  hasty,
  Backup.validate(hasty).map(({ field, body }) => `${field}: ${body}`),
);

function show(title: string, ...things: readonly unknown[]): void {
  process.stdout.write(`\n# ${title}\n`);
  for (const thing of things) process.stdout.write(`${JSON.stringify(thing, null, 2)}\n`);
}
