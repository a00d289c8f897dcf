/**
 * `node tests/bench/system-kills.ts [rounds]`: while two cameras are recorded, kills one of the four parts of a running
 * `npm start` (bridge, provider, portal, supervisor) with SIGKILL at random moments. Then checks that every
 * acknowledged event is listed once with a clip that decodes, and that signed-in users are still signed in.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'
import { SceneLibrary } from '../../bridge/virtual/scene-library.ts'
import { anyFreePort } from '../../scripts/lib/ports.ts'
import type { RunEnvironment } from '../../scripts/lib/secrets.ts'
import { signIn } from '../support/edge.ts'
import { RtspServer } from '../support/rtsp-server.ts'
import { Visitor } from '../support/visitor.ts'
import { listEvents, unplayable } from './clips.ts'
import type { KillOutcome } from './kill-rounds.ts'
import { judge, onDisk, shortReel, untilKill } from './recordings.ts'
import { startSystem, type System } from './system.ts'

const PARTS = ['bridge', 'provider', 'portal', 'supervisor'] as const
type Part = (typeof PARTS)[number]
const CAMERAS = 2
/** Timeout of a restart, ms. */
const BACK_MS = 120_000

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The system, its data folder, and the owner's browser, which stays signed in across all rounds. */
interface Ground {
  readonly data: string
  readonly port: number
  readonly args: readonly string[]
  readonly visitor: Visitor
  readonly durable: Set<string>
  readonly kills: Record<Part, number>
  system: System
  recording: number
  waiting: number
  signedOut: number
}

/**
 * Kills one part in each of `rounds` rounds, waits until all recordings are uploaded, and checks the events, clips and
 * sign-ins.
 */
export async function systemKillRounds(rounds: number): Promise<KillOutcome> {
  const data = mkdtempSync(join(tmpdir(), 'system-kills-'))
  const library = await SceneLibrary.open(join(root, 'scenes/'))
  const cameras = await Promise.all(
    Array.from({ length: CAMERAS }, async (_, i) => RtspServer.start({ stream: await shortReel(i, library) })),
  )
  writeFileSync(join(data, 'addresses'), cameras.map((camera, i) => `${camera.url()} Camera ${i + 1}`).join('\n'))
  const [port, args] = [await anyFreePort(), ['--virtual', '0', '--camera-file', join(data, 'addresses')]]
  const system = await startSystem(root, data, args, port)
  const visitor = new Visitor(system.origin)
  await signIn(visitor)
  const kills = { bridge: 0, provider: 0, portal: 0, supervisor: 0 }
  const ground: Ground = {
    ...{ data, port, args, visitor, system, kills, durable: new Set<string>() },
    ...{ recording: 0, waiting: 0, signedOut: 0 },
  }
  try {
    for (let round = 0; round < rounds; round++) await killOne(ground, PARTS[round % PARTS.length] ?? 'bridge')
    for (const camera of cameras) await camera.close()
    return await conclude(ground, rounds)
  } finally {
    await ground.system.stop()
    rmSync(data, { recursive: true, force: true })
  }
}

async function killOne(ground: Ground, part: Part): Promise<void> {
  await untilKill(ground.data)
  const { supervisor, parts } = groups(ground.data)
  const before = part === 'supervisor' ? supervisor : parts[part]
  if (!before) throw new Error(`The ${part} does not run.`)
  process.kill(part === 'supervisor' ? before.pid : -before.pid, 'SIGKILL')
  const { journals, entries } = onDisk(ground.data)
  ground.kills[part]++
  if (journals.length > 0) ground.recording++
  if (entries.length > 0) ground.waiting++
  for (const id of part === 'bridge' ? [...journals, ...entries] : entries) ground.durable.add(id)
  if (part === 'supervisor') {
    ground.system = await startSystem(root, ground.data, ground.args, ground.port)
  } else {
    await until(`the ${part} runs again`, () => groups(ground.data).parts[part]?.pid !== before.pid)
  }
  await until('the portal and the provider answer', async () => {
    const answer = await fetch(`${ground.system.origin}/healthz`).catch(() => null)
    return answer?.ok === true && ((await answer.json()) as { provider: { ok: boolean } }).provider.ok
  })
  const me = await ground.visitor.get('/api/auth/me')
  if (me.status !== 200) ground.signedOut++
}

async function conclude(ground: Ground, rounds: number): Promise<KillOutcome> {
  const open = () => {
    const { journals, entries } = onDisk(ground.data)
    return journals.length + entries.length
  }
  const settled = await until('all is delivered', () => open() === 0).then(
    () => true,
    () => false,
  )
  const env = parseEnv(readFileSync(join(ground.data, 'run.env'), 'utf8')) as unknown as RunEnvironment
  const lines = readFileSync(join(ground.data, 'logs', 'bridge.log'), 'utf8').split('\n')
  const events = (await listEvents(env)).map((event) => event.event_id)
  const broken = await unplayable(env)
  const verdict = judge({ ...ground, lines, events, broken, settled })
  const each = PARTS.map((part) => `${ground.kills[part]} of the ${part}`).join(', ')
  return {
    rounds,
    holds: verdict.holds && ground.signedOut === 0,
    sentence: `${rounds} kills (${each}; ${ground.recording} while a journal was open, ${ground.waiting} while clips waited): ${verdict.sentence}; signed out ${ground.signedOut} times`,
  }
}

interface Groups {
  readonly supervisor: { readonly pid: number }
  readonly parts: Readonly<Record<string, { readonly pid: number }>>
}

function groups(data: string): Groups {
  return JSON.parse(readFileSync(join(data, 'run.json'), 'utf8')) as Groups
}

async function until(description: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + BACK_MS; !(await condition()); await sleep(50))
    if (performance.now() > end) throw new Error(`Within two minutes it was not so that ${description}.`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const outcome = await systemKillRounds(Number(process.argv[2] ?? 100))
  console.log(outcome.sentence)
  process.exit(outcome.holds ? 0 : 1)
}
