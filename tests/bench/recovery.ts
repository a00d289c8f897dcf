import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { median, openBrowser, openSignedInPage } from './browser.ts'
import type { Figure } from './figure.ts'
import type { System } from './system.ts'

const ROUNDS = 3
const TILE_COUNT = 4
const OUTAGE_MS = 4000
const POLL_INTERVAL_MS = 20
const RECOVERY_GOAL_MS = 2000
const RECOVERY_TIMEOUT_MS = 60_000

/** Measures how long an open page needs to recover once the bridge, the provider or the network is available again. */
export async function measureRecovery(system: System, dataFolder: string): Promise<Figure[]> {
  const createFigure = (label: string, times: readonly number[]): Figure => ({
    label: `live: ${label}, median of ${times.length}`,
    value: median(times),
    unit: 'ms',
    goal: RECOVERY_GOAL_MS,
    bound: 'max',
  })
  return [
    createFigure('restart of the killed bridge to 4 tiles playing', await measureBridgeRecovery(system, dataFolder)),
    createFigure(
      'restart of the killed provider to first feed message',
      await measureProviderRecovery(system, dataFolder),
    ),
    createFigure('network restored to 4 relayed tiles playing', await measureNetworkRecovery(system)),
  ]
}

async function measureBridgeRecovery(system: System, dataFolder: string): Promise<number[]> {
  const browser = await openBrowser()
  const { page } = await openSignedInPage(browser, system.origin, '/live')
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await waitForMovingTiles(page)
    const before = killProcessByName(dataFolder, 'bridge')
    await waitUntil(() => readPid(dataFolder, 'bridge') !== before)
    times.push(await measureTime(() => waitForMovingTiles(page)))
  }
  await browser.close()
  return times
}

/**
 * Measures the time from the provider's first successful health check to the first feed message. Uses the feed, because
 * live video continues during the restart.
 */
async function measureProviderRecovery(system: System, dataFolder: string): Promise<number[]> {
  const browser = await openBrowser()
  const { page } = await openSignedInPage(browser, system.origin, '/live')
  let frameCount = 0
  page.on('websocket', (socket) => {
    if (new URL(socket.url()).pathname === '/feed') socket.on('framereceived', () => frameCount++)
  })
  await page.reload()
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await waitUntil(() => frameCount > 0)
    killProcessByName(dataFolder, 'provider')
    await waitUntil(async () => !(await isProviderHealthy(system)))
    frameCount = 0
    await waitUntil(() => isProviderHealthy(system))
    times.push(await measureTime(() => waitUntil(() => frameCount > 0)))
  }
  await browser.close()
  return times
}

async function measureNetworkRecovery(system: System): Promise<number[]> {
  const browser = await openBrowser()
  const { context, page } = await openSignedInPage(browser, system.origin, '/live')
  await context.addInitScript(() => delete (globalThis as { RTCPeerConnection?: unknown }).RTCPeerConnection)
  await page.reload()
  const cdp = await context.newCDPSession(page)
  await cdp.send('Network.enable')
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await waitForMovingTiles(page)
    await context.setOffline(true)
    await page.waitForTimeout(OUTAGE_MS)
    await context.setOffline(false)
    times.push(await measureTime(() => waitForMovingTiles(page)))
  }
  await browser.close()
  return times
}

async function waitForMovingTiles(page: Page): Promise<void> {
  const countFrames = () =>
    page.$$eval('[data-phase="playing"] .live-picture > video', (all) =>
      all.map((video) => (video as HTMLVideoElement).getVideoPlaybackQuality().totalVideoFrames),
    )
  await waitUntil(async () => {
    const before = await countFrames()
    await page.waitForTimeout(POLL_INTERVAL_MS * 5)
    const after = await countFrames()
    return after.filter((frames, at) => frames > (before[at] ?? frames)).length >= TILE_COUNT
  })
}

async function measureTime(task: () => Promise<void>): Promise<number> {
  const began = performance.now()
  await task()
  return performance.now() - began
}

async function waitUntil(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + RECOVERY_TIMEOUT_MS
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`Nothing came back within ${RECOVERY_TIMEOUT_MS / 1000} s.`)
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS))
  }
}

async function isProviderHealthy(system: System): Promise<boolean> {
  const answer = await fetch(`${system.origin}/healthz`)
  return ((await answer.json()) as { provider: { ok: boolean } }).provider.ok
}

function readPid(dataFolder: string, part: string): number | undefined {
  const run = JSON.parse(readFileSync(join(dataFolder, 'run.json'), 'utf8')) as {
    parts: Record<string, { pid: number }>
  }
  return run.parts[part]?.pid
}

function killProcessByName(dataFolder: string, part: string): number {
  const pid = readPid(dataFolder, part)
  if (pid === undefined) throw new Error(`The ${part} is not running.`)
  process.kill(-pid, 'SIGKILL')
  return pid
}
