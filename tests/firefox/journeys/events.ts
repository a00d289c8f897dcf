import type { ElementHandle, Page } from 'puppeteer-core'
import { parseEventTime } from '../../support/events.ts'
import { TIME_ZONE } from '../../support/time-zone.ts'
import type { Journey, Stage } from '../journey.ts'
import { address, assert, clickOn, fits, key, moves, settled, signIn, until } from '../looks.ts'

const CARD = 'main li a[data-event]'
const CLIP = 'video[aria-label^="Recording: "]'
const STRIP = '[role=gridcell]'
/** Horizontal distance of a click from a tick, px. */
const BESIDE = 4
/** Clicks are tried only at positions whose nearest tick is at least this much nearer than the next one, px. */
const CLEAR = 3

/** A tick of a timeline strip: its x position in the window and its accessible name. */
interface Tick {
  readonly x: number
  readonly label: string
}

export const events: Journey = {
  name: 'events',
  says: 'The list led to a clip that played, and clicks beside ticks of the timeline opened the nearest event.',
  async go(stage) {
    const { page, origin } = stage
    await page.goto(`${origin}/events`)
    await signIn(page)
    await address(page, '/events')
    await until('The list has no events.', async () => (await page.$$(CARD)).length > 3)
    await fits(page)
    await playClip(page)
    for (const share of [0.4, 0.8]) for (const beside of [-BESIDE, BESIDE]) await clickBeside(stage, share, beside)
  },
}

const openId = (page: Page) => new URL(page.url()).searchParams.get('event') ?? ''

async function playClip(page: Page): Promise<void> {
  const card = (await page.$$(CARD))[1]
  assert(card, 'The list has one event only.')
  const id = await card.evaluate((link) => link.getAttribute('data-event'))
  await clickOn(page, card)
  await until('A click on an event does not open it.', () => openId(page) === id)
  await moves(page, CLIP)
  const { width, height } = await page.$eval(CLIP, (video) => ({
    width: (video as HTMLVideoElement).videoWidth,
    height: (video as HTMLVideoElement).videoHeight,
  }))
  assert(width > 300 && height > 160, `The clip is ${width} by ${height}.`)
  await fits(page)
  await page.goBack()
  await address(page, '/events')
}

async function clickBeside({ page, origin }: Stage, share: number, beside: number): Promise<void> {
  await page.goto(`${origin}/events`)
  const strip = await until('The timeline has no strips.', async () => {
    const first = await page.$(STRIP)
    const label = await first?.evaluate((element) => element.getAttribute('aria-label'))
    return /On for .+ events?$/.test(label ?? '') && first
  })
  const box = await settled(strip)
  const ticks = await readTicks(page, strip)
  const clear = ticks.map(({ x }) => x + beside).filter((x) => isClear(ticks, x))
  const x = clear[Math.floor(clear.length * share)]
  assert(x !== undefined, `None of ${ticks.length} ticks stands by itself.`)
  const expectedLabel = byDistance(ticks, x)[0]?.label ?? ''
  await page.mouse.click(x, box.y + box.height / 2)
  const id = await until(`A click ${beside} px beside “${expectedLabel}” opens nothing.`, () => openId(page))
  const time = new Date(parseEventTime(id)).toLocaleTimeString('en-GB', { timeZone: TIME_ZONE })
  assert(expectedLabel.includes(time), `A click ${beside} px beside “${expectedLabel}” opens the event of ${time}.`)
  await moves(page, CLIP)
}

const byDistance = (ticks: readonly Tick[], x: number) =>
  ticks.toSorted((a, b) => Math.abs(a.x - x) - Math.abs(b.x - x))

function isClear(ticks: readonly Tick[], x: number): boolean {
  const [first, second] = byDistance(ticks, x).map((tick) => Math.abs(tick.x - x))
  return first !== undefined && (second === undefined || second - first >= CLEAR)
}

async function readTicks(page: Page, strip: ElementHandle): Promise<Tick[]> {
  const here = async (): Promise<Tick> => {
    const cursor = await until('The keys show no cursor.', () => page.$('[data-cursor]'))
    const left = await cursor.evaluate((element) => element.getBoundingClientRect().x)
    return { x: left + 1, label: (await strip.evaluate((element) => element.getAttribute('aria-label'))) ?? '' }
  }
  await strip.focus()
  await key(page, 'End')
  const last = await here()
  await key(page, 'Home')
  const ticks = [await here()]
  while (ticks.at(-1)?.label !== last.label && ticks.length < 500) {
    await key(page, 'ArrowRight')
    ticks.push(await here())
  }
  return ticks
}
