/**
 * `npm run bench`: measures all figures except those of the options below on a new system, prints JSON and a table,
 * and updates docs/benchmarks.md.
 * `npm run bench -- --faults [rounds=100]`: checks the fault guarantees with this number of kills.
 * `npm run bench -- --load [seconds=30]`: runs 50 hostile guests while four browsers of the owner play
 * live video. Each stage takes `seconds`.
 * `npm run bench -- --renewals [n=1000]`: charges n renewals on a test clock while the provider is killed.
 * `npm run bench -- --money [n=1000]`: runs n checkouts while portal and provider are killed, and checks every cent.
 * `npm run bench -- --measured`: compares the main-thread blocking time of pages with and without analytics.
 * `npm run bench -- --search`: measures the speed of searches in 100,000 and 1,000,000 clips, and their quality.
 * `npm run bench -- --sinks [seconds=10]`: sends 1,000 analytics events per second and requests analytics reports
 * during calls and live view.
 * `npm run bench -- --homes [n=1000]`: creates n homes with 1,000 events each, and visits their pages with up to 200
 * sessions.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { measureEventArrival } from './arrival.ts'
import { closeBrowsers } from './browser.ts'
import { machineDescription, writeSection } from './document.ts'
import { measureEdgeOverhead } from './edge.ts'
import { measureEventLists } from './event-lists.ts'
import { measureEventPage } from './event-page.ts'
import { measureClips } from './events.ts'
import { formatGuarantees, checkGuarantees } from './faults.ts'
import type { Figure } from './figure.ts'
import { measureFirstScreens } from './first-screen.ts'
import { measureHomes } from './homes.ts'
import { measureLatency } from './latency.ts'
import { measureEightTiles, measureLive } from './live.ts'
import { measureLoad } from './load.ts'
import { measureMoney, hasNoMoneyMismatch, formatMoneyTable } from './money.ts'
import { measureAnalyticsCost } from './measured-pages.ts'
import { measurePageWeights } from './pages.ts'
import { waitForIdleCpu } from './idle-cpu.ts'
import { measureRecovery } from './recovery.ts'
import { measureRenewals, hasNoRenewalMismatch, formatRenewalTable } from './renewals.ts'
import { measureSyncedPlayback } from './synced-playback.ts'
import { measureSearchQuality } from './search-quality.ts'
import { measureSearch } from './search.ts'
import { measureExpensiveSearches } from './search-worst.ts'
import { measureShop } from './shop.ts'
import { measureTelemetryLoad } from './sinks.ts'
import { startSystem, type System } from './system.ts'
import { measureVisits } from './visits.ts'
import { measureWaterfalls } from './waterfalls.ts'

const root = new URL('../..', import.meta.url).pathname
const readOption = (option: string, defaultValue: number): number | null => {
  const at = process.argv.indexOf(option)
  return at < 0 ? null : Number(process.argv[at + 1] ?? defaultValue)
}

const faultRounds = readOption('--faults', 100)
if (faultRounds !== null) {
  const results = await checkGuarantees(root, faultRounds)
  writeSection(root, 'Faults', formatGuarantees(results))
  console.log(formatGuarantees(results))
  process.exit(results.every(({ attemptCount: attempts, heldCount: heldCount }) => attempts === heldCount) ? 0 : 1)
}
const loadTestSeconds = readOption('--load', 30)
if (loadTestSeconds !== null) {
  const { table, holds } = await measureLoad(root, loadTestSeconds)
  writeSection(root, 'Load', table)
  console.log(table)
  process.exit(holds ? 0 : 1)
}

const sinkSeconds = readOption('--sinks', 10)
if (sinkSeconds !== null) {
  const { table, holds } = await measureTelemetryLoad(root, sinkSeconds)
  writeSection(root, 'Sinks', table)
  console.log(table)
  process.exit(holds ? 0 : 1)
}

const homeCount = readOption('--homes', 1000)
if (homeCount !== null) {
  const { table, holds } = await measureHomes(homeCount)
  writeSection(root, 'Homes', table)
  console.log(table)
  process.exit(holds ? 0 : 1)
}

if (process.argv.includes('--measured')) {
  const { table, holds } = await measureAnalyticsCost(root)
  writeSection(root, 'Measured pages', table)
  console.log(table)
  process.exit(holds ? 0 : 1)
}

const checkoutCount = readOption('--money', 1000)
if (checkoutCount !== null) {
  const result = await measureMoney(checkoutCount, Math.ceil(checkoutCount / 10))
  writeSection(root, 'Money', formatMoneyTable(result))
  console.log(JSON.stringify({ date: new Date().toISOString(), machine: machineDescription, ...result }, null, 2))
  console.log(`\n${formatMoneyTable(result)}`)
  process.exit(hasNoMoneyMismatch(result) ? 0 : 1)
}

const renewalCount = readOption('--renewals', 1000)
if (renewalCount !== null) {
  const result = await measureRenewals(renewalCount, Math.ceil(renewalCount / 10))
  writeSection(root, 'Renewals', formatRenewalTable(result))
  console.log(JSON.stringify({ date: new Date().toISOString(), machine: machineDescription, ...result }, null, 2))
  console.log(`\n${formatRenewalTable(result)}`)
  process.exit(hasNoRenewalMismatch(result) ? 0 : 1)
}

const MEASUREMENT_TIMEOUT_MS = 360_000
const dataFolder = mkdtempSync(join(tmpdir(), 'porchlight-bench-'))
const figures: Figure[] = []
/** Highest CPU load (0 to 1) that was measured in the second before a measurement. */
let maxCpuLoad = 0
const startedAt = performance.now()
const waterfalls: string[] = []
const durations: string[] = []
const current: { system?: System } = {}

const isSearch = process.argv.includes('--search')
try {
  await (isSearch ? measureSearches() : measureAll())
} finally {
  await current.system?.stop()
  rmSync(dataFolder, { recursive: true, force: true })
}

async function measureSearches(): Promise<void> {
  const system = await startBenchSystem('--fresh')
  await addMeasurement('search', () => measureSearch(system, dataFolder))
  await addMeasurement('search quality', () => measureSearchQuality())
  await addMeasurement('expensive searches', () => measureExpensiveSearches())
  await addMeasurement('event lists', () => measureEventLists())
}

async function measureAll(): Promise<void> {
  const first = await startBenchSystem('--fresh')
  figures.push({
    label: 'start: first start with packages installed',
    value: first.startSeconds,
    unit: 's',
    goal: 90,
    bound: 'max',
  })
  await first.stop()
  const system = await startBenchSystem()
  figures.push({ label: 'start: later starts', value: system.startSeconds, unit: 's', goal: 15, bound: 'max' })
  await addMeasurement('live', () => measureLive(system))
  // Events occur at random times. An idle page waits for them while the next measurements run.
  const arrival = measureEventArrival(system)
  arrival.catch(() => undefined)
  await addMeasurement('waterfalls', async () => {
    waterfalls.push(...(await measureWaterfalls(system)))
    return []
  })
  await addMeasurement('clips', () => measureClips(system))
  await addMeasurement('synced playback', () => measureSyncedPlayback(system))
  await addMeasurement('the edge', () => measureEdgeOverhead(system, dataFolder))
  await addMeasurement('arrival of events', () => arrival)
  await addMeasurement('the events page', () => measureEventPage(system, dataFolder))
  // The next measurements need the 10,000 events that `measureEventPage` has created.
  await addMeasurement('first screens', () => measureFirstScreens(system))
  await addMeasurement('visits', async () => {
    const visits = await measureVisits(root, system)
    waterfalls.push(...visits.waterfalls)
    return visits.figures
  })
  await addMeasurement('the shop', () => measureShop(system))
  await addMeasurement('recovery', () => measureRecovery(system, dataFolder))
  await addMeasurement('page sizes', () => measurePageWeights(root))
  await system.stop()
  await addMeasurement('live latency', () => measureLatency(root))
  const eightTileSystem = await startBenchSystem('--fresh', '--virtual', '9')
  await addMeasurement('eight tiles', () => measureEightTiles(eightTileSystem))
}

async function startBenchSystem(...args: string[]): Promise<System> {
  return (current.system = await startSystem(root, dataFolder, args))
}

/** Adds the figures of one measurement. A measurement that fails or times out is reported as not measured. */
async function addMeasurement(name: string, measure: () => Figure[] | Promise<Figure[]>): Promise<void> {
  maxCpuLoad = Math.max(maxCpuLoad, await waitForIdleCpu())
  const at = performance.now()
  console.error(`Measuring ${name} ...`)
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(() => timeout.reject(new Error(`Measuring ${name} timed out.`)), MEASUREMENT_TIMEOUT_MS)
  try {
    figures.push(...(await Promise.race([measure(), timeout.promise])))
  } catch (error) {
    console.error(error)
    await closeBrowsers()
    const [reason = ''] = String(error).split('\n')
    figures.push({ label: `${name}: ${reason}`, value: Number.NaN, unit: '', goal: 0, bound: 'max' })
  } finally {
    clearTimeout(timer)
  }
  const seconds = Math.round((performance.now() - at) / 1000)
  durations.push(`${name} ${seconds} s`)
  console.error(`... ${seconds} s`)
}

const figureTable = [
  '| what | measured | goal | floor | times the floor | |',
  '|---|---|---|---|---|---|',
  ...figures.map((f) => {
    const floor = f.baseline === undefined ? ' | ' : `${round(f.baseline)} ${f.unit} | ${round(f.value / f.baseline)}`
    const goal = `${f.bound === 'max' ? '≤' : '≥'} ${f.goal}`
    return `| ${f.label} | ${round(f.value)} ${f.unit} | ${goal} | ${floor} | ${meetsGoal(f) ? 'holds' : '**missed**'} |`
  }),
].join('\n')
const minutes = (performance.now() - startedAt) / 60_000
const missedCount = figures.filter((figure) => !meetsGoal(figure)).length
const missedSummary = `The run missed ${missedCount} of ${figures.length} targets.`
const cpuLoadSummary = `${Math.round(maxCpuLoad * 100)} % busy at most before a measurement; ${minutes.toFixed(1)} minutes in all`
writeSection(
  root,
  isSearch ? 'Search' : 'Figures',
  `${cpuLoadSummary}. ${missedSummary}\n\nTime of each part: ${durations.join(', ')}.\n\n${figureTable}`,
)
if (waterfalls.length > 0) writeSection(root, 'Waterfalls', waterfalls.join('\n\n'))
console.log(
  JSON.stringify(
    { date: new Date().toISOString(), machine: machineDescription, load: cpuLoadSummary, figures },
    null,
    2,
  ),
)
console.log(`\n${figureTable}\n\nTime of each part: ${durations.join(', ')}.`)

function meetsGoal(figure: Figure): boolean {
  return figure.bound === 'max' ? figure.value <= figure.goal : figure.value >= figure.goal
}

function round(value: number): string {
  return Number.isFinite(value) ? String(Math.round(value * 100) / 100) : 'not measured'
}
