import { scaleTimeout } from './machine.ts'

/**
 * Options for short waits on a busy machine. `vi.waitFor` needs them because its default timeout is one second.
 * `vitest.config.ts` already sets them for `expect.poll`.
 */
export const WAIT_OPTIONS = { timeout: scaleTimeout(15_000), interval: 20 }
