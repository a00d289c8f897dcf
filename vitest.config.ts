import { defineConfig } from 'vitest/config'
import { patience } from './tests/support/patience.ts'

/** Modules of the Workers' runtime, for tests that read what a Worker is made of without running it. */
const alias = {
  'cloudflare:workers': new URL('tests/support/runtime/workers.ts', import.meta.url).pathname,
  'cloudflare:node': new URL('tests/support/runtime/node.ts', import.meta.url).pathname,
}

const node = (name: string, include: string, extra: object = {}) => ({
  test: { name, include: [include], environment: 'node', ...extra },
})
/** No limit is met by a machine that is merely busy. Worker suites start real Workers per file, four files at a time. */
const patient = { testTimeout: 60_000, hookTimeout: 180_000, expect: { poll: patience } }
const SEED = 77
/** The tests of a file come in another order than they are written, so that none stands on what an earlier one has left. */
const shuffled = { ...patient, sequence: { shuffle: { tests: true, files: false } } }
const workers = {
  ...{ testTimeout: 180_000, hookTimeout: 240_000, expect: { poll: patience } },
  globalSetup: 'tests/support/ground.setup.ts',
  setupFiles: 'tests/support/stages.setup.ts',
}

export default defineConfig({
  test: {
    maxWorkers: 4,
    reporters: ['default'],
    sequence: { seed: SEED },
    projects: [
      // Without isolation: they import each file once for all of them, and what they test keeps nothing.
      node('unit', 'tests/unit/**/*.test.ts', { ...shuffled, isolate: false }),
      { test: { name: 'stores', include: ['tests/stores/**/*.test.{ts,tsx}'], environment: 'jsdom', ...shuffled } },
      node('edge', 'tests/edge/**/*.test.ts', { ...workers, alias }),
      node('provider', 'tests/provider/**/*.test.ts', workers),
      node('bridge', 'tests/bridge/**/*.test.ts', workers),
      node('scripts', 'tests/scripts/**/*.test.ts', workers),
    ],
  },
})
