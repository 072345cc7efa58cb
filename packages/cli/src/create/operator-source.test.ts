import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { addToOperator } from "./operator-source.ts";

const bar = { name: "barController", from: "./bar-controller.ts", list: "controllers" } as const;
const hook = { name: "barWebhook", from: "./bar-webhook.ts", list: "webhooks" } as const;

const empty = `import { defineOperator } from "kaji";

export const operator = defineOperator({
  name: "bars",
  controllers: [],
});
`;

test("an import comes after the last one, an entry into the list", () => {
  assert.equal(
    addToOperator(empty, bar),
    `import { defineOperator } from "kaji";
import { barController } from "./bar-controller.ts";

export const operator = defineOperator({
  name: "bars",
  controllers: [barController],
});
`,
  );
});

test("a variable that another file exports is not imported twice", () => {
  const own = empty.replace('"kaji";\n', '"kaji";\nimport { barController } from "./bar.ts";\n');
  assert.throws(() => addToOperator(own, bar), {
    message:
      'barController comes from elsewhere already: import { barController } from "./bar.ts"; there is nothing to add, or rename that one first',
  });
  const renamed = own.replace("{ barController }", "{ barController as other }");
  assert.match(addToOperator(renamed, bar), /import \{ barController \} from "\.\/bar-controller\.ts";\n/);
});

test("a list that is not there is made; only webhooks may be missing", () => {
  assert.match(addToOperator(empty, hook), /\n {2}controllers: \[\],\n {2}webhooks: \[barWebhook\],\n\}\);\n$/);
  assert.match(
    addToOperator('defineOperator({ name: "a", controllers: [] })', hook),
    /\{ name: "a", controllers: \[\], webhooks: \[barWebhook\] \}\)$/,
  );
  assert.throws(
    () => addToOperator('defineOperator({ name: "a" })', bar),
    /has no defineOperator\(\{ controllers: \[ … \] \}\) to add barController to/,
  );
});

test("entries keep the form the list has, and comments stay where they are", () => {
  const wrapped = `import { defineOperator } from "kaji"; // the stack
/* controllers: [] */
export const operator = defineOperator({
  controllers: [
    fooController, // "the first", it is
    ...others({ controllers: [] }),
  ],
});
`;
  assert.equal(
    addToOperator(wrapped, bar),
    wrapped
      .replace("// the stack", `// the stack\nimport { barController } from "./bar-controller.ts";`)
      .replace("...others({ controllers: [] }),\n", "...others({ controllers: [] }),\n    barController,\n"),
  );
  assert.match(
    addToOperator("defineOperator({ controllers: [fooController] })", bar),
    /controllers: \[fooController, barController\] \}\)$/,
  );
  assert.match(
    addToOperator("defineOperator({ controllers: [\n  foo // last\n] })", bar),
    /controllers: \[\n {2}foo, \/\/ last\n {2}barController,\n\] \}\)$/,
  );
});

test("a name that is part of another is not the same", () => {
  assert.match(addToOperator("defineOperator({ controllers: [foobarController] })", bar), /\[foobarController, barController\]/);
  assert.throws(() => addToOperator("defineOperator({ mycontrollers: [] })", bar), /nothing was changed/);
});

test("a controller that is called with what it needs is there already", () => {
  const called = `import { defineOperator } from "kaji";
import { barController } from "./bar-controller.ts";

export const operator = defineOperator({ name: "bars", controllers: [barController(registrar)] });
`;
  assert.equal(addToOperator(called, bar), called);
});

test("a file without an operator is left alone", () => {
  assert.throws(() => addToOperator("export const operator = 1;\n", bar), /nothing was changed: give it one, and run this again$/);
});

test("adding twice is adding once, whatever else is in the file", () => {
  const piece = fc.constantFrom("// a\n", '"text"; ', "`t`; ", "{ } ", "\n", "/* x */", "const a = [1]; ", "'; ");
  const name = fc.constantFrom("[]", "[one]", "[one, two]", "[\n  one,\n  two,\n]", "[ one , ]");
  fc.assert(
    fc.property(fc.array(piece), name, fc.array(piece), (before, list, after) => {
      const text = `${before.join("")}\nexport const operator = defineOperator({ name: "a", controllers: ${list} });\n${after.join("")}`;
      for (const addition of [bar, hook]) {
        let once: string;
        try {
          once = addToOperator(text, addition);
        } catch {
          continue; // A quote or comment that is never closed has swallowed the operator.
        }
        assert.equal(addToOperator(once, addition), once);
        assert.ok(once.length > text.length);
      }
    }),
  );
});

test("where all lines end as on Windows, those that are added do too", () => {
  const windows = (text: string): string => text.replaceAll("\n", "\r\n");
  for (const addition of [bar, hook]) assert.equal(addToOperator(windows(empty), addition), windows(addToOperator(empty, addition)));
});
