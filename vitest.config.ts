import { defineConfig } from 'vitest/config'
import { LongestFirstSequencer } from './tests/support/longest-first.ts'
import { MACHINE_FACTOR, scaleTimeout } from './tests/support/machine.ts'
import { WAIT_OPTIONS } from './tests/support/patience.ts'
import { EXCLUDED_FILES } from './tests/support/tier.ts'

/** Stubs of the Workers runtime modules, for tests that import modules of a Worker without running the Worker. */
const alias = {
  'cloudflare:workers': new URL('tests/support/runtime/workers.ts', import.meta.url).pathname,
  'cloudflare:node': new URL('tests/support/runtime/node.ts', import.meta.url).pathname,
}

const createNodeProject = (name: string, include: string, extra: object = {}) => ({
  test: { name, include: [include], environment: 'node', ...extra },
})
/** Time limits that a busy machine does not reach. */
const timeoutOptions = {
  testTimeout: scaleTimeout(60_000),
  hookTimeout: scaleTimeout(180_000),
  expect: { poll: WAIT_OPTIONS },
}
const SHUFFLE_SEED = 77
/** Shuffles the tests of each file to reveal tests that depend on the state of earlier tests. */
const shuffledTestOptions = { ...timeoutOptions, sequence: { shuffle: { tests: true, files: false } } }
const STORE_TEST_GLOB = 'tests/stores/**/*.test.{ts,tsx}'
/** Files that need their own process, because the libraries that they use keep state that no reset clears. */
const ISOLATED_TEST_FILES = [
  'tests/stores/services/analytics-capture.test.ts',
  'tests/stores/islands/services/cancel/CancelDialog.test.tsx',
]
const REGION_SETUP = 'tests/support/region.setup.ts'
const page = (name: string, include: string[], extra: object = {}) => ({
  test: { name, include, environment: 'jsdom', ...shuffledTestOptions, ...extra },
})
/**
 * Settings for the edge, provider, bridge and script tests. Without isolation, each process imports Miniflare only
 * once; the tests restore what they change in the process.
 */
const workersProjectOptions = {
  isolate: false,
  testTimeout: scaleTimeout(180_000),
  hookTimeout: scaleTimeout(240_000),
  expect: { poll: WAIT_OPTIONS },
  exclude: [...EXCLUDED_FILES],
  globalSetup: 'tests/support/ground.setup.ts',
  setupFiles: 'tests/support/stages.setup.ts',
}
/** Runs the bridge tests after all other tests. Up to six run in parallel, because they wait for video in real time. */
const waiting = { maxWorkers: Math.max(2, Math.round(6 / MACHINE_FACTOR)), sequence: { groupOrder: 1 } }

export default defineConfig({
  test: {
    // One worker more than the two cores of the smallest machine, because some test files only wait.
    maxWorkers: 3,
    reporters: ['default'],
    sequence: { seed: SHUFFLE_SEED, sequencer: LongestFirstSequencer },
    projects: [
      // Without isolation, the files of a process share each import; the tested code keeps no state.
      createNodeProject('unit', 'tests/unit/**/*.test.ts', {
        ...shuffledTestOptions,
        isolate: false,
        setupFiles: REGION_SETUP,
      }),
      // All files of a process share one jsdom. The setup file gives each test file its own modules and page.
      page('stores', [STORE_TEST_GLOB], {
        exclude: ISOLATED_TEST_FILES,
        isolate: false,
        setupFiles: [REGION_SETUP, 'tests/support/page.setup.ts'],
      }),
      page('stores-alone', ISOLATED_TEST_FILES, { setupFiles: REGION_SETUP }),
      createNodeProject('edge', 'tests/edge/**/*.test.ts', { ...workersProjectOptions, alias }),
      createNodeProject('provider', 'tests/provider/**/*.test.ts', workersProjectOptions),
      createNodeProject('bridge', 'tests/bridge/**/*.test.ts', { ...workersProjectOptions, ...waiting }),
      createNodeProject('scripts', 'tests/scripts/**/*.test.ts', workersProjectOptions),
    ],
  },
})
