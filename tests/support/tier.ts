/**
 * Long tests to run: `all`, or a comma-separated list of areas; none by default. `npm test` sets the areas that a change
 * affects, `npm run test:all` sets `all`.
 */
const tiers = (process.env['TEST_TIER'] ?? '').split(',')
export const isWhole = tiers.includes('all')

/**
 * Long test files by area. They start whole programs, kill processes, send floods of requests, or wait in real time.
 */
const LONG = {
  bridge: [
    'tests/provider/bridge/detection-coverage-faults.test.ts',
    'tests/provider/bridge/bridge-reconnection.test.ts',
    'tests/provider/platform/sockets/socket-limits.test.ts',
    'tests/scripts/rtsp-camera-start.test.ts',
  ],
  scripts: [
    'tests/scripts/supervisor.test.ts',
    'tests/scripts/tls-proxy.test.ts',
    'tests/scripts/preview.test.ts',
    'tests/scripts/lib/preview-bridge.test.ts',
    'tests/scripts/deployment-dry-runs.test.ts',
  ],
  /** Only in `npm run test:all`. */
  fuzz: ['tests/bridge/parser-fuzzing.test.ts'],
  ledger: ['tests/scripts/checkout-crashes.test.ts', 'tests/scripts/renewal-crashes.test.ts'],
} as const

export const leftOut: readonly string[] = Object.entries(LONG).flatMap(([area, files]) =>
  isWhole || tiers.includes(area) ? [] : files,
)

/** Returns the extent of a long test: `all` in `npm run test:all`, `few` in other runs. */
export const selectExtent = <T>(few: T, all: T): T => (isWhole ? all : few)
