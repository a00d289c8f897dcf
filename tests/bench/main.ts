/**
 * `npm run bench`: the figures, measured on a system of its own, as JSON, as a table and in docs/benchmarks.md.
 * `npm run bench -- --faults [rounds]`: instead, kills bridge and provider that often (100) and says how many rounds were
 * tried and whether all that was acknowledged is there.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { arch, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { measureArrival } from './arrival.ts'
import { measureEdge } from './edge.ts'
import { measureEventLists } from './event-lists.ts'
import { measureEventPage } from './event-page.ts'
import { measureEvents } from './events.ts'
import { measureFirstLook } from './first-look.ts'
import { killRounds } from './kill-rounds.ts'
import { measureEight, measureLive } from './live.ts'
import { measurePages } from './pages.ts'
import { untilQuiet } from './quiet.ts'
import { measureRecovery } from './recovery.ts'
import { measureSearchQuality } from './search-quality.ts'
import { measureSearch } from './search.ts'
import { startSystem, type System } from './system.ts'

/** One figure beside the goal it is held against. */
export interface Figure {
  readonly what: string
  readonly value: number
  readonly unit: string
  readonly goal: number
  /** Whether small is good ('max': the goal is an upper bound) or large ('min'). */
  readonly bound: 'max' | 'min'
}

const faults = process.argv.indexOf('--faults')
if (faults > 0) {
  const { sentence, holds } = await killRounds(Number(process.argv[faults + 1] ?? 100))
  console.log(sentence)
  process.exit(holds ? 0 : 1)
}

/** No measurement takes longer. */
const STEP_MS = 360_000
const root = new URL('../..', import.meta.url).pathname
const data = mkdtempSync(join(tmpdir(), 'porchlight-bench-'))
const figures: Figure[] = []
let busy = Number.NaN
const running: { system?: System } = {}

try {
  const first = await start('--fresh')
  figures.push({ what: 'start: first, packages installed', value: first.seconds, unit: 's', goal: 90, bound: 'max' })
  await first.stop()
  const system = await start()
  figures.push({ what: 'start: next', value: system.seconds, unit: 's', goal: 15, bound: 'max' })
  busy = await untilQuiet()
  await step('live', () => measureLive(system))
  await step('clips', () => measureEvents(system))
  await step('the edge', () => measureEdge(system, data))
  await step('arrival of events', () => measureArrival(system))
  await step('the events page', () => measureEventPage(system, data))
  // The home holds 10,000 events by now.
  await step('first looks', () => measureFirstLook(system))
  await step('recovery', () => measureRecovery(system, data))
  await step('lists and pages', () => [...measureEventLists(), ...measurePages(root)])
  await step('search', () => measureSearch(system, data))
  await step('what a search finds', () => measureSearchQuality())
  await system.stop()
  const eight = await start('--fresh', '--virtual', '9')
  await untilQuiet()
  await step('eight tiles', () => measureEight(eight))
} finally {
  await running.system?.stop()
  rmSync(data, { recursive: true, force: true })
}

async function start(...args: string[]): Promise<System> {
  return (running.system = await startSystem(root, data, args))
}

/** Adds what a measurement has found. Throws when it does not end. */
async function step(name: string, measure: () => Figure[] | Promise<Figure[]>): Promise<void> {
  console.error(`Measuring ${name} ...`)
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`Measuring ${name} did not end in time.`)), STEP_MS)
  try {
    figures.push(...(await Promise.race([measure(), late.promise])))
  } finally {
    clearTimeout(timer)
  }
}

const table = [
  '| what | measured | goal | |',
  '|---|---|---|---|',
  ...figures.map(
    (f) =>
      `| ${f.what} | ${round(f.value)} ${f.unit} | ${f.bound === 'max' ? '≤' : '≥'} ${f.goal} | ${holds(f) ? 'holds' : '**missed**'} |`,
  ),
].join('\n')
const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, ${process.platform} ${arch()}, Node ${process.version}`
const load = `${Math.round(busy * 100)} % busy before the measurements`
const report = { date: new Date().toISOString(), machine, load, figures }
writeFileSync(
  join(root, 'docs/benchmarks.md'),
  `# Benchmarks\n\nThe last run of \`npm run bench\`: ${report.date.slice(0, 10)}, ${machine}; ${load}.\n\n${table}\n`,
)
console.log(JSON.stringify(report, null, 2))
console.log(`\n${table}`)

function holds(figure: Figure): boolean {
  return figure.bound === 'max' ? figure.value <= figure.goal : figure.value >= figure.goal
}

function round(value: number): string {
  return Number.isFinite(value) ? String(Math.round(value * 100) / 100) : 'not measured'
}
