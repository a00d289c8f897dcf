import { defineConfig } from 'vitest/config'

const node = (name: string, include: string, extra: object = {}) => ({
  test: { name, include: [include], environment: 'node', ...extra },
})
/** No limit is met by a machine that is merely busy. Worker suites start real Workers per file, three files at a time. */
const patient = { testTimeout: 60_000, hookTimeout: 180_000 }
const workers = {
  ...{ testTimeout: 120_000, hookTimeout: 180_000 },
  globalSetup: 'tests/support/ground.setup.ts',
  setupFiles: 'tests/support/stages.setup.ts',
}

export default defineConfig({
  test: {
    maxWorkers: 3,
    reporters: ['default'],
    projects: [
      node('unit', 'tests/unit/**/*.test.ts', patient),
      { test: { name: 'stores', include: ['tests/stores/**/*.test.{ts,tsx}'], environment: 'jsdom', ...patient } },
      node('edge', 'tests/edge/**/*.test.ts', workers),
      node('provider', 'tests/provider/**/*.test.ts', workers),
      node('bridge', 'tests/bridge/**/*.test.ts', workers),
      node('scripts', 'tests/scripts/**/*.test.ts', workers),
    ],
  },
})
