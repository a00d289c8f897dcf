/** Projects of vitest.config.ts, in the order of that file. */
export const VITEST_PROJECTS = ['unit', 'stores', 'stores-alone', 'edge', 'provider', 'bridge', 'scripts'] as const
export type VitestProject = (typeof VITEST_PROJECTS)[number]

/**
 * Areas of the long tests. Long tests start whole programs, end processes, send many concurrent requests or wait in
 * real time.
 */
type LongTestArea = 'bridge' | 'scripts' | 'ledger'
const LONG_TEST_AREAS: readonly LongTestArea[] = ['bridge', 'scripts', 'ledger']

export interface TestPlan {
  /** Options of `npm run check`; null: the check does not run. */
  readonly check: readonly string[] | null
  /** Vitest projects that run all of their tests. */
  readonly projects: readonly VitestProject[]
  /** Areas whose long tests run (tests/support/tier.ts), or `all`. */
  readonly tier: readonly (LongTestArea | 'all')[]
  /** Vitest projects that run only the files with a test for a requirement row. */
  readonly rowsOnly: readonly VitestProject[]
  /** Changed files. Vitest projects outside of `projects` run the tests that import one of these files. */
  readonly related: readonly string[]
  /** Browser tests to run: `none`, `all`, or names of files in tests/e2e. */
  readonly browser: 'none' | 'all' | readonly string[]
}

const EMPTY_PLAN: TestPlan = { check: null, projects: [], tier: [], rowsOnly: [], related: [], browser: 'none' }
const FULL_PLAN: TestPlan = {
  ...EMPTY_PLAN,
  check: [],
  projects: VITEST_PROJECTS,
  tier: LONG_TEST_AREAS,
  browser: 'all',
}

/** A change of these files can affect any test. */
const COMMON_SOURCES = [
  /^(package-lock\.json|package\.json|\.npmrc)$/,
  /^(contract|scripts|tests\/support)\//,
  /^[^/]+\.config\.(ts|mjs)$|^(tsconfig|knip)\.json$|(^|\/)wrangler\.toml$/,
  /^\.ci\//,
]

/**
 * Files that the long tests of each area cover. `npm test` runs these tests only if such a file or one of
 * `COMMON_SOURCES` changed, because they take minutes.
 */
const LONG_TEST_SOURCES: Readonly<Record<LongTestArea, readonly RegExp[]>> = {
  bridge: [/^(bridge|scenes|tests\/bridge)\//, /^provider\/(bridge|live)\//],
  scripts: [/^(tests\/scripts|\.github|provider\/migrations)\//, /^docs\/(requirements|operations)\.md$/],
  ledger: [/^provider\/billing\/(ledger|pricing|payment)\//],
}

/** Sources that provider tests execute: the Workers, the bridge, and a few modules of pages that the tests import. */
const PROVIDER_TEST_SOURCES = [
  /^(provider|functions|bridge|scenes|tests\/provider)\//,
  /^src\/(domain|api|early|services|stores\/(events|home))\//,
  /^docs\/describers\.md$/,
]

const matchesAny = (patterns: readonly RegExp[]) => (file: string) => patterns.some((pattern) => pattern.test(file))

/** Returns the plan of `npm run test:all`. */
export const planAll = (): TestPlan => ({ ...FULL_PLAN, check: ['--all'], tier: ['all'] })

/**
 * Returns the plan of `npm test`: all tests except the long tests of unchanged areas. If the sources of the `provider`,
 * `bridge` or `scripts` project are unchanged, the project runs only test files that prove a requirement row.
 * `changed`: null if unknown; then no area counts as unchanged.
 */
export function planRequired(changed: readonly string[] | null): TestPlan {
  if (changed === null || changed.some(matchesAny(COMMON_SOURCES))) return FULL_PLAN
  const longTestAreas = LONG_TEST_AREAS.filter((area) => changed.some(matchesAny(LONG_TEST_SOURCES[area])))
  // The long tests of the ledger area are files of the scripts project.
  const isCovered = {
    provider: changed.some(matchesAny(PROVIDER_TEST_SOURCES)),
    bridge: includesWord(longTestAreas, 'bridge'),
    scripts: includesWord(longTestAreas, 'scripts') || includesWord(longTestAreas, 'ledger'),
  }
  const rowsOnly = (['provider', 'bridge', 'scripts'] as const).filter((project) => !isCovered[project])
  const projects = VITEST_PROJECTS.filter((project) => !includesWord(rowsOnly, project))
  return { ...FULL_PLAN, check: ['--changed'], projects, tier: longTestAreas, rowsOnly }
}

/** Folders, and the Vitest projects whose tests use them over HTTP. No import reveals this dependency. */
const HTTP_TESTED_FOLDERS: readonly (readonly [folder: RegExp, projects: readonly VitestProject[]])[] = [
  [/^functions\//, ['edge']],
  [/^provider\//, ['provider', 'edge']],
  [/^(bridge|scenes)\//, ['bridge']],
]
/** A change of these files can affect any page. */
const PAGE_SOURCES = /^(src|public|functions|provider|bridge|scenes)\//
const SPEC_FILE_PATTERN = /^tests\/e2e\/([\w-]+\.(?:spec|setup|teardown)\.ts)$/

/**
 * Returns the plan of `npm test -- --changed`: tests that import a changed file or reach it over HTTP, and the long
 * tests and browser tests that the change can affect. Returns the full plan if `changed` is null (unknown) or contains
 * one of `COMMON_SOURCES`.
 */
export function planChanged(changed: readonly string[] | null): TestPlan {
  if (changed === null || changed.some(matchesAny(COMMON_SOURCES))) return FULL_PLAN
  const reachedProjects = changed.flatMap(
    (file) => HTTP_TESTED_FOLDERS.find(([folder]) => folder.test(file))?.[1] ?? [],
  )
  const specs = changed.flatMap((file) => SPEC_FILE_PATTERN.exec(file)?.[1] ?? [])
  return {
    check: ['--changed'],
    rowsOnly: [],
    projects: VITEST_PROJECTS.filter((project) => includesWord(reachedProjects, project)),
    tier: LONG_TEST_AREAS.filter((area) => changed.some(matchesAny(LONG_TEST_SOURCES[area]))),
    related: changed.filter((file) => /\.tsx?$/.test(file) && !SPEC_FILE_PATTERN.test(file)),
    browser: changed.some((file) => PAGE_SOURCES.test(file)) ? 'all' : specs.length > 0 ? specs : 'none',
  }
}

/**
 * Returns the plan of `npm test -- check vitest e2e` for the named parts; null if `words` is empty or a word names no
 * part.
 */
export function planParts(words: readonly string[]): TestPlan | null {
  if (words.length === 0 || !words.every((word) => ['check', 'vitest', 'e2e'].includes(word))) return null
  return {
    ...EMPTY_PLAN,
    check: words.includes('check') ? [] : null,
    projects: words.includes('vitest') ? VITEST_PROJECTS : [],
    tier: words.includes('vitest') ? LONG_TEST_AREAS : [],
    browser: words.includes('e2e') ? 'all' : 'none',
  }
}

const includesWord = (list: readonly string[], word: string): boolean => list.includes(word)
