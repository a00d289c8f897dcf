import { scaled } from './machine.ts'

/** For what takes a moment, on a machine that has a lot to do; without it `vi.waitFor` waits one second (`expect.poll` has it from vitest.config.ts). */
export const patience = { timeout: scaled(15_000), interval: 20 }
