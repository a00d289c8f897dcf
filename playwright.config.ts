import { defineConfig } from 'playwright/test'
import { browserOptions } from './scripts/tools.mjs'
import { TIME_ZONE } from './tests/support/time-zone.ts'

/** `npm test` gives each run a port of its own, so that two of them do not meet. */
const port = Number(process.env['E2E_PORT'] ?? 9870)

/** The browser suite runs against the real thing: portal, provider and bridge under the supervisor of `npm start`. */
export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results/e2e',
  timeout: 60_000,
  expect: { timeout: 15_000 },
  workers: 1,
  forbidOnly: true,
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
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
    { name: 'chromium', testMatch: '**/*.spec.ts', dependencies: ['sign-in'] },
  ],
  webServer: {
    command: `node scripts/start.mjs --fresh --port ${port} --data test-results/data`,
    url: `http://localhost:${port}/`,
    timeout: 120_000,
    reuseExistingServer: false,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 15_000 },
    stdout: 'pipe',
  },
})
