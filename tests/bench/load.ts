import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseEnv } from 'node:util'
import type { Browser, Page } from 'playwright'
import { WebSocketServer } from 'ws'
import { ADMIN_PATHS } from '../../contract/operator/operator-calls.ts'
import { formatGatewayPath } from '../../contract/wire/call.ts'
import { XSRF_COOKIE } from '../../contract/wire/constants.ts'
import { getHomeDevices, getHomes } from '../../contract/cameras/devices.ts'
import { shareCamera } from '../../contract/cameras/owner-calls.ts'
import { SHARED_ROLE } from '../../contract/auth/roles.ts'
import { callOperator } from '../../scripts/lib/operator.ts'
import type { RunEnvironment } from '../../scripts/lib/secrets.ts'
import { startSignIn, completeSignInPage } from '../support/sign-in-walk.ts'
import { createNonceAt, sendCallAsEdge, signInAtProvider as tokensOf } from '../support/provider.ts'
import { Visitor } from '../support/visitor.ts'
import { median, openBrowser, openSignedInPage } from './browser.ts'
import type { Guest } from './hostile-guest.ts'
import type { AttackResult, AttackInput } from './hostile.ts'
import { measureFrameRates, recordVideoFrames } from './live.ts'
import { waitForIdleCpu } from './idle-cpu.ts'
import { startSystem, type System } from './system.ts'

const OWNER_BROWSERS = 4
const GUEST_COUNT = 50
/**
 * Number of guests with whom the owner shares a camera. An account may share with at most 30 email addresses per hour,
 * so the free account shares its camera with the remaining guests.
 */
const OWNER_GUEST_COUNT = 30
const CALL_INTERVAL_MS = 400

interface LoadStageResult {
  readonly name: string
  /** Frames per second of the slowest tile. */
  readonly minFps: number
  /** Longest time without a new frame, ms. */
  readonly maxFrameGapMs: number
  /** Durations of the owner's successful calls, ms. */
  readonly callDurationsMs: readonly number[]
  readonly failedCallCount: number
  readonly attackResult: AttackResult | null
}

interface LoadTest {
  readonly root: string
  readonly dataFolder: string
  readonly system: System
  readonly env: RunEnvironment
  readonly pages: readonly Page[]
  readonly seconds: number
}

/**
 * Runs 50 hostile guests while four browsers of the owner play live video. `holds`: the owner's frame rate and call
 * times stayed within their limits, and no process restarted.
 */
export async function measureLoad(root: string, seconds: number): Promise<{ table: string; holds: boolean }> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'porchlight-load-'))
  // TRUST_PROXY lets each guest have its own IP address, so that rate limits count the guests separately.
  process.env['TRUST_PROXY'] = '1'
  const system = await startSystem(root, dataFolder, [])
  const env = parseEnv(readFileSync(join(dataFolder, 'run.env'), 'utf8')) as unknown as RunEnvironment
  const browser = await openBrowser()
  try {
    const guests = await inviteGuests(system, env)
    const pages = await openOwnerBrowsers(browser, system)
    const loadTest: LoadTest = { root, dataFolder, system, env, pages, seconds }
    await waitForIdleCpu()
    const before = readPids(dataFolder)
    const quiet = await measureStage(loadTest, 'no attack', null)
    const idle = await openIdleServer()
    const withOrigin = (origin: string) =>
      guests.map((guest) => ({ ...guest, portalOrigin: origin, providerOrigin: origin }))
    const idleServerResult = await measureStage(loadTest, 'guests attack an idle server', withOrigin(idle.origin))
    idle.close()
    const attacked = await measureStage(loadTest, 'guests attack Porchlight', guests)
    const after = await measureStage(loadTest, 'after the attack', null)
    const restarts = readPids(dataFolder).filter((pid, n) => pid !== before[n]).length
    return formatResult([quiet, idleServerResult, attacked, after], restarts)
  } finally {
    await browser.close()
    await system.stop()
    rmSync(dataFolder, { recursive: true, force: true })
  }
}

/** Creates the guest accounts and signs them in. Each has its own IP address and access to one shared camera. */
async function inviteGuests(system: System, env: RunEnvironment): Promise<Guest[]> {
  const hosts = await Promise.all(['owner@example.com', 'free@example.com'].map((email) => findHostCamera(env, email)))
  const guests: Guest[] = []
  for (let n = 0; n < GUEST_COUNT; n++) {
    const [email, password] = [`guest${n}@example.com`, `hostile-guest-${n}`]
    await callOperator(env, 'POST', ADMIN_PATHS.accounts, { email, password, home: `Home ${n}` })
    const host = hosts[n < OWNER_GUEST_COUNT ? 0 : 1]
    if (!host) throw new Error('The host account was not found.')
    const payload = { device_id: host.camera, email, role: SHARED_ROLE, nonce: createNonceAt() }
    const shared = await sendCallAsEdge(env, shareCamera, host.token, { payload })
    if (!shared.ok) throw new Error(`Guest ${n} was not invited: ${await shared.text()}`)
    const visitor = new Visitor(system.origin)
    const callback = await completeSignInPage(visitor, await startSignIn(visitor, '/live'), email, password)
    await visitor.navigate(callback)
    const cookie = [...(visitor.cookies.get(system.origin) ?? [])].map((pair) => pair.join('=')).join('; ')
    guests.push({
      address: `127.0.0.${n + 2}`,
      cookie,
      xsrf: visitor.getCookie(XSRF_COOKIE) ?? '',
      camera: host.camera,
      portalOrigin: system.origin,
      providerOrigin: env.PROVIDER_ORIGIN,
    })
  }
  return guests
}

async function findHostCamera(env: RunEnvironment, email: string): Promise<{ token: string; camera: string }> {
  const { access_token: token } = await tokensOf(env, email)
  const payload = { device_category: 'camera', env: 'beta', nonce: createNonceAt() }
  const answer = await sendCallAsEdge(env, getHomeDevices, token, { payload })
  const { data } = (await answer.json()) as { data: { device_list: { device_id: string }[] } }
  return { token, camera: data.device_list[0]?.device_id ?? '' }
}

/** Opens four live pages of the owner. Each shows one large camera. */
async function openOwnerBrowsers(browser: Browser, system: System): Promise<Page[]> {
  const pages: Page[] = []
  for (let n = 0; n < OWNER_BROWSERS; n++) {
    const { context, page } = await openSignedInPage(browser, system.origin, '/live', { width: 800, height: 600 })
    await page.getByRole('button', { name: 'Filter cameras' }).waitFor()
    await page.getByRole('button', { name: 'One', exact: true }).click()
    await context.addInitScript(recordVideoFrames)
    await page.reload()
    await page.waitForFunction(() => ((globalThis as { seenVideos?: unknown[] }).seenVideos ?? []).length > 0)
    pages.push(page)
  }
  return pages
}

async function measureStage(
  loadTest: LoadTest,
  name: string,
  guests: readonly Guest[] | null,
): Promise<LoadStageResult> {
  const { root, pages, seconds } = loadTest
  const attack = guests === null ? null : runAttackers(root, { guests, seconds })
  // Gives all guests time to start their attacks.
  await sleep(2000)
  const frameRateMeasurements = pages.map((page) => measureFrameRates(page, (seconds - 4) * 1000, 1))
  const callMeasurements = pages.map((page) => measureCalls(page, (seconds - 4) * 1000))
  const [seen, callResults] = await Promise.all([Promise.all(frameRateMeasurements), Promise.all(callMeasurements)])
  return {
    name,
    minFps: Math.min(...seen.map(({ rates }) => rates[0] ?? 0)),
    maxFrameGapMs: Math.max(...seen.map(({ gap }) => gap)),
    callDurationsMs: callResults.flatMap(({ times }) => times),
    failedCallCount: callResults.reduce((sum, { failedCallCount }) => sum + failedCallCount, 0),
    attackResult: attack ? await attack : null,
  }
}

/** Sends calls from the page for `ms`. Returns the durations of successful calls, ms, and the failure count. */
function measureCalls(page: Page, ms: number): Promise<{ times: number[]; failedCallCount: number }> {
  const path = `${formatGatewayPath(getHomes)}`
  return page.evaluate(
    async ([address, time, every]) => {
      const times: number[] = []
      let failedCallCount = 0
      for (const end = performance.now() + time; performance.now() < end;) {
        const callStartMs = performance.now()
        const ok = await fetch(address).then(
          async (answer) => (await answer.text()) !== '' && answer.ok,
          () => false,
        )
        if (ok) times.push(performance.now() - callStartMs)
        else failedCallCount++
        await new Promise((resolve) => setTimeout(resolve, every))
      }
      return { times, failedCallCount }
    },
    [path, ms, CALL_INTERVAL_MS] as const,
  )
}

async function runAttackers(root: string, attackInput: AttackInput): Promise<AttackResult> {
  const child = spawn(process.execPath, ['tests/bench/hostile.ts'], { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(JSON.stringify(attackInput))
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return JSON.parse(output) as AttackResult
}

/**
 * Starts a server that responds immediately without any work. An attack on it shows how much the attackers themselves
 * slow down the machine.
 */
async function openIdleServer(): Promise<{ origin: string; close(): void }> {
  const server = createServer((request, answer) => {
    request.resume()
    answer.end('{}')
  })
  new WebSocketServer({ server }).on('connection', (socket) => socket.on('message', () => undefined))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function readPids(dataFolder: string): number[] {
  const run = JSON.parse(readFileSync(join(dataFolder, 'run.json'), 'utf8')) as {
    parts: Record<string, { pid: number }>
  }
  return Object.values(run.parts).map(({ pid }) => pid)
}

function formatResult(stages: readonly LoadStageResult[], restarts: number): { table: string; holds: boolean } {
  const [quiet, , attacked] = stages
  if (!quiet || !attacked) throw new Error('A stage result is missing.')
  const rows = stages.map(({ name, minFps, maxFrameGapMs, callDurationsMs, failedCallCount, attackResult }) =>
    [
      '',
      name,
      minFps.toFixed(1),
      Math.round(maxFrameGapMs),
      callDurationsMs.length,
      failedCallCount,
      median(callDurationsMs).toFixed(1),
      attackResult ? attackResult.cpuSeconds.toFixed(1) : '',
      '',
    ].join(' | '),
  )
  const outcomes = Object.entries(attacked.attackResult?.counts ?? {}).sort()
  const holds =
    attacked.minFps >= 14 && median(attacked.callDurationsMs) <= 3 * median(quiet.callDurationsMs) && restarts === 0
  const table = [
    '| stage | fps of the slowest of 4 | longest gap, ms | calls | failed | median, ms | CPU of the guests, s |',
    '|---|---|---|---|---|---|---|',
    ...rows.map((row) => row.trim()),
    '',
    `Restarts: ${restarts}. What the guests did: ${outcomes.map(([action, times]) => `${times} × ${action}`).join(', ')}.`,
  ].join('\n')
  return { table, holds }
}
