import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { median, openBrowser, signedIn } from './browser.ts'
import type { Figure } from './figure.ts'
import type { System } from './system.ts'

const ROUNDS = 5
const TILES = 4
/** Duration of the network outage, ms. */
const AWAY_MS = 4000
const LOOK_MS = 20
const GOAL_MS = 2000
const PATIENCE_MS = 60_000

/** Measures how long an open page needs to recover once the bridge, the provider or the network is available again. */
export async function measureRecovery(system: System, data: string): Promise<Figure[]> {
  const figure = (of: string, times: readonly number[]): Figure => ({
    what: `live: ${of}, median of ${times.length}`,
    ...{ value: median(times), unit: 'ms', goal: GOAL_MS, bound: 'max' },
  })
  return [
    figure('the killed bridge runs again to 4 tiles playing', await afterBridge(system, data)),
    figure('the killed provider answers again to the page hearing from it', await afterProvider(system, data)),
    figure('network back to 4 tiles of the relay playing', await afterNetwork(system)),
  ]
}

async function afterBridge(system: System, data: string): Promise<number[]> {
  const browser = await openBrowser()
  const { page } = await signedIn(browser, system.origin, '/live')
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await untilMoving(page)
    const before = kill(data, 'bridge')
    await until(() => readPid(data, 'bridge') !== before)
    times.push(await measureTime(() => untilMoving(page)))
  }
  await browser.close()
  return times
}

/** Live video survives a restart of the provider, so the time is measured until the feed delivers a message again. */
async function afterProvider(system: System, data: string): Promise<number[]> {
  const browser = await openBrowser()
  const { page } = await signedIn(browser, system.origin, '/live')
  let frameCount = 0
  page.on('websocket', (socket) => {
    if (new URL(socket.url()).pathname === '/feed') socket.on('framereceived', () => frameCount++)
  })
  await page.reload()
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await until(() => frameCount > 0)
    kill(data, 'provider')
    await until(async () => !(await isWell(system)))
    frameCount = 0
    await until(() => isWell(system))
    times.push(await measureTime(() => until(() => frameCount > 0)))
  }
  await browser.close()
  return times
}

async function afterNetwork(system: System): Promise<number[]> {
  const browser = await openBrowser()
  const { context, page } = await signedIn(browser, system.origin, '/live')
  await context.addInitScript(() => delete (globalThis as { RTCPeerConnection?: unknown }).RTCPeerConnection)
  await page.reload()
  const cdp = await context.newCDPSession(page)
  await cdp.send('Network.enable')
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await untilMoving(page)
    await context.setOffline(true)
    await page.waitForTimeout(AWAY_MS)
    await context.setOffline(false)
    times.push(await measureTime(() => untilMoving(page)))
  }
  await browser.close()
  return times
}

/** Waits until four tiles report live and their frames advance. */
async function untilMoving(page: Page): Promise<void> {
  const now = () =>
    page.$$eval('[data-phase="playing"] .live-picture > video', (all) =>
      all.map((video) => (video as HTMLVideoElement).getVideoPlaybackQuality().totalVideoFrames),
    )
  await until(async () => {
    const before = await now()
    await page.waitForTimeout(LOOK_MS * 5)
    const after = await now()
    return after.filter((frames, at) => frames > (before[at] ?? frames)).length >= TILES
  })
}

async function measureTime(task: () => Promise<void>): Promise<number> {
  const began = performance.now()
  await task()
  return performance.now() - began
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const patience = performance.now() + PATIENCE_MS
  while (!(await condition())) {
    if (performance.now() > patience) throw new Error(`Nothing came back within ${PATIENCE_MS / 1000} s.`)
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}

async function isWell(system: System): Promise<boolean> {
  const answer = await fetch(`${system.origin}/healthz`)
  return ((await answer.json()) as { provider: { ok: boolean } }).provider.ok
}

function readPid(data: string, part: string): number | undefined {
  const run = JSON.parse(readFileSync(join(data, 'run.json'), 'utf8')) as { parts: Record<string, { pid: number }> }
  return run.parts[part]?.pid
}

function kill(data: string, part: string): number {
  const pid = readPid(data, part)
  if (pid === undefined) throw new Error(`The ${part} does not run.`)
  process.kill(-pid, 'SIGKILL')
  return pid
}
