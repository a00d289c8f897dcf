import { defineConfig } from 'playwright/test'
import { browserOptions } from './scripts/tools.mjs'
import { scaleTimeout } from './tests/support/machine.ts'
import { RESULTS_FOLDER } from './tests/support/results.ts'
import { areAllTestsIncluded } from './tests/support/tier.ts'
import { TIME_ZONE } from './tests/support/time-zone.ts'

/** `npm test` gives each run its own port, so that two runs do not collide. */
const port = Number(process.env['E2E_PORT'] ?? 9870)

/** Specs that change cameras or stop processes of Porchlight. */
const CAMERAS = '**/live*.spec.ts'
/** Specs of pages that an experiment changes. They run only if `EXPERIMENT` names an experiment. */
const EXPERIMENT = '**/experiment*.spec.ts'
const isExperiment = (process.env['EXPERIMENT'] ?? '') !== ''
/** Tests with this tag run in `npm run test:all` only. */
const ALL_TAG_PATTERN = /@all\b/
const signedInProject = { dependencies: ['sign-in'] }

/**
 * The browser suite runs against a real deployment: portal, provider and bridge under the supervisor of `npm start`.
 */
export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: `${RESULTS_FOLDER}/e2e`,
  timeout: scaleTimeout(60_000),
  expect: { timeout: scaleTimeout(15_000) },
  // One worker, because all tests of a run share one deployment. `npm test` starts two runs in parallel.
  workers: 1,
  // A test that passes only on the retry is flaky, not failed; scripts/lib/flaky.ts has the rules.
  retries: 1,
  forbidOnly: true,
  ...(areAllTestsIncluded ? {} : { grepInvert: ALL_TAG_PATTERN }),
  reporter: [['list'], ['json', { outputFile: `${RESULTS_FOLDER}/e2e.json` }]],
  use: {
    baseURL: `http://localhost:${port}`,
    viewport: { width: 1440, height: 900 },
    // A region with a 24-hour clock and the day before the month; regional-formats.spec.ts tests others.
    locale: 'en-GB',
    timezoneId: TIME_ZONE,
    // Animations are off, because rendering them in software takes a sixth of the browser's CPU time. Specs about
    // motion turn them on.
    contextOptions: { reducedMotion: 'reduce' },
    // Limits the wait for an element, so that a click on a missing element fails before the test's own timeout.
    actionTimeout: scaleTimeout(30_000),
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
    launchOptions: browserOptions(),
  },
  projects: [
    { name: 'sign-in', testMatch: 'sign-in.setup.ts', teardown: 'ledger' },
    { name: 'ledger', testMatch: 'ledger-agreement.teardown.ts', retries: 0 },
    { name: 'pages', testMatch: '**/*.spec.ts', testIgnore: [CAMERAS, EXPERIMENT], ...signedInProject },
    { name: 'cameras', testMatch: CAMERAS, ...signedInProject },
    ...(isExperiment ? [{ name: 'experiment', testMatch: EXPERIMENT, ...signedInProject }] : []),
  ],
  webServer: {
    command: `node scripts/start.mjs --fresh --port ${port} --data ${RESULTS_FOLDER}/data --visits none`,
    url: `http://localhost:${port}/`,
    timeout: scaleTimeout(120_000),
    reuseExistingServer: false,
    // Time for the supervisor to stop its processes, because an interrupted run must leave none behind.
    gracefulShutdown: { signal: 'SIGTERM', timeout: scaleTimeout(60_000) },
    stdout: 'pipe',
  },
})
