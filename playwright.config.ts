import { defineConfig } from 'playwright/test'
import { browserOptions } from './scripts/tools.mjs'
import { REVENUE_TOKEN } from './tests/support/measured-token.ts'
import { RESULTS } from './tests/support/results.ts'
import { TIME_ZONE } from './tests/support/time-zone.ts'

/** `npm test` gives each run a port of its own, so that two of them do not meet. */
const port = Number(process.env['E2E_PORT'] ?? 9870)

/** Waits up to two minutes for something to happen in front of a camera, and needs next to nothing meanwhile: beside the others. */
const WAITING = '**/arrival.spec.ts'
/** Changes cameras and ends parts of Porchlight: `npm test` runs it after the rest, against a Porchlight of its own. */
const CAMERAS = '**/live*.spec.ts'
/** Pages in two forms; only where `EXPERIMENT` names an experiment, and before parts of Porchlight are ended. */
const EXPERIMENT = '**/experiment*.spec.ts'
const isExperiment = (process.env['EXPERIMENT'] ?? '') !== ''

/** The browser suite runs against the real thing: portal, provider and bridge under the supervisor of `npm start`. */
export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: `${RESULTS}/e2e`,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  // All projects at one Porchlight come one after the other, save for the half that `npm test` gives a folder of its own.
  workers: process.env['E2E_RESULTS'] === undefined ? 1 : 2,
  forbidOnly: true,
  reporter: [['list'], ['json', { outputFile: `${RESULTS}/e2e.json` }]],
  use: {
    baseURL: `http://localhost:${port}`,
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    timezoneId: TIME_ZONE,
    // Recording every page for a trace doubles the time of the suite; `--trace on` records one.
    trace: 'off',
    launchOptions: browserOptions(),
  },
  projects: [
    { name: 'sign-in', testMatch: 'sign-in.setup.ts' },
    {
      name: 'pages',
      testMatch: '**/*.spec.ts',
      testIgnore: [WAITING, CAMERAS, EXPERIMENT],
      dependencies: ['sign-in'],
      workers: 1,
    },
    ...(isExperiment ? [{ name: 'experiment', testMatch: EXPERIMENT, dependencies: ['sign-in'], workers: 1 }] : []),
    {
      name: 'cameras',
      testMatch: CAMERAS,
      dependencies: ['sign-in', ...(isExperiment ? ['experiment'] : [])],
      workers: 1,
    },
    { name: 'waiting', testMatch: WAITING, dependencies: ['sign-in'], workers: 1 },
  ],
  webServer: {
    command: `node scripts/start.mjs --fresh --port ${port} --data ${RESULTS}/data`,
    url: `http://localhost:${port}/`,
    timeout: 120_000,
    reuseExistingServer: false,
    // Off without a token.
    env: { REVENUE_TOKEN },
    gracefulShutdown: { signal: 'SIGTERM', timeout: 15_000 },
    stdout: 'pipe',
  },
})
