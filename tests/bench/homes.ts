import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sumCounts, readBilledWork, type BilledWork } from '../support/billed-work/billed-work.ts'
import { prepareBaseData } from '../support/ground.ts'
import { openTestDeployment, type RunningWorker, type TestDeployment } from '../support/harness.ts'
import { computePercentile } from './figure.ts'
import { BenchHomes, EVENTS_PER_HOME, runConcurrently } from './homes-data.ts'
import { BenchSession, type VisitResults } from './homes-visits.ts'

const SESSION_COUNT = 200
const STAGE_SECONDS = 100
/** Numbers of homes of the stages before the last one. */
const STAGE_SIZES = [10, 100] as const
/** A run with fewer homes than this is a trial: it has fewer sessions and shorter stages. */
const FULL_RUN_HOMES = 1000
const TRIAL_SECONDS = 40
const TICKS_PER_SECOND = 100

interface StageResult extends VisitResults {
  readonly homeCount: number
  readonly sessionCount: number
  readonly seconds: number
  readonly cpuSeconds: number
  readonly provider: BilledWork
  readonly portal: BilledWork
  readonly creation: { readonly seconds: number; readonly rowsWritten: number; readonly events: number }
  /** Size of the `Home` objects, and of the D1 database, divided by the number of homes. */
  readonly bytesPerHome: { readonly objects: number; readonly d1: number }
}

/**
 * Creates homes in stages, up to `homeCount`, and visits their pages with signed-in sessions in each stage. Returns the
 * table, and whether all calls succeeded.
 */
export async function measureHomes(homeCount: number): Promise<{ table: string; holds: boolean }> {
  prepareBaseData()
  const deployment = await openTestDeployment({
    portal: true,
    countsWork: true,
    // Each session has its own client address, as in production.
    change: () => ({ TRUST_PROXY: '1', HOME_PLAN: 'unlimited' }),
  })
  const startedAt = performance.now()
  try {
    const homes = await BenchHomes.open(deployment)
    const results: StageResult[] = []
    for (const size of [...STAGE_SIZES.filter((stageSize) => stageSize < homeCount), homeCount])
      results.push(await measureStage(deployment, homes, size, homeCount >= FULL_RUN_HOMES))
    const minutes = (performance.now() - startedAt) / 60_000
    return {
      table: `${formatTable(results)}\n\nThe run took ${minutes.toFixed(1)} minutes.`,
      holds: results.every(({ failures }) => failures.size === 0),
    }
  } finally {
    await deployment.close()
  }
}

async function measureStage(
  { provider, portal, env }: TestDeployment,
  homes: BenchHomes,
  homeCount: number,
  isFullRun: boolean,
): Promise<StageResult> {
  if (!portal) throw new Error('The portal is not running.')
  const seconds = isFullRun ? STAGE_SECONDS : TRIAL_SECONDS
  const sessionCount = isFullRun ? SESSION_COUNT : Math.min(SESSION_COUNT, 2 * homeCount)
  const creation = await measureCreation(provider, homes, homeCount)
  console.error(`Signing in ${sessionCount} sessions ...`)
  const sessions = homes.selectEvenly(sessionCount).map((home) => new BenchSession(env.PORTAL_ORIGIN, home))
  await runConcurrently(sessions, (session) => session.signIn())
  await Promise.all([readBilledWork(provider), readBilledWork(portal)])
  console.error(`Visiting pages for ${seconds} s ...`)
  const visits: VisitResults = { durationsMs: [], failures: new Map() }
  const cpuSecondsBefore = sumWorkerCpuSeconds()
  const endsAt = performance.now() + seconds * 1000
  await Promise.all(sessions.map((session) => session.visitPages(endsAt, visits)))
  return {
    ...visits,
    homeCount,
    sessionCount,
    seconds,
    cpuSeconds: sumWorkerCpuSeconds() - cpuSecondsBefore,
    provider: await readBilledWork(provider),
    portal: await readBilledWork(portal),
    creation,
    bytesPerHome: {
      objects: sumFileBytes(provider, /-Home\/.*\.sqlite/) / homeCount,
      d1: sumFileBytes(provider, /^d1\/.*\.sqlite/) / homeCount,
    },
  }
}

async function measureCreation(
  provider: RunningWorker,
  homes: BenchHomes,
  homeCount: number,
): Promise<StageResult['creation']> {
  const newHomes = homeCount - homes.homes.length
  console.error(`Creating ${newHomes} homes with ${newHomes * EVENTS_PER_HOME} events ...`)
  await readBilledWork(provider)
  const startedAt = performance.now()
  await homes.createUntil(homeCount)
  const seconds = (performance.now() - startedAt) / 1000
  const { rowsWritten } = await readBilledWork(provider)
  return { seconds, rowsWritten: rowsWritten['Home'] ?? 0, events: newHomes * EVENTS_PER_HOME }
}

/** Returns the bytes of the files in the Worker's storage whose path matches. */
function sumFileBytes({ stateFolder }: RunningWorker, pattern: RegExp): number {
  const files = readdirSync(stateFolder, { recursive: true, encoding: 'utf8' })
  return files
    .filter((name) => pattern.test(name))
    .reduce((sum, name) => sum + statSync(join(stateFolder, name)).size, 0)
}

/** Returns the CPU seconds of both Workers: the child processes of this process. NaN except on Linux. */
function sumWorkerCpuSeconds(): number {
  if (process.platform !== 'linux') return Number.NaN
  const ticks = readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(readChildTicks)
  return ticks.reduce((sum, count) => sum + count, 0) / TICKS_PER_SECOND
}

function readChildTicks(pid: string): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [parent, user = 0, system = 0] = [fields[1], fields[11], fields[12]].map(Number)
    return parent === process.pid ? user + system : 0
  } catch {
    return 0
  }
}

const COLUMNS = [
  'homes',
  'events',
  'sessions',
  'calls per second',
  'p50, ms',
  'p95, ms',
  'failed',
  'rows written per call',
  'D1 round trips per call',
  'object requests per call',
  'CPU per call, ms',
]

function formatTable(results: readonly StageResult[]): string {
  const rows = results.map((result) => {
    const { homeCount, sessionCount, seconds, durationsMs, failures, provider, portal, cpuSeconds } = result
    const perCall = (count: number) => (count / durationsMs.length).toFixed(2)
    return [
      homeCount.toLocaleString('en'),
      (homeCount * EVENTS_PER_HOME).toLocaleString('en'),
      sessionCount,
      (durationsMs.length / seconds).toFixed(1),
      computePercentile(durationsMs, 0.5).toFixed(1),
      computePercentile(durationsMs, 0.95).toFixed(1),
      [...failures.values()].reduce((sum, count) => sum + count, 0),
      perCall(sumCounts(provider.rowsWritten) + sumCounts(portal.rowsWritten)),
      perCall(provider.d1Queries),
      perCall(sumCounts(provider.objectRequests) + sumCounts(portal.objectRequests)),
      perCall(cpuSeconds * 1000),
    ]
  })
  return [
    formatRow(COLUMNS),
    formatRow(COLUMNS.map(() => '---')),
    ...rows.map(formatRow),
    '',
    ...results.map(formatCreation),
    ...results.flatMap(({ failures }) => [...failures].map(([call, count]) => `- ${count} × failed: ${call}`)),
  ].join('\n')
}

const formatRow = (cells: readonly unknown[]) => `| ${cells.join(' | ')} |`

function formatCreation({ homeCount, creation, bytesPerHome, provider, portal }: StageResult): string {
  const perEvent = (creation.rowsWritten / creation.events).toFixed(1)
  const written = { ...provider.rowsWritten, ...portal.rowsWritten }
  const byClass = Object.entries(written).map(([name, count]) => `${name} ${count.toLocaleString('en')}`)
  return [
    `- Up to ${homeCount.toLocaleString('en')} homes: created in ${Math.round(creation.seconds)} s, `,
    `${perEvent} rows written per event, ${(bytesPerHome.objects / 1e6).toFixed(1)} MB per home, `,
    `and ${Math.round(bytesPerHome.d1 / 1e3)} kB per home in D1. `,
    `Rows written during the visits: ${byClass.join(', ') || 'none'}.`,
  ].join('')
}
