import { scaled } from './machine.ts'

/**
 * Options for short waits on a busy machine. `vi.waitFor` needs them because it defaults to one second;
 * `vitest.config.ts` already sets them for `expect.poll`.
 */
export const patience = { timeout: scaled(15_000), interval: 20 }
