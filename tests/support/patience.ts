import { scaled } from './machine.ts'

/**
 * Timeout for short waits on a busy machine. `vi.waitFor` defaults to one second; `vitest.config.ts` sets it for
 * `expect.poll`.
 */
export const patience = { timeout: scaled(15_000), interval: 20 }
