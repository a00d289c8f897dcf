import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Seconds of each test file, divided by the machine factor. `npm run test:all` writes them. */
export type Times = Readonly<Record<string, number>>

const FILE = 'tests/times.json'
/** Minimum duration of a file that is reported as slower. */
const NOTABLE_SECONDS = 5
const MAX_GROWTH = 1.5

export function readTestDurations(root: string): Times {
  const path = join(root, FILE)
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Times) : {}
}

export function writeTimes(root: string, seconds: ReadonlyMap<string, number>, factor: number): void {
  const times = [...seconds].sort(([a], [b]) => a.localeCompare(b)).map(([file, sum]) => [file, tenths(sum / factor)])
  writeFileSync(join(root, FILE), `${JSON.stringify(Object.fromEntries(times), null, 2)}\n`)
}

/** Returns a line for each file that takes more than 1.5 times its recorded duration. */
export function slower(times: Times, seconds: ReadonlyMap<string, number>, factor: number): string[] {
  return [...seconds].flatMap(([file, sum]) => {
    const [before, now] = [times[file], sum / factor]
    return before !== undefined && now > NOTABLE_SECONDS && now > before * MAX_GROWTH
      ? [`slower: ${file} took ${tenths(now)} s, ${tenths(before)} s before`]
      : []
  })
}

const tenths = (seconds: number): number => Math.round(seconds * 10) / 10
