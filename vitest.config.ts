import { defineConfig } from 'vitest/config'
import { LongestFirst } from './tests/support/longest-first.ts'
import { MACHINE_FACTOR, scaled } from './tests/support/machine.ts'
import { patience } from './tests/support/patience.ts'
import { leftOut } from './tests/support/tier.ts'

/** Stubs of the Workers runtime modules, for tests that import modules of a Worker without running the Worker. */
const alias = {
  'cloudflare:workers': new URL('tests/support/runtime/workers.ts', import.meta.url).pathname,
  'cloudflare:node': new URL('tests/support/runtime/node.ts', import.meta.url).pathname,
}

const node = (name: string, include: string, extra: object = {}) => ({
  test: { name, include: [include], environment: 'node', ...extra },
})
/** Time limits that a busy machine does not reach. */
const patient = { testTimeout: scaled(60_000), hookTimeout: scaled(180_000), expect: { poll: patience } }
const SEED = 77
/** Shuffles the tests of a file, so that no test depends on what an earlier one left. */
const shuffled = { ...patient, sequence: { shuffle: { tests: true, files: false } } }
const STORES = 'tests/stores/**/*.test.{ts,tsx}'
/** Files that need their own process: they use libraries whose state no reset clears. */
const ALONE = [
  'tests/stores/services/analytics-capture.test.ts',
  'tests/stores/islands/services/cancel/CancelDialog.test.tsx',
]
const page = (name: string, include: string[], extra: object = {}) => ({
  test: { name, include, environment: 'jsdom', ...shuffled, ...extra },
})
/**
 * Settings for the edge, provider, bridge and script tests. Without isolation, each process imports Miniflare only
 * once; the tests restore what they change in the process.
 */
const workers = {
  isolate: false,
  ...{ testTimeout: scaled(180_000), hookTimeout: scaled(240_000), expect: { poll: patience } },
  exclude: [...leftOut],
  globalSetup: 'tests/support/ground.setup.ts',
  setupFiles: 'tests/support/stages.setup.ts',
}
/** Bridge tests wait for video in real time, so more of them run in parallel, after the others. */
const waiting = { maxWorkers: Math.max(2, Math.round(6 / MACHINE_FACTOR)), sequence: { groupOrder: 1 } }

export default defineConfig({
  test: {
    // One worker more than the smallest machine has cores, because some test files only wait.
    maxWorkers: 3,
    reporters: ['default'],
    sequence: { seed: SEED, sequencer: LongestFirst },
    projects: [
      // Without isolation, the files of a process share each import; the tested code keeps no state.
      node('unit', 'tests/unit/**/*.test.ts', { ...shuffled, isolate: false }),
      // One jsdom for all files of a process; the setup gives each file its own modules and page.
      page('stores', [STORES], { exclude: ALONE, isolate: false, setupFiles: 'tests/support/page.setup.ts' }),
      page('stores-alone', ALONE),
      node('edge', 'tests/edge/**/*.test.ts', { ...workers, alias }),
      node('provider', 'tests/provider/**/*.test.ts', workers),
      node('bridge', 'tests/bridge/**/*.test.ts', { ...workers, ...waiting }),
      node('scripts', 'tests/scripts/**/*.test.ts', workers),
    ],
  },
})
