import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'
import type { Browser, CDPSession, Page } from 'playwright'
import { SceneLibrary } from '../../bridge/virtual/scene-library.ts'
import { ADMIN_PATHS, DEMO_HOMES } from '../../contract/operator/operator-calls.ts'
import { BRIDGE_PATHS } from '../../contract/bridge/bridge-protocol.ts'
import { callOperator, type OperatorCredentials } from '../../scripts/lib/operator.ts'
import { createBridgeEvent, TestBridge } from '../support/home.ts'
import { median, openBrowser, openSignedInPage } from './browser.ts'
import type { Figure } from './figure.ts'
import type { System } from './system.ts'

/**
 * Number of posted events. With these and the demo events, the page's default range of 14 days contains more than
 * 10,000 events.
 */
const EVENT_COUNT = 9500
const EVENT_SPAN_DAYS = 13
const POSTED_TITLE = 'Motion at the'
const BATCH_SIZE = 500
const RUNS = 3
/** Time in which the page finishes an interaction and its effects, even on a slow phone. */
const SETTLE_MS = 700

const PROFILES = [
  {
    name: 'desktop',
    cpuSlowdown: 1,
    viewport: { width: 1350, height: 940 },
    maxFilterMs: 34,
    maxInpMs: 56,
    hasFilterSheet: false,
  },
  {
    name: 'mobile',
    cpuSlowdown: 4,
    viewport: { width: 412, height: 823 },
    maxFilterMs: 67,
    maxInpMs: 80,
    hasFilterSheet: true,
  },
] as const
type Profile = (typeof PROFILES)[number]

/** Measures the `/events` list with 10,000 events: filtering, scrolling and scripted interactions. */
export async function measureEventPage(system: System, dataFolder: string): Promise<Figure[]> {
  await postEvents(parseEnv(readFileSync(join(dataFolder, 'run.env'), 'utf8')) as unknown as OperatorCredentials)
  const browser = await openBrowser()
  const figures: Figure[] = []
  for (const profile of PROFILES) figures.push(...(await measureProfile(browser, system, profile)))
  await browser.close()
  return figures
}

async function postEvents(env: OperatorCredentials): Promise<void> {
  const bridge = new TestBridge(env.PROVIDER_ORIGIN, 'bridge_bench_page')
  const enrollment = { key_hash: bridge.keyHash, name: 'Bench', homes: [DEMO_HOMES.owner] }
  await callOperator(env, 'PUT', `${ADMIN_PATHS.bridges}/${bridge.id}`, enrollment)
  const device_id = 'bench_camera'
  await bridge.register(device_id, { device_order: 99 })
  const scenes = await SceneLibrary.open(fileURLToPath(new URL('../../scenes/', import.meta.url)))
  const [action] = scenes.getScene('driveway').lights.day.actions
  const thumb_object = await bridge.upload(
    device_id,
    'thumb',
    'bench_page',
    await scenes.readSceneFile(action?.thumb ?? ''),
  )
  const now = Date.now()
  const intervalMs = (EVENT_SPAN_DAYS * 86_400_000) / EVENT_COUNT
  for (let at = 0; at < EVENT_COUNT; at += BATCH_SIZE) {
    const events = Array.from({ length: BATCH_SIZE }, (_, i) =>
      createBridgeEvent(device_id, `bench_page_${at + i}`, {
        event_ts: Math.round(now - 60_000 - (at + i) * intervalMs),
        // The events are two minutes apart, so each one is a visit of its own.
        title: `${POSTED_TITLE} ${i % 2 === 0 ? 'gate' : 'door'}`,
        thumb_object,
      }),
    )
    const { status } = await bridge.send('POST', BRIDGE_PATHS.history, { device_id, events })
    if (status !== 200) throw new Error(`Posting the history returned ${status}.`)
  }
}

async function measureProfile(browser: Browser, system: System, profile: Profile): Promise<Figure[]> {
  const { context, page } = await openSignedInPage(browser, system.origin, '/events', profile.viewport)
  const cdp = await context.newCDPSession(page)
  await page.addInitScript(recordInteractions)
  await page.goto(`${system.origin}/events`)
  await page.waitForFunction(isListLoaded)
  await page.waitForTimeout(2 * SETTLE_MS)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: profile.cpuSlowdown })
  const filterTimesMs: number[] = []
  const slowestInteractionsMs: number[] = []
  for (let run = 0; run < RUNS; run++) {
    filterTimesMs.push(...(await measureFilterTimes(page, profile)))
    slowestInteractionsMs.push(await runInteractions(page, profile))
  }
  const figures: Figure[] = [
    createMaxFigure(
      `events: filter to paint at 10,000, ${profile.name}, median`,
      median(filterTimesMs),
      'ms',
      profile.maxFilterMs,
    ),
    createMaxFigure(
      `events: slowest of the scripted interactions, ${profile.name}, median`,
      median(slowestInteractionsMs),
      'ms',
      profile.maxInpMs,
    ),
  ]
  if (profile.cpuSlowdown === 1) figures.push(...(await measureScrolls(page, cdp)))
  // Otherwise, the next profile shares the processors with this page.
  await context.close()
  return figures
}

async function measureScrolls(page: Page, cdp: CDPSession): Promise<Figure[]> {
  const fps = await measureScroll(page, cdp, 4000)
  const fast = await measureScroll(page, cdp, 12_000)
  return [
    { label: 'events: scroll at 4,000 px/s', value: fps.fps, unit: 'fps', goal: 58, bound: 'min' },
    createMaxFigure('events: blank frames at 12,000 px/s', fast.blankFrameCount, 'frames', 0),
  ]
}

const createMaxFigure = (label: string, value: number, unit: string, goal: number): Figure => ({
  label,
  value,
  unit,
  goal,
  bound: 'max',
})

/** Runs in the page: returns true if the whole range has loaded. */
function isListLoaded(): boolean {
  const list = document.querySelector('[data-list]')
  return list !== null && list.clientHeight > 700_000
}

/**
 * Returns the times from a click on a tag chip to the painted list, ms. The first click sets the filter, the second
 * removes it. On mobile, the chips are in a sheet above the list.
 */
async function measureFilterTimes(page: Page, { hasFilterSheet }: Profile): Promise<number[]> {
  const chip = page.getByRole('button', { name: 'Package', exact: true })
  if (hasFilterSheet) await page.getByRole('button', { name: 'Filters' }).click()
  await chip.waitFor()
  await page.waitForTimeout(SETTLE_MS)
  const times: number[] = []
  for (let press = 0; press < 2; press++) {
    const [time] = await Promise.all([page.evaluate(waitForPaintedList), chip.click()])
    times.push(time)
    await page.waitForTimeout(SETTLE_MS)
  }
  if (hasFilterSheet) await page.keyboard.press('Escape')
  await page.waitForTimeout(SETTLE_MS)
  return times
}

/** Runs in the page: resolves with the ms from the next click to the painted list. */
function waitForPaintedList(): Promise<number> {
  return new Promise((resolve) => {
    const scroller = document.querySelector('[data-scroller]')
    addEventListener(
      'click',
      ({ timeStamp }) => {
        const observer = new MutationObserver((records) => {
          if (!records.some(({ target }) => (target as Element).closest('[data-list]'))) return
          observer.disconnect()
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel()
            port1.onmessage = () => resolve(performance.now() - timeStamp)
            port2.postMessage(0)
          })
        })
        if (scroller) observer.observe(scroller, { childList: true, subtree: true, attributes: true })
      },
      { capture: true, once: true },
    )
  })
}

/**
 * Runs in the page: records the longest interaction, from input to the next paint. Pointer movements are not
 * interactions (Event Timing: they have no `interactionId`).
 */
function recordInteractions(): void {
  const page = globalThis as { slowest?: number }
  page.slowest = 0
  new PerformanceObserver((list) => {
    for (const { duration, interactionId } of list.getEntries() as PerformanceEventTiming[])
      if (interactionId) page.slowest = Math.max(page.slowest ?? 0, duration)
  }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
}

/** Runs the scripted interactions. Returns the duration of the slowest, ms. */
async function runInteractions(page: Page, { hasFilterSheet }: Profile): Promise<number> {
  await page.evaluate(() => void ((globalThis as { slowest?: number }).slowest = 0))
  const settle = () => page.waitForTimeout(SETTLE_MS)
  await page.getByRole('button', { name: hasFilterSheet ? 'Filters' : 'All cameras' }).click()
  await settle()
  const first = page.getByRole('checkbox').filter({ visible: true }).first()
  await first.click()
  await settle()
  await first.click()
  await settle()
  await page.keyboard.press('Escape')
  await settle()
  // The posted events have no clips.
  const cards = page.getByRole('main').getByRole('listitem').filter({ hasNotText: POSTED_TITLE })
  await cards.first().click()
  await settle()
  for (const key of ['n', 'p', 'Escape']) {
    await page.keyboard.press(key)
    await settle()
  }
  return page.evaluate(() => (globalThis as { slowest?: number }).slowest ?? Number.NaN)
}

interface ScrollResult {
  readonly fps: number
  readonly blankFrameCount: number
}

/**
 * Scrolls the list by 20,000 px at `speed` px/s. Returns the frames per second and the number of frames without a list
 * item at the center.
 */
async function measureScroll(page: Page, cdp: CDPSession, speed: number): Promise<ScrollResult> {
  const box = await page.locator('[data-scroller]').boundingBox()
  if (!box) throw new Error('The page has no event list.')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.evaluate(countFrames, { x, y })
  await cdp.send('Input.synthesizeScrollGesture', {
    x,
    y,
    yDistance: -20_000,
    speed,
    preventFling: true,
    gestureSourceType: 'mouse',
  })
  return page.evaluate(() => (globalThis as unknown as { endFrames: () => ScrollResult }).endFrames())
}

/** Runs in the page: counts frames, and those without a list item at the given point. */
function countFrames({ x, y }: { x: number; y: number }): void {
  const times: number[] = []
  const list = document.querySelector('[data-list]')
  const scroller = document.querySelector('[data-scroller]')
  let last = scroller?.scrollTop ?? 0
  let blankFrameCount = 0
  let movedFrameCount = 0
  let frame = requestAnimationFrame(function onFrame(time) {
    const top = scroller?.scrollTop ?? 0
    if (top !== last || times.length > 0) times.push(time)
    if (top !== last) {
      movedFrameCount = times.length
      const hit = document.elementFromPoint(x, y)
      if (!hit || hit === list || !list?.contains(hit)) blankFrameCount++
    }
    last = top
    frame = requestAnimationFrame(onFrame)
  })
  Object.assign(globalThis, {
    endFrames: (): ScrollResult => {
      cancelAnimationFrame(frame)
      const [from = 0, to = 0] = [times[0], times[movedFrameCount - 1]]
      return { fps: ((movedFrameCount - 1) * 1000) / (to - from), blankFrameCount }
    },
  })
}
