/**
 * `node tests/bench/system-kills.ts [rounds]`: kills the bridge, provider, portal or supervisor of a system at random
 * moments while two cameras record. Then each acknowledged event must be listed once with a clip that decodes, and the
 * session must have survived.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'
import { SceneLibrary } from '../../bridge/virtual/scene-library.ts'
import { findFreePort } from '../../scripts/lib/ports.ts'
import type { RunEnvironment } from '../../scripts/lib/secrets.ts'
import { signInThroughEdge } from '../support/edge.ts'
import { RtspServer } from '../support/rtsp-server.ts'
import { Visitor } from '../support/visitor.ts'
import { listEvents, listUnplayableEvents } from './clips.ts'
import type { CrashTestOutcome } from './kill-rounds.ts'
import { checkRecordings, listDiskRecordings, buildShortStream, waitForKillMoment } from './recordings.ts'
import { startSystem, type System } from './system.ts'

const PROCESS_NAMES = ['bridge', 'provider', 'portal', 'supervisor'] as const
type ProcessName = (typeof PROCESS_NAMES)[number]
const CAMERA_COUNT = 2
const RESTART_TIMEOUT_MS = 120_000

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The system under test, its data folder, and the owner's browser, which must stay signed in for all rounds. */
interface SystemCrashTest {
  readonly dataFolder: string
  readonly port: number
  readonly args: readonly string[]
  readonly visitor: Visitor
  readonly durableIds: Set<string>
  readonly kills: Record<ProcessName, number>
  system: System
  killsWhileRecording: number
  killsWhileWaiting: number
  signOutCount: number
}

/** Kills one process per round, waits until all recordings are uploaded, and checks events, clips and the session. */
export async function runSystemCrashTest(rounds: number): Promise<CrashTestOutcome> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'system-kills-'))
  const library = await SceneLibrary.open(join(root, 'scenes/'))
  const cameras = await Promise.all(
    Array.from({ length: CAMERA_COUNT }, async (_, i) =>
      RtspServer.start({ stream: await buildShortStream(i, library) }),
    ),
  )
  writeFileSync(join(dataFolder, 'addresses'), cameras.map((camera, i) => `${camera.url()} Camera ${i + 1}`).join('\n'))
  const [port, args] = [await findFreePort(), ['--virtual', '0', '--camera-file', join(dataFolder, 'addresses')]]
  const system = await startSystem(root, dataFolder, args, port)
  const visitor = new Visitor(system.origin)
  await signInThroughEdge(visitor)
  const kills = { bridge: 0, provider: 0, portal: 0, supervisor: 0 }
  const crashTest: SystemCrashTest = {
    dataFolder,
    port,
    args,
    visitor,
    system,
    kills,
    durableIds: new Set<string>(),
    killsWhileRecording: 0,
    killsWhileWaiting: 0,
    signOutCount: 0,
  }
  try {
    for (let round = 0; round < rounds; round++)
      await runKillRound(crashTest, PROCESS_NAMES[round % PROCESS_NAMES.length] ?? 'bridge')
    for (const camera of cameras) await camera.close()
    return await checkCrashTestResult(crashTest, rounds)
  } finally {
    await crashTest.system.stop()
    rmSync(dataFolder, { recursive: true, force: true })
  }
}

async function runKillRound(crashTest: SystemCrashTest, part: ProcessName): Promise<void> {
  await waitForKillMoment(crashTest.dataFolder)
  const { supervisor, parts } = readRunFile(crashTest.dataFolder)
  const before = part === 'supervisor' ? supervisor : parts[part]
  if (!before) throw new Error(`The ${part} is not running.`)
  process.kill(part === 'supervisor' ? before.pid : -before.pid, 'SIGKILL')
  const { journals, entries } = listDiskRecordings(crashTest.dataFolder)
  crashTest.kills[part]++
  if (journals.length > 0) crashTest.killsWhileRecording++
  if (entries.length > 0) crashTest.killsWhileWaiting++
  for (const id of part === 'bridge' ? [...journals, ...entries] : entries) crashTest.durableIds.add(id)
  if (part === 'supervisor') {
    crashTest.system = await startSystem(root, crashTest.dataFolder, crashTest.args, crashTest.port)
  } else {
    await waitUntil(`restart of the ${part}`, () => readRunFile(crashTest.dataFolder).parts[part]?.pid !== before.pid)
  }
  await waitUntil('response of the portal and the provider', async () => {
    const answer = await fetch(`${crashTest.system.origin}/healthz`).catch(() => null)
    return answer?.ok === true && ((await answer.json()) as { provider: { ok: boolean } }).provider.ok
  })
  const me = await crashTest.visitor.get('/api/auth/me')
  if (me.status !== 200) crashTest.signOutCount++
}

async function checkCrashTestResult(crashTest: SystemCrashTest, rounds: number): Promise<CrashTestOutcome> {
  const countPending = () => {
    const { journals, entries } = listDiskRecordings(crashTest.dataFolder)
    return journals.length + entries.length
  }
  const settled = await waitUntil('upload of all recordings', () => countPending() === 0).then(
    () => true,
    () => false,
  )
  const env = parseEnv(readFileSync(join(crashTest.dataFolder, 'run.env'), 'utf8')) as unknown as RunEnvironment
  const lines = readFileSync(join(crashTest.dataFolder, 'logs', 'bridge.log'), 'utf8').split('\n')
  const events = (await listEvents(env)).map((event) => event.event_id)
  const broken = await listUnplayableEvents(env)
  const verdict = checkRecordings({
    ...crashTest,
    lines,
    listedIds: events,
    unplayableIds: broken,
    isQueueEmpty: settled,
  })
  const killSummary = PROCESS_NAMES.map((part) => `${crashTest.kills[part]} of the ${part}`).join(', ')
  return {
    rounds,
    holds: verdict.holds && crashTest.signOutCount === 0,
    sentence: `${rounds} kills (${killSummary}; ${crashTest.killsWhileRecording} while a journal was open, ${crashTest.killsWhileWaiting} while clips waited): ${verdict.sentence}; signed out ${crashTest.signOutCount} times`,
  }
}

interface RunFileProcesses {
  readonly supervisor: { readonly pid: number }
  readonly parts: Readonly<Record<string, { readonly pid: number }>>
}

function readRunFile(dataFolder: string): RunFileProcesses {
  return JSON.parse(readFileSync(join(dataFolder, 'run.json'), 'utf8')) as RunFileProcesses
}

async function waitUntil(description: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + RESTART_TIMEOUT_MS; !(await condition()); await sleep(50))
    if (performance.now() > end) throw new Error(`Timed out after two minutes: ${description}.`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const outcome = await runSystemCrashTest(Number(process.argv[2] ?? 100))
  console.log(outcome.sentence)
  process.exit(outcome.holds ? 0 : 1)
}
