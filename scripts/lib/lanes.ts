import { BROWSER_RUN_FOLDERS } from './reports.ts'

/**
 * Experiment that is active in the second of two parallel Playwright runs (lanes). Specs that test this experiment run
 * there.
 */
export const SECOND_RUN_EXPERIMENT = 'annual-first'

/**
 * Name prefixes of the specs that must run in the first lane. They need either the default experiment of `npm start` or
 * pages that always show the same variant.
 */
export const FIRST_RUN_PREFIXES: readonly string[] = [
  'analytics',
  'axe',
  'bill',
  'browser',
  'cancellation',
  'card-page',
  'delete',
  'failed',
  'home',
  'license',
  'overview',
  'pass',
  'payment',
  'plans',
  'public',
  'purchase',
  'redeem',
  'routes',
  'shell',
]
const SECOND_RUN_PATTERN = /^experiment/
const DEFAULT_SPEC_SECONDS = 10

/** One Playwright run (lane) with its own instance of Porchlight. */
export interface PlaywrightRun {
  readonly folder: string
  /** Experiment of the run; null: the sample experiment of a plain `npm start`. */
  readonly experiment: string | null
  /** Names of files in tests/e2e. */
  readonly specs: readonly string[]
}

/** Distributes specs over two lanes of similar duration. `getSeconds` returns the recorded duration of a spec. */
export function planPlaywrightRuns(
  specs: readonly string[],
  getSeconds: (spec: string) => number | undefined,
): PlaywrightRun[] {
  const runs = BROWSER_RUN_FOLDERS.map((folder, at) => ({
    folder,
    experiment: at === 1 ? SECOND_RUN_EXPERIMENT : null,
    specs: [] as string[],
  }))
  const secondsByRun = runs.map(() => 0)
  const estimateSeconds = (spec: string) => getSeconds(spec) ?? DEFAULT_SPEC_SECONDS
  const addSpec = (spec: string, at: number) => {
    runs[at]?.specs.push(spec)
    secondsByRun[at] = (secondsByRun[at] ?? 0) + estimateSeconds(spec)
  }
  const findRunIndex = (spec: string) =>
    SECOND_RUN_PATTERN.test(spec) ? 1 : FIRST_RUN_PREFIXES.some((name) => spec.startsWith(name)) ? 0 : null
  for (const spec of specs) {
    const runIndex = findRunIndex(spec)
    if (runIndex !== null) addSpec(spec, runIndex)
  }
  const unassigned = specs
    .filter((spec) => findRunIndex(spec) === null)
    .sort((a, b) => estimateSeconds(b) - estimateSeconds(a))
  for (const spec of unassigned) addSpec(spec, (secondsByRun[0] ?? 0) <= (secondsByRun[1] ?? 0) ? 0 : 1)
  return runs.filter(({ specs: own }) => own.length > 0)
}
