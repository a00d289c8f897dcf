import { parseEventTime } from '../../support/events.ts'
import { TIME_ZONE } from '../../support/time-zone.ts'
import type { Journey, JourneyElement, JourneyEnvironment, JourneyPage } from '../journey.ts'
import {
  expectUrl,
  assert,
  clickOn,
  expectNoOverflow,
  pressKey,
  expectVideoPlaying,
  waitUntilStill,
  signIn,
  waitUntil,
} from '../page-helpers.ts'

const EVENT_CARD_SELECTOR = 'main li a[data-event]'
const CLIP_VIDEO_SELECTOR = 'video[aria-label^="Clip: "]'
const TIMELINE_STRIP_SELECTOR = '[role=gridcell]'
/** Horizontal distance of a click from a tick, px. */
const CLICK_OFFSET_PX = 4
/** Label of a tick that stands for several events. The journey clicks only ticks of one event. */
const COMBINED_TICK_PATTERN = / and \d+ more,/
/** The test clicks only positions whose nearest tick is at least this many px nearer than the second-nearest. */
const MIN_TICK_CLEARANCE_PX = 3

/** A tick of a timeline strip: its x position in the window and its accessible name. */
interface Tick {
  readonly x: number
  readonly label: string
}

export const eventsJourney: Journey = {
  name: 'events',
  summary: 'The list led to a clip that played, and clicks beside ticks of the timeline opened the nearest event.',
  async run(deployment) {
    const { page, origin } = deployment
    await page.goto(`${origin}/events`)
    await signIn(page)
    await expectUrl(page, '/events')
    await waitUntil('The list has no events.', async () => (await page.$$(EVENT_CARD_SELECTOR)).length > 3)
    await expectNoOverflow(page)
    await playClip(page)
    for (const share of [0.4, 0.8])
      for (const offsetPx of [-CLICK_OFFSET_PX, CLICK_OFFSET_PX]) await clickBesideTick(deployment, share, offsetPx)
  },
}

const getOpenEventId = async (page: JourneyPage) => new URL(await page.url()).searchParams.get('event') ?? ''

async function playClip(page: JourneyPage): Promise<void> {
  const card = (await page.$$(EVENT_CARD_SELECTOR))[1]
  assert(card, 'The list has only one event.')
  const id = await card.evaluate((link) => link.getAttribute('data-event'))
  await clickOn(page, card)
  await waitUntil('A click on an event does not open it.', async () => (await getOpenEventId(page)) === id)
  await expectVideoPlaying(page, CLIP_VIDEO_SELECTOR)
  await waitUntil('The clip has no video of at least 300 by 160 px.', () =>
    page.$eval(CLIP_VIDEO_SELECTOR, (element) => {
      const { videoWidth, videoHeight } = element as HTMLVideoElement
      return videoWidth > 300 && videoHeight > 160
    }),
  )
  await expectNoOverflow(page)
  await page.goBack()
  await expectUrl(page, '/events')
}

async function clickBesideTick({ page, origin }: JourneyEnvironment, share: number, offsetPx: number): Promise<void> {
  await page.goto(`${origin}/events`)
  const strip = await waitUntil('The timeline has no strips.', async () => {
    const first = await page.$(TIMELINE_STRIP_SELECTOR)
    // While the events load, the label counts only a part of them, and the keys find no ticks.
    const isLoaded = await first?.evaluate(
      (element) =>
        element.closest('[role=grid]')?.ariaBusy === 'false' &&
        /Online for .+ events?$/.test(element.getAttribute('aria-label') ?? ''),
    )
    return isLoaded && first
  })
  const ticks = await readTicks(page, strip)
  // After the keys: the focus scrolls a strip into view that a restored scroll position has moved.
  const box = await waitUntilStill(() => Promise.resolve(strip))
  const clear = ticks
    .filter(({ label }) => !COMBINED_TICK_PATTERN.test(label))
    .map(({ x }) => x + offsetPx)
    .filter((x) => hasClearNearestTick(ticks, x))
  const x = clear[Math.floor(clear.length * share)]
  assert(x !== undefined, `None of ${ticks.length} ticks is far enough from its neighbors.`)
  const expectedLabel = sortByDistance(ticks, x)[0]?.label ?? ''
  await page.mouse.click(x, box.y + box.height / 2)
  const id = await waitUntil(`A click ${offsetPx} px beside “${expectedLabel}” opens nothing.`, () =>
    getOpenEventId(page),
  )
  // The browser's region decides between 24 and 12 hours.
  const times = ['en-GB', 'en-US'].map((locale) =>
    new Date(parseEventTime(id)).toLocaleTimeString(locale, { timeZone: TIME_ZONE }).replace(/\s/, ' '),
  )
  assert(
    times.some((time) => expectedLabel.replaceAll(/\s/g, ' ').includes(time)),
    `A click ${offsetPx} px beside “${expectedLabel}” opens the event of ${times[0]}.`,
  )
  await expectVideoPlaying(page, CLIP_VIDEO_SELECTOR)
}

const sortByDistance = (ticks: readonly Tick[], x: number) =>
  ticks.toSorted((a, b) => Math.abs(a.x - x) - Math.abs(b.x - x))

function hasClearNearestTick(ticks: readonly Tick[], x: number): boolean {
  const [first, second] = sortByDistance(ticks, x).map((tick) => Math.abs(tick.x - x))
  return first !== undefined && (second === undefined || second - first >= MIN_TICK_CLEARANCE_PX)
}

async function readTicks(page: JourneyPage, strip: JourneyElement): Promise<Tick[]> {
  const readTick = async (): Promise<Tick> => {
    const cursor = await waitUntil('The keyboard shows no cursor.', () => page.$('[data-cursor]'))
    const left = await cursor.evaluate((element) => element.getBoundingClientRect().x)
    return { x: left + 1, label: (await strip.evaluate((element) => element.getAttribute('aria-label'))) ?? '' }
  }
  await strip.focus()
  await pressKey(page, 'End')
  const last = await readTick()
  await pressKey(page, 'Home')
  const ticks = [await readTick()]
  while (ticks.at(-1)?.label !== last.label && ticks.length < 500) {
    await pressKey(page, 'ArrowRight')
    ticks.push(await readTick())
  }
  return ticks
}
