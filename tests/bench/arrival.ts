import { feedMessage } from '../../contract/events/feed.ts'
import { safeParse } from 'valibot'
import { median, openBrowser, openSignedInPage } from './browser.ts'
import type { Figure } from './figure.ts'
import type { System } from './system.ts'

/**
 * Maximum wait for `REQUIRED_EVENTS` events, ms. The wait can be long, because virtual cameras record only at the times
 * of their day schedule.
 */
const MAX_EVENT_WAIT_MS = 300_000
const REQUIRED_EVENTS = 2
/** Time for which a clip continues after the last movement, ms (POST_ROLL_S in bridge/virtual/virtual-clip.ts). */
const POST_ROLL_MS = 2000

/** Runs in the page: records when each event card appears (ms since the epoch). */
function recordCardTimes(): void {
  const cards: Record<string, number> = ((globalThis as { cards?: Record<string, number> }).cards = {})
  const scan = () =>
    document.querySelectorAll<HTMLElement>('[data-event]').forEach(({ dataset }) => {
      cards[dataset['event'] ?? ''] ??= Date.now()
    })
  new MutationObserver(scan).observe(document, { childList: true, subtree: true, attributeFilter: ['data-event'] })
}

/** Measures the seconds from the end of an event's last movement until the event's card appears on an open page. */
export async function measureEventArrival(system: System): Promise<Figure[]> {
  const browser = await openBrowser()
  const { context, page } = await openSignedInPage(browser, system.origin, '/events')
  await context.addInitScript(recordCardTimes)
  const lastMovementTimes = new Map<string, number>()
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      const { success, output } = safeParse(feedMessage, JSON.parse(String(payload)))
      if (!success || output.type !== 'event') return
      const { event_id, event_resources } = output.event
      if (event_resources[0]) lastMovementTimes.set(event_id, event_resources[0].end_time - POST_ROLL_MS)
    }),
  )
  await page.goto(`${system.origin}/events`)
  const until = performance.now() + MAX_EVENT_WAIT_MS
  while (lastMovementTimes.size < REQUIRED_EVENTS && performance.now() < until) await page.waitForTimeout(500)
  await page.waitForTimeout(1000)
  const cards = await page.evaluate(() => (globalThis as { cards?: Record<string, number> }).cards ?? {})
  await browser.close()
  const delays = [...lastMovementTimes].map(([id, end]) => (cards[id] ?? Number.NaN) - end).filter(Number.isFinite)
  return [
    {
      label: `events: end at the camera to card on the open page, median of ${delays.length}`,
      value: median(delays) / 1000,
      unit: 's',
      goal: 3,
      bound: 'max',
    },
  ]
}
