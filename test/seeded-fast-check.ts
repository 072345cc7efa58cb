import fc from "fast-check";

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env["KAJI_SEED"] ?? 1) });

// oxlint-disable-next-line import/no-default-export -- it takes the place of a module that has one
export default fc;
