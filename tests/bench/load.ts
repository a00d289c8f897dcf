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
import { gatewayPath } from '../../contract/wire/call.ts'
import { XSRF_COOKIE } from '../../contract/wire/constants.ts'
import { getHomeDevices, getHomes } from '../../contract/cameras/devices.ts'
import { shareCamera } from '../../contract/cameras/owner-calls.ts'
import { SHARED } from '../../contract/auth/roles.ts'
import { callOperator } from '../../scripts/lib/operator.ts'
import type { RunEnvironment } from '../../scripts/lib/secrets.ts'
import { startSignIn, walkSignInPage } from '../support/sign-in-walk.ts'
import { newNonce, send, signIn as tokensOf } from '../support/provider.ts'
import { Visitor } from '../support/visitor.ts'
import { median, openBrowser, signedIn } from './browser.ts'
import type { Guest } from './hostile-guest.ts'
import type { Deeds, Orders } from './hostile.ts'
import { watch, watchVideos } from './live.ts'
import { untilQuiet } from './quiet.ts'
import { startSystem, type System } from './system.ts'

const OWNERS = 4
const GUESTS = 50
/**
 * Number of guests with whom the owner shares a camera. The free account shares its camera with the other guests,
 * because an account may share with only 30 email addresses per hour.
 */
const AT_OWNER = 30
const CALL_EVERY_MS = 400

interface Stage {
  readonly name: string
  /** Frames per second of the slowest tile. */
  readonly rate: number
  /** Longest time without a new frame, ms. */
  readonly gap: number
  /** Durations of the owners' calls, ms. */
  readonly calls: readonly number[]
  readonly failed: number
  readonly deeds: Deeds | null
}

interface Ground {
  readonly root: string
  readonly data: string
  readonly system: System
  readonly env: RunEnvironment
  readonly pages: readonly Page[]
  readonly seconds: number
}

/**
 * Runs 50 hostile guests while four browsers of the owner play live video. Returns a Markdown table. `holds`: the
 * owner's frame rate and calls stayed within their limits, and no process restarted.
 */
export async function measureLoad(root: string, seconds: number): Promise<{ table: string; holds: boolean }> {
  const data = mkdtempSync(join(tmpdir(), 'porchlight-load-'))
  // Runs as if behind a proxy, so that each guest counts as its own client network.
  process.env['TRUST_PROXY'] = '1'
  const system = await startSystem(root, data, [])
  const env = parseEnv(readFileSync(join(data, 'run.env'), 'utf8')) as unknown as RunEnvironment
  const browser = await openBrowser()
  try {
    const guests = await inviteGuests(system, env)
    const pages = await openOwners(browser, system)
    const ground: Ground = { root, data, system, env, pages, seconds }
    await untilQuiet()
    const before = readPids(data)
    const quiet = await measureStage(ground, 'quiet', null)
    const idle = await openIdleServer()
    const at = (origin: string) => guests.map((guest) => ({ ...guest, portal: origin, provider: origin }))
    const floor = await measureStage(ground, 'the same guests at an idle server', at(idle.origin))
    idle.close()
    const attacked = await measureStage(ground, 'the guests attack', guests)
    const after = await measureStage(ground, 'afterwards', null)
    const restarts = readPids(data).filter((pid, n) => pid !== before[n]).length
    return conclude([quiet, floor, attacked, after], restarts)
  } finally {
    await browser.close()
    await system.stop()
    rmSync(data, { recursive: true, force: true })
  }
}

/** Creates and signs in accounts with their own IP addresses, each a guest of one camera. */
async function inviteGuests(system: System, env: RunEnvironment): Promise<Guest[]> {
  const hosts = await Promise.all(['owner@example.com', 'free@example.com'].map((email) => findHost(env, email)))
  const guests: Guest[] = []
  for (let n = 0; n < GUESTS; n++) {
    const [email, password] = [`guest${n}@example.com`, `hostile-guest-${n}`]
    await callOperator(env, 'POST', ADMIN_PATHS.accounts, { email, password, home: `Home ${n}` })
    const host = hosts[n < AT_OWNER ? 0 : 1]
    if (!host) throw new Error('There is no host.')
    const payload = { device_id: host.camera, email, role: SHARED, nonce: newNonce() }
    const shared = await send(env, shareCamera, host.token, { payload })
    if (!shared.ok) throw new Error(`Guest ${n} was not invited: ${await shared.text()}`)
    const visitor = new Visitor(system.origin)
    const callback = await walkSignInPage(visitor, await startSignIn(visitor, '/live'), email, password)
    await visitor.navigate(callback)
    const cookie = [...(visitor.cookies.get(system.origin) ?? [])].map((pair) => pair.join('=')).join('; ')
    guests.push({
      ...{ address: `127.0.0.${n + 2}`, cookie, xsrf: visitor.cookie(XSRF_COOKIE) ?? '', camera: host.camera },
      ...{ portal: system.origin, provider: env.PROVIDER_ORIGIN },
    })
  }
  return guests
}

async function findHost(env: RunEnvironment, email: string): Promise<{ token: string; camera: string }> {
  const { access_token: token } = await tokensOf(env, email)
  const payload = { device_category: 'camera', env: 'beta', nonce: newNonce() }
  const answer = await send(env, getHomeDevices, token, { payload })
  const { data } = (await answer.json()) as { data: { device_list: { device_id: string }[] } }
  return { token, camera: data.device_list[0]?.device_id ?? '' }
}

/** Opens four browsers of the owner, each with one large camera. */
async function openOwners(browser: Browser, system: System): Promise<Page[]> {
  const pages: Page[] = []
  for (let n = 0; n < OWNERS; n++) {
    const { context, page } = await signedIn(browser, system.origin, '/live', { width: 800, height: 600 })
    await page.getByRole('button', { name: 'Filter cameras' }).waitFor()
    await page.getByRole('button', { name: 'One', exact: true }).click()
    await context.addInitScript(watchVideos)
    await page.reload()
    await page.waitForFunction(() => ((globalThis as { seenVideos?: unknown[] }).seenVideos ?? []).length > 0)
    pages.push(page)
  }
  return pages
}

async function measureStage(ground: Ground, name: string, guests: readonly Guest[] | null): Promise<Stage> {
  const { root, pages, seconds } = ground
  const attack = guests === null ? null : sendOut(root, { guests, seconds })
  // All guests have started after this pause.
  await sleep(2000)
  const watching = pages.map((page) => watch(page, (seconds - 4) * 1000, 1))
  const asking = pages.map((page) => measureCalls(page, (seconds - 4) * 1000))
  const [seen, callResults] = await Promise.all([Promise.all(watching), Promise.all(asking)])
  return {
    name,
    rate: Math.min(...seen.map(({ rates }) => rates[0] ?? 0)),
    gap: Math.max(...seen.map(({ gap }) => gap)),
    calls: callResults.flatMap(({ times }) => times),
    failed: callResults.reduce((sum, { failed }) => sum + failed, 0),
    deeds: attack ? await attack : null,
  }
}

/**
 * Sends calls from the page for `ms`. Returns the durations of the successful calls, ms, and the number of failed
 * calls.
 */
function measureCalls(page: Page, ms: number): Promise<{ times: number[]; failed: number }> {
  const path = `${gatewayPath(getHomes)}`
  return page.evaluate(
    async ([address, time, every]) => {
      const times: number[] = []
      let failed = 0
      for (const end = performance.now() + time; performance.now() < end;) {
        const began = performance.now()
        const ok = await fetch(address).then(
          async (answer) => (await answer.text()) !== '' && answer.ok,
          () => false,
        )
        if (ok) times.push(performance.now() - began)
        else failed++
        await new Promise((resolve) => setTimeout(resolve, every))
      }
      return { times, failed }
    },
    [path, ms, CALL_EVERY_MS] as const,
  )
}

async function sendOut(root: string, orders: Orders): Promise<Deeds> {
  const child = spawn(process.execPath, ['tests/bench/hostile.ts'], { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(JSON.stringify(orders))
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return JSON.parse(output) as Deeds
}

/**
 * Starts a server that immediately sends empty responses. An attack on this server shows the cost of the attack alone.
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

function readPids(data: string): number[] {
  const run = JSON.parse(readFileSync(join(data, 'run.json'), 'utf8')) as { parts: Record<string, { pid: number }> }
  return Object.values(run.parts).map(({ pid }) => pid)
}

function conclude(stages: readonly Stage[], restarts: number): { table: string; holds: boolean } {
  const [quiet, , attacked] = stages
  if (!quiet || !attacked) throw new Error('A stage is missing.')
  const rows = stages.map(({ name, rate, gap, calls, failed, deeds }) =>
    [
      ...['', name, rate.toFixed(1), Math.round(gap), calls.length, failed],
      ...[median(calls).toFixed(1), deeds ? deeds.cpu.toFixed(1) : '', ''],
    ].join(' | '),
  )
  const counted = Object.entries(attacked.deeds?.counts ?? {}).sort()
  const holds = attacked.rate >= 14 && median(attacked.calls) <= 3 * median(quiet.calls) && restarts === 0
  const table = [
    '| stage | fps of the slowest of 4 | longest gap, ms | calls | failed | median, ms | CPU of the guests, s |',
    '|---|---|---|---|---|---|---|',
    ...rows.map((row) => row.trim()),
    '',
    `Restarts: ${restarts}. What the guests did: ${counted.map(([action, times]) => `${times} × ${action}`).join(', ')}.`,
  ].join('\n')
  return { table, holds }
}
