import { LANE_FOLDERS } from './reports.ts'

/** Experiment that the second lane runs with, for the specs that test this experiment. */
export const EXPERIMENT = 'annual-first'

/**
 * Beginnings of the names of specs that need a fixed variant of the pages, or the experiment of a plain `npm start`;
 * these specs run in the first lane.
 */
export const FIRST_LANE_SPECS: readonly string[] = [
  ...['analytics', 'axe', 'bill', 'browser', 'cancellation', 'card-page', 'delete', 'failed', 'home', 'license'],
  ...['overview', 'pass', 'payment', 'plans', 'public', 'purchase', 'redeem', 'routes', 'shell'],
]
const SECOND = /^experiment/
/** Estimate for a spec without a recorded duration. */
const UNKNOWN_SECONDS = 10

/** One Playwright run with its own instance of Porchlight. */
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
    experiment: at === 1 ? EXPERIMENT : null,
    specs: [] as string[],
  }))
  const loads = lanes.map(() => 0)
  const need = (spec: string) => seconds(spec) ?? UNKNOWN_SECONDS
  const put = (spec: string, at: number) => {
    lanes[at]?.specs.push(spec)
    loads[at] = (loads[at] ?? 0) + need(spec)
  }
  const findLane = (spec: string) =>
    SECOND.test(spec) ? 1 : FIRST_LANE_SPECS.some((name) => spec.startsWith(name)) ? 0 : null
  for (const spec of specs) {
    const lane = findLane(spec)
    if (lane !== null) put(spec, lane)
  }
  const free = specs.filter((spec) => findLane(spec) === null).sort((a, b) => need(b) - need(a))
  for (const spec of free) put(spec, (loads[0] ?? 0) <= (loads[1] ?? 0) ? 0 : 1)
  return lanes.filter(({ specs: own }) => own.length > 0)
}
