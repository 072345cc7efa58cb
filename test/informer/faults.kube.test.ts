import { startKube } from "@kaji-tools/kube";
import { faultsContract } from "./faults-contract.ts";

faultsContract("kube-apiserver", startKube);
