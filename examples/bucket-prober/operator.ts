import { defineOperator } from "kaji";
import { bucketController } from "./bucket-controller.ts";
import { httpObjectStore } from "./object-store.ts";

export const operator = defineOperator({ name: "bucket-prober", controllers: [bucketController(httpObjectStore())] });
