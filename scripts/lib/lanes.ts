import { LANE_FOLDERS } from './reports.ts'

/**
 * Experiment that is active in the second of two parallel Playwright runs (lanes). Specs that test this experiment run
 * there.
 */
export const SECOND_LANE_EXPERIMENT = 'annual-first'

/**
 * Name prefixes of the specs that must run in the first lane. They need either the default experiment of `npm start` or
 * pages that always show the same variant.
 */
export const FIRST_LANE_SPECS: readonly string[] = [
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
const SECOND_LANE_SPECS = /^experiment/
const DEFAULT_SPEC_SECONDS = 10

/** One Playwright run (lane) with its own instance of Porchlight. */
export interface PlaywrightRun {
  readonly folder: string
  /** Experiment of the run; null: the sample experiment of a plain `npm start`. */
  readonly experiment: string | null
  /** Names of files in tests/e2e. */
  readonly specs: readonly string[]
}

/** Distributes specs over two lanes of similar duration. `seconds` returns the recorded duration of a spec. */
export function planLanes(specs: readonly string[], seconds: (spec: string) => number | undefined): PlaywrightRun[] {
  const lanes = LANE_FOLDERS.map((folder, at) => ({
    folder,
    experiment: at === 1 ? SECOND_LANE_EXPERIMENT : null,
    specs: [] as string[],
  }))
  const loads = lanes.map(() => 0)
  const estimateSeconds = (spec: string) => seconds(spec) ?? DEFAULT_SPEC_SECONDS
  const addSpec = (spec: string, at: number) => {
    lanes[at]?.specs.push(spec)
    loads[at] = (loads[at] ?? 0) + estimateSeconds(spec)
  }
  const findLane = (spec: string) =>
    SECOND_LANE_SPECS.test(spec) ? 1 : FIRST_LANE_SPECS.some((name) => spec.startsWith(name)) ? 0 : null
  for (const spec of specs) {
    const lane = findLane(spec)
    if (lane !== null) addSpec(spec, lane)
  }
  const unassigned = specs
    .filter((spec) => findLane(spec) === null)
    .sort((a, b) => estimateSeconds(b) - estimateSeconds(a))
  for (const spec of unassigned) addSpec(spec, (loads[0] ?? 0) <= (loads[1] ?? 0) ? 0 : 1)
  return lanes.filter(({ specs: own }) => own.length > 0)
}
