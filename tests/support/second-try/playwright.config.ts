import { defineConfig } from 'playwright/test'
import { browserOptions } from '../../../scripts/tools.mjs'
import { RESULTS_FOLDER } from '../results.ts'
import suite from '../../../playwright.config.ts'

/** Applies the retry rules of the browser suite to the problems in `faults.ts`, without starting Porchlight. */
export default defineConfig({
  testDir: '.',
  testMatch: 'faults.ts',
  outputDir: `${RESULTS_FOLDER}/e2e`,
  workers: 1,
  reporter: [['json', { outputFile: `${RESULTS_FOLDER}/e2e.json` }]],
  use: { launchOptions: browserOptions() },
  ...(suite.retries === undefined ? {} : { retries: suite.retries }),
})
