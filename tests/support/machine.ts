/** How many times slower this machine is than the reference; `scripts/lib/machine.ts` measures it once for a run. */
export const MACHINE_FACTOR = Math.max(1, Number(process.env['MACHINE_FACTOR'] ?? 1))

/** A time limit of a test, in ms, on this machine. Promises of the product keep their own limits. */
export const scaled = (ms: number): number => Math.round(ms * MACHINE_FACTOR)

/** Returns how many simultaneous requests this machine can answer within the product's own time limits. */
export const bearable = (requests: number): number => Math.max(50, Math.round(requests / MACHINE_FACTOR))
