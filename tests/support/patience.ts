/** For what takes a moment, on a machine that has a lot to do; without it vitest waits one second. */
export const patience = { timeout: 15_000, interval: 20 }
