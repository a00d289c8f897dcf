import { defineConfig } from 'vitest/config'

const node = (name: string, include: string, extra: object = {}) => ({
  test: { name, include: [include], environment: 'node', ...extra },
})
/** Worker suites start real Workers per file: few at a time, with time to start on two cores. */
const workers = { testTimeout: 30_000, hookTimeout: 60_000 }

export default defineConfig({
  test: {
    maxWorkers: 3,
    reporters: ['default'],
    projects: [
      node('unit', 'tests/unit/**/*.test.ts'),
      { test: { name: 'stores', include: ['tests/stores/**/*.test.{ts,tsx}'], environment: 'jsdom' } },
      node('edge', 'tests/edge/**/*.test.ts', workers),
      node('provider', 'tests/provider/**/*.test.ts', workers),
      node('bridge', 'tests/bridge/**/*.test.ts', workers),
      node('scripts', 'tests/scripts/**/*.test.ts', workers),
    ],
  },
})
