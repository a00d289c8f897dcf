import { defineConfig } from 'playwright/test'
import { browserOptions } from '../../../scripts/tools.mjs'
import { RESULTS } from '../results.ts'
import suite from '../../../playwright.config.ts'

/** Applies the browser suite's rules to problems of every kind, without a Porchlight. */
export default defineConfig({
  testDir: '.',
  testMatch: 'faults.ts',
  outputDir: `${RESULTS}/e2e`,
  ...{
    workers: 1,
    reporter: [['json', { outputFile: `${RESULTS}/e2e.json` }]],
    use: { launchOptions: browserOptions() },
  },
  ...(suite.retries === undefined ? {} : { retries: suite.retries }),
})
