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
import { startSystem } from './system.ts'

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

const root = new URL('../..', import.meta.url).pathname
const data = mkdtempSync(join(tmpdir(), 'porchlight-bench-'))
const figures: Figure[] = []
let busy = Number.NaN

try {
  const first = await startSystem(root, data, ['--fresh'])
  figures.push({ what: 'start: first, packages installed', value: first.seconds, unit: 's', goal: 90, bound: 'max' })
  await first.stop()
  const system = await startSystem(root, data, [])
  figures.push({ what: 'start: next', value: system.seconds, unit: 's', goal: 15, bound: 'max' })
  busy = await untilQuiet()
  figures.push(...(await measureLive(system)), ...(await measureEvents(system)), ...(await measureEdge(system, data)))
  figures.push(...(await measureArrival(system)), ...(await measureEventPage(system, data)))
  // The home holds 10,000 events by now.
  figures.push(...(await measureFirstLook(system)))
  figures.push(...(await measureRecovery(system, data)), ...measureEventLists(), ...measurePages(root))
  figures.push(...(await measureSearch(system, data)), ...(await measureSearchQuality()))
  await system.stop()
  const eight = await startSystem(root, data, ['--fresh', '--virtual', '9'])
  await untilQuiet()
  figures.push(...(await measureEight(eight)))
  await eight.stop()
} finally {
  rmSync(data, { recursive: true, force: true })
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
