import { registerHooks } from "node:module";

// Property tests try the same cases in every run, so that a change is judged by what it changes. `KAJI_SEED=$RANDOM npm run test:unit` tries others.
const seeded = new URL("seeded-fast-check.ts", import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "fast-check" && context.parentURL !== seeded
      ? { url: seeded, shortCircuit: true, format: "module-typescript" }
      : next(specifier, context),
});
