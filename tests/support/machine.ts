/** How many times slower this machine is than the reference; `scripts/lib/machine.ts` measures it once for a run. */
export const MACHINE_FACTOR = Math.max(1, Number(process.env['MACHINE_FACTOR'] ?? 1))

/** A time limit of a test, in ms, on this machine. Promises of the product keep their own limits. */
export const scaled = (ms: number): number => Math.round(ms * MACHINE_FACTOR)
