/**
 * Areas whose long tests run: `all`, or a comma-separated list; none by default. `npm test` sets the areas that a
 * change affects. `npm run test:all`, and `npm test` with a part of a file name or title, set `all`.
 */
const testTiers = (process.env['TEST_TIER'] ?? '').split(',')
export const areAllTestsIncluded = testTiers.includes('all')

/**
 * Long test files by area. They start whole programs, kill processes, send floods of requests, or wait in real time.
 */
const LONG_TEST_FILES = {
  bridge: [
    'tests/provider/bridge/detection-coverage-faults.test.ts',
    'tests/provider/bridge/bridge-reconnection.test.ts',
    'tests/provider/platform/sockets/socket-limits.test.ts',
    'tests/scripts/rtsp-camera-start.test.ts',
  ],
  scripts: [
    'tests/scripts/supervisor.test.ts',
    'tests/scripts/backup/restored-folder.test.ts',
    'tests/scripts/tls-proxy.test.ts',
    'tests/scripts/lan-access.test.ts',
    'tests/scripts/installed-package.test.ts',
    'tests/scripts/lan-attacks.test.ts',
    'tests/scripts/lan-floods.test.ts',
    'tests/scripts/preview.test.ts',
    'tests/scripts/lib/preview-bridge.test.ts',
    'tests/scripts/deployment-dry-runs.test.ts',
  ],
  /** Runs only if the areas are `all`, because `npm test` never sets this area. */
  fuzz: ['tests/bridge/parser-fuzzing.test.ts'],
  ledger: ['tests/scripts/checkout-crashes.test.ts', 'tests/scripts/renewal-crashes.test.ts'],
} as const

export const EXCLUDED_FILES: readonly string[] = Object.entries(LONG_TEST_FILES).flatMap(([area, files]) =>
  areAllTestsIncluded || testTiers.includes(area) ? [] : files,
)

/** Returns `all` if `TEST_TIER` contains `all`, otherwise `reduced`. Limits the number of cases of long tests. */
export const selectByTestTier = <T>(reduced: T, all: T): T => (areAllTestsIncluded ? all : reduced)
