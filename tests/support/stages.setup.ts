import { afterAll } from 'vitest'
import { closeStages } from './harness.ts'

/** Whatever a file opened ends with it, also where a hook was over before it could keep what it opened. */
afterAll(closeStages, 60_000)
