/**
 * `npm run bench`: measures all figures on its own system; prints JSON and a table, and updates docs/benchmarks.md.
 * `npm run bench -- --faults [rounds]`: checks the fault promises with this number of kills (100); counts cases tried
 * and held.
 * `npm run bench -- --load [seconds]`: 50 hostile guests beside 4 owners who watch; each stage takes this time (30).
 * `npm run bench -- --renewals [n]`: charges n (1,000) renewals on a test clock while the provider is killed.
 * `npm run bench -- --money [n]`: n (1,000) checkouts while portal and provider are killed; checks every cent.
 * `npm run bench -- --measured`: main-thread blocking time of pages with analytics, compared with pages without.
 * `npm run bench -- --search`: speed of searches in 100,000 and 1,000,000 clips, and quality of their results.
 * `npm run bench -- --sinks [seconds]`: 1,000 analytics events per second and reports for this time (10), beside calls
 * and live view.
 * Numbers in parentheses are defaults.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { measureArrival } from './arrival.ts'
import { closeBrowsers } from './browser.ts'
import { machine, writeSection } from './document.ts'
import { measureEdge } from './edge.ts'
import { measureEventLists } from './event-lists.ts'
import { measureEventPage } from './event-page.ts'
import { measureEvents } from './events.ts'
import { promisesTable, tryPromises } from './faults.ts'
import type { Figure } from './figure.ts'
import { measureFirstLook } from './first-look.ts'
import { measureLatency } from './latency.ts'
import { measureLargestPaints } from './largest-paint.ts'
import { measureEight, measureLive } from './live.ts'
import { measureLoad } from './load.ts'
import { measureMoney, moneyHolds, moneyTable } from './money.ts'
import { measureMeasuring } from './measured-pages.ts'
import { measurePages } from './pages.ts'
import { untilQuiet } from './quiet.ts'
import { measureRecovery } from './recovery.ts'
import { measureRenewals, renewalsHold, renewalTable } from './renewals.ts'
import { measureSameTime } from './same-time.ts'
import { measureSearchQuality } from './search-quality.ts'
import { measureSearch } from './search.ts'
import { measureWorstSearch } from './search-worst.ts'
import { measureShop } from './shop.ts'
import { measureSinks } from './sinks.ts'
import { startSystem, type System } from './system.ts'
import { measureWaterfalls } from './waterfalls.ts'

const root = new URL('../..', import.meta.url).pathname
const readOption = (option: string, usual: number): number | null => {
  const at = process.argv.indexOf(option)
  return at < 0 ? null : Number(process.argv[at + 1] ?? usual)
}

const rounds = readOption('--faults', 100)
if (rounds !== null) {
  const promises = await tryPromises(root, rounds)
  writeSection(root, 'Faults', promisesTable(promises))
  console.log(promisesTable(promises))
  process.exit(promises.every(({ tried: attempts, held }) => attempts === held) ? 0 : 1)
}
const seconds = readOption('--load', 30)
if (seconds !== null) {
  const { table, holds } = await measureLoad(root, seconds)
  writeSection(root, 'Load', table)
  console.log(table)
  process.exit(holds ? 0 : 1)
}

const measuring = readOption('--sinks', 10)
if (measuring !== null) {
  const { table, holds } = await measureSinks(root, measuring)
  writeSection(root, 'Sinks', table)
  console.log(table)
  process.exit(holds ? 0 : 1)
}

if (process.argv.includes('--measured')) {
  const { table, holds } = await measureMeasuring(root)
  writeSection(root, 'Measured pages', table)
  console.log(table)
  process.exit(holds ? 0 : 1)
}

const checkouts = readOption('--money', 1000)
if (checkouts !== null) {
  const verdict = await measureMoney(checkouts, Math.ceil(checkouts / 10))
  writeSection(root, 'Money', moneyTable(verdict))
  console.log(JSON.stringify({ date: new Date().toISOString(), machine, ...verdict }, null, 2))
  console.log(`\n${moneyTable(verdict)}`)
  process.exit(moneyHolds(verdict) ? 0 : 1)
}

const renewals = readOption('--renewals', 1000)
if (renewals !== null) {
  const verdict = await measureRenewals(renewals, Math.ceil(renewals / 10))
  writeSection(root, 'Renewals', renewalTable(verdict))
  console.log(JSON.stringify({ date: new Date().toISOString(), machine, ...verdict }, null, 2))
  console.log(`\n${renewalTable(verdict)}`)
  process.exit(renewalsHold(verdict) ? 0 : 1)
}

/** Timeout of one measurement, ms. */
const STEP_MS = 360_000
const data = mkdtempSync(join(tmpdir(), 'porchlight-bench-'))
const figures: Figure[] = []
/** Highest CPU load in the second before any measurement, 0 to 1. */
let busy = 0
const startedAt = performance.now()
const waterfalls: string[] = []
const running: { system?: System } = {}

const isSearch = process.argv.includes('--search')
try {
  await (isSearch ? measureSearches() : measureAll())
} finally {
  await running.system?.stop()
  rmSync(data, { recursive: true, force: true })
}

async function measureSearches(): Promise<void> {
  const system = await start('--fresh')
  await step('search', () => measureSearch(system, data))
  await step('what a search finds', () => measureSearchQuality())
  await step('dear searches', () => measureWorstSearch())
}

async function measureAll(): Promise<void> {
  const first = await start('--fresh')
  figures.push({ what: 'start: first, packages installed', value: first.seconds, unit: 's', goal: 90, bound: 'max' })
  await first.stop()
  const system = await start()
  figures.push({ what: 'start: next', value: system.seconds, unit: 's', goal: 15, bound: 'max' })
  await step('live', () => measureLive(system))
  // Events arrive at random times, so an idle page waits for them while the next measurements run.
  const arrival = measureArrival(system)
  arrival.catch(() => undefined)
  await step('waterfalls', async () => {
    waterfalls.push(...(await measureWaterfalls(system)))
    return []
  })
  await step('clips', () => measureEvents(system))
  await step('the same time', () => measureSameTime(system))
  await step('the edge', () => measureEdge(system, data))
  await step('arrival of events', () => arrival)
  await step('the events page', () => measureEventPage(system, data))
  // `measureEventPage` has filled the home with events: it now holds 10,000.
  await step('first looks', () => measureFirstLook(system))
  await step('largest paints', () => measureLargestPaints(system))
  await step('the shop', () => measureShop(system))
  await step('recovery', () => measureRecovery(system, data))
  await step('lists and pages', async () => [...(await measureEventLists()), ...measurePages(root)])
  await system.stop()
  await step('the way of a picture', () => measureLatency(root))
  const eight = await start('--fresh', '--virtual', '9')
  await step('eight tiles', () => measureEight(eight))
}

async function start(...args: string[]): Promise<System> {
  return (running.system = await startSystem(root, data, args))
}

/**
 * Adds the figures of a measurement. If one fails or times out, it is reported as not measured and the others continue.
 */
async function step(name: string, measure: () => Figure[] | Promise<Figure[]>): Promise<void> {
  busy = Math.max(busy, await untilQuiet())
  const at = performance.now()
  console.error(`Measuring ${name} ...`)
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`Measuring ${name} did not end in time.`)), STEP_MS)
  try {
    figures.push(...(await Promise.race([measure(), late.promise])))
  } catch (error) {
    console.error(error)
    await closeBrowsers()
    const [why = ''] = String(error).split('\n')
    figures.push({ what: `${name}: ${why}`, value: Number.NaN, unit: '', goal: 0, bound: 'max' })
  } finally {
    clearTimeout(timer)
  }
  console.error(`... ${Math.round((performance.now() - at) / 1000)} s`)
}

const table = [
  '| what | measured | goal | floor | times the floor | |',
  '|---|---|---|---|---|---|',
  ...figures.map((f) => {
    const floor = f.floor === undefined ? ' | ' : `${round(f.floor)} ${f.unit} | ${round(f.value / f.floor)}`
    const goal = `${f.bound === 'max' ? '≤' : '≥'} ${f.goal}`
    return `| ${f.what} | ${round(f.value)} ${f.unit} | ${goal} | ${floor} | ${holds(f) ? 'holds' : '**missed**'} |`
  }),
].join('\n')
const minutes = (performance.now() - startedAt) / 60_000
const load = `${Math.round(busy * 100)} % busy at most before a measurement; ${minutes.toFixed(1)} minutes in all`
writeSection(root, isSearch ? 'Search' : 'Figures', `${load}.\n\n${table}`)
if (waterfalls.length > 0) writeSection(root, 'Waterfalls', waterfalls.join('\n\n'))
console.log(JSON.stringify({ date: new Date().toISOString(), machine, load, figures }, null, 2))
console.log(`\n${table}`)

function holds(figure: Figure): boolean {
  return figure.bound === 'max' ? figure.value <= figure.goal : figure.value >= figure.goal
}

function round(value: number): string {
  return Number.isFinite(value) ? String(Math.round(value * 100) / 100) : 'not measured'
}
