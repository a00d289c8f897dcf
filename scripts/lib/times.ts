import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Duration in seconds of each test file, divided by the slowness of the machine. `npm run test:all` records the
 * durations.
 */
export type TestDurations = Readonly<Record<string, number>>

const DURATIONS_FILE = 'tests/times.json'
const MIN_REPORTED_SECONDS = 5
const MAX_DURATION_GROWTH = 1.5

export function readTestDurations(root: string): TestDurations {
  const path = join(root, DURATIONS_FILE)
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as TestDurations) : {}
}

export function writeTestDurations(root: string, seconds: ReadonlyMap<string, number>, slownessFactor: number): void {
  const times = [...seconds]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([file, sum]) => [file, roundToTenths(sum / slownessFactor)])
  writeFileSync(join(root, DURATIONS_FILE), `${JSON.stringify(Object.fromEntries(times), null, 2)}\n`)
}

/**
 * Returns a line for each file whose duration, divided by `slownessFactor`, exceeds both 5 s and 1.5 times its recorded
 * duration.
 */
export function listSlowerFiles(
  durations: TestDurations,
  seconds: ReadonlyMap<string, number>,
  slownessFactor: number,
): string[] {
  return [...seconds].flatMap(([file, sum]) => {
    const [before, now] = [durations[file], sum / slownessFactor]
    return before !== undefined && now > MIN_REPORTED_SECONDS && now > before * MAX_DURATION_GROWTH
      ? [`slower: ${file} took ${roundToTenths(now)} s, up from ${roundToTenths(before)} s`]
      : []
  })
}

const roundToTenths = (seconds: number): number => Math.round(seconds * 10) / 10
