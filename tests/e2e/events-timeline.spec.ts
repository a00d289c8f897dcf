import type { Locator, Page } from 'playwright/test'
import { expect, removeExpectedProblems, SIGNED_IN_STATES, test } from '../support/e2e.ts'
import { parseEventTime, eventCards, readEventIds, expectOnlyEventsWith } from '../support/events.ts'
import {
  measureBox,
  clipPlayer,
  readOpenEventId,
  openLoadedTimeline,
  timelineStrips,
  timelineGrid,
} from '../support/timeline.ts'
import { formatDayBefore, AFTERNOON_TIME_ZONE, TIME_ZONE } from '../support/time-zone.ts'

test.use({ storageState: SIGNED_IN_STATES.owner })

/** Returns the position of every tick of a strip, in pixels from the left edge of the window. */
async function listTickPositions(page: Page, strip: Locator): Promise<number[]> {
  await strip.focus()
  await page.keyboard.press('Home')
  const readCursorX = async () => (await measureBox(page.locator('[data-cursor]'))).x + 1
  const ticks: number[] = []
  // Stops when the key no longer moves the cursor, which is then at the last tick. All ticks move slightly at each full
  // minute, so the list can contain the last tick twice.
  for (let x = await readCursorX(); x !== ticks.at(-1); x = await readCursorX()) {
    ticks.push(x)
    await page.keyboard.press('ArrowRight')
  }
  return ticks
}

/**
 * Moves the cursor by keyboard to a tick more than 16 px from its left neighbor, and returns its position. Searches for
 * such a tick, because camera events are irregular.
 */
async function moveToIsolatedTick(page: Page, strip: Locator): Promise<number> {
  const ticks = await listTickPositions(page, strip)
  const tickIndex = ticks.findIndex((tick, n) => n > 0 && tick - (ticks[n - 1] ?? tick) > 16)
  await page.keyboard.press('Home')
  for (let n = 0; n < tickIndex; n++) await page.keyboard.press('ArrowRight')
  return ticks[tickIndex] ?? Number.NaN
}

test('at 24 hours every strip announces totals and events; arrow keys move between events, Enter opens', async ({
  page,
}) => {
  await openLoadedTimeline(page)
  await expect(timelineStrips(page)).toHaveCount(6)
  await expect(page.getByText('Camera on', { exact: true })).toBeVisible()
  for (const strip of await timelineStrips(page).all())
    await expect(strip).toHaveAccessibleName(/: Online for .+\. \d+ events?$/)
  const strip = timelineStrips(page).first()
  await strip.focus()
  await page.keyboard.press('End')
  await expect(strip).toHaveAttribute('aria-label', /^Driveway: .+, .*\d\d:\d\d:\d\d\. .+ from .+/)
  const last = await strip.getAttribute('aria-label')
  await page.keyboard.press('ArrowLeft')
  await expect(strip).not.toHaveAttribute('aria-label', last ?? '')
  await page.keyboard.press('ArrowRight')
  await expect(strip).toHaveAttribute('aria-label', last ?? '')
  await page.keyboard.press('Home')
  await expect(strip).not.toHaveAttribute('aria-label', last ?? '')
  await page.keyboard.press('ArrowDown')
  await expect(timelineStrips(page).nth(1)).toBeFocused()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect(clipPlayer(page)).toBeVisible()
  expect(readOpenEventId(page)).not.toBe('')
})

test(
  'a click five pixels from a tick opens its event, one far from all opens nothing',
  { tag: '@all' },
  async ({ page }) => {
    await openLoadedTimeline(page)
    const strip = timelineStrips(page).first()
    const { y, height, x: left } = await measureBox(strip)
    const x = await moveToIsolatedTick(page, strip)
    const label = await strip.getAttribute('aria-label')
    await page.mouse.move(left + 1, y + height + 200)
    await page.mouse.move(x - 5, y + height / 2)
    await expect(strip).toHaveAttribute('aria-label', label ?? '')
    await page.mouse.down()
    await page.mouse.up()
    await expect(clipPlayer(page)).toBeVisible()
    const opened = readOpenEventId(page)
    expect(opened).not.toBe('')

    const stripBox = await measureBox(strip)
    const ticks = await listTickPositions(page, strip)
    const emptyX = Array.from({ length: Math.floor(stripBox.width) }, (_, pixel) => stripBox.x + pixel)
      .slice(20, -20)
      .find((pixel) => ticks.every((tick) => Math.abs(tick - pixel) > 20))
    await page.mouse.click(emptyX ?? Number.NaN, stripBox.y + stripBox.height / 2)
    expect(readOpenEventId(page)).toBe(opened)
  },
)

test('a drag previews the day with thumbnails, releasing opens the event, and Escape cancels', async ({ page }) => {
  await openLoadedTimeline(page)
  const strip = timelineStrips(page).nth(1)
  const { x, y, width, height } = await measureBox(strip)
  const drag = async () => {
    await page.mouse.move(x + width * 0.9, y + height / 2)
    await page.mouse.down()
    await page.mouse.move(x + width * 0.4, y + height / 2, { steps: 8 })
    await expect(page.locator('.tl-card[data-placed] img')).toHaveAttribute('src', /^\/m\/thumb\//)
  }
  await drag()
  await page.keyboard.press('Escape')
  await page.mouse.up()
  expect(readOpenEventId(page)).toBe('')
  await drag()
  const previewId = (await page.locator('.tl-card img').getAttribute('src'))?.split('/').at(-1) ?? 'none'
  await page.mouse.up()
  await expect(clipPlayer(page)).toBeVisible()
  expect(readOpenEventId(page)).toBe(previewId)
})

test(
  'zoom keeps the open clip in position, or else now, and follows other days’ clips',
  { tag: '@all' },
  async ({ page }) => {
    await openLoadedTimeline(page)
    const title = page.getByRole('region', { name: 'Timeline' }).getByRole('heading')
    await expect(title).toHaveText('Last 24 hours')
    const findZoomButton = (name: string) => page.getByRole('button', { name, exact: true })
    await findZoomButton('3 h').click()
    await expect(findZoomButton('3 h')).toHaveAttribute('aria-pressed', 'true')
    await expect(title).not.toHaveText('Last 24 hours')
    await findZoomButton('24 h').click()
    await expect(title).toHaveText('Last 24 hours')

    const pastDay = formatDayBefore(4)
    await openLoadedTimeline(page, `/events?from=${pastDay}&to=${pastDay}`)
    await eventCards(page).nth(3).click()
    await expect(clipPlayer(page)).toBeVisible()
    await clipPlayer(page).evaluate((video: HTMLVideoElement) => video.pause())
    const playhead = page.locator('.tl-playhead')
    await expect(playhead).toBeVisible()
    const before = (await measureBox(playhead)).x
    await findZoomButton('30 min').click()
    await expect(findZoomButton('30 min')).toHaveAttribute('aria-pressed', 'true')
    await expect(playhead).toBeVisible()
    await expect.poll(async () => Math.abs((await measureBox(playhead)).x - before)).toBeLessThan(3)
    await findZoomButton('24 h').click()
    await expect(playhead).toBeVisible()
    await page.getByRole('button', { name: 'Last 24 hours' }).click()
    await expect(title).toHaveText('Last 24 hours')
    await expect(playhead).toHaveCount(0)
    // Opening another event scrolls the timeline to that event.
    await eventCards(page).nth(1).click()
    await expect(playhead).toBeVisible()
  },
)

test('the wheel zooms, and Shift with the wheel pans', { tag: '@all' }, async ({ page }) => {
  await openLoadedTimeline(page)
  const readTimelineName = () => timelineGrid(page).getAttribute('aria-label')
  await timelineStrips(page).first().hover()
  const fullName = await readTimelineName()
  await page.mouse.wheel(0, -600)
  await expect.poll(readTimelineName).not.toBe(fullName)
  const zoomedName = await readTimelineName()
  await page.keyboard.down('Shift')
  await page.mouse.wheel(0, -300)
  await page.keyboard.up('Shift')
  await expect.poll(readTimelineName).not.toBe(zoomedName)
})

test('the legend lists only what the view contains', { tag: '@all' }, async ({ page }) => {
  await openLoadedTimeline(page)
  const legend = page.getByRole('group', { name: 'Color legend' })
  await expect(legend).toContainText('Recorded')
  await expect(legend).not.toContainText(/Hub off|No data|Expired|Hidden by/)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('button', { name: 'Face', exact: true }).click()
  await expect(legend).toContainText('Hidden by your filters')
  await expect(legend).not.toContainText('Motion')
})

test('everything fits at 1440 by 900 px, with and without an open clip', { tag: '@all' }, async ({ page }) => {
  await openLoadedTimeline(page)
  const measureBottom = async (locator: Locator) => {
    const { y, height } = await measureBox(locator)
    return y + height
  }
  await expect(page.locator('[data-cell]')).toHaveCount(6 * 24)
  await expect.poll(() => measureBottom(page.locator('[data-cell]').last())).toBeLessThan(888)
  await eventCards(page).nth(1).click()
  await expect(clipPlayer(page)).toBeVisible()
  const column = page.locator('[data-column]')
  await expect.poll(() => column.evaluate((element) => element.scrollHeight - element.clientHeight)).toBe(0)
  await expect.poll(() => measureBottom(page.getByRole('group', { name: 'Color legend' }))).toBeLessThan(888)
})

test(
  'a busy-hours cell filters the list to its camera and hour, and Back removes the filter',
  { tag: '@all' },
  async ({ page }) => {
    await openLoadedTimeline(page)
    await page.getByRole('button', { name: /^Backyard, 14:00 – 15:00: [1-9]/ }).click()
    await expect(page).toHaveURL(/cameras=\w+&hour=14/)
    await expectOnlyEventsWith(page, 'Backyard')
    const toHour = (time: number) =>
      new Date(time).toLocaleTimeString('en', { hour: 'numeric', hourCycle: 'h23', timeZone: TIME_ZONE })
    const listHours = async () => [...new Set((await readEventIds(page)).map((id) => toHour(parseEventTime(id))))]
    await expect.poll(listHours).toEqual(['14'])
    await expect(page.getByRole('button', { name: '14:00 – 15:00', exact: true })).toBeVisible()
    await page.goBack()
    await expect(page).toHaveURL(/\/events$/)
    await expect(page.locator('[data-cell][aria-pressed=true]')).toHaveCount(0)
  },
)

test('Back restores the previous filters, one step at a time', { tag: '@all' }, async ({ page }) => {
  await openLoadedTimeline(page)
  await page.getByRole('button', { name: 'Person', exact: true }).click()
  await page.getByRole('button', { name: '60 days' }).click()
  await expect(page).toHaveURL(/days=60&tags=101/)
  await page.goBack()
  await expect(page).toHaveURL(/\?tags=101$/)
  await expect(page.getByRole('button', { name: '14 days' })).toHaveAttribute('aria-pressed', 'true')
  await page.goBack()
  await expect(page).toHaveURL(/\/events$/)
  await expect(page.getByRole('button', { name: 'Person', exact: true })).toHaveAttribute('aria-pressed', 'false')
})

test('days other than today hide the “Events today” figure', { tag: '@all' }, async ({ page }) => {
  await openLoadedTimeline(page)
  await expect(page.getByText('Events today')).toBeVisible()
  const pastDay = formatDayBefore(5)
  await page.goto(`/events?from=${pastDay}&to=${pastDay}`)
  await expect(page.getByText('In this range', { exact: true })).toBeVisible()
  await expect(page.getByText('Events today')).toHaveCount(0)
})

test(
  'the list reloads automatically when the connection is back',
  { tag: '@all' },
  async ({ page, context, problems }) => {
    const errorScript = page.waitForResponse((answer) => answer.url().includes('/ListError.'))
    // Blocks the feed, because a feed that reconnects would also reload the list.
    await page.routeWebSocket(/\/feed/, () => {})
    await openLoadedTimeline(page)
    // Loads the chunk of the error message, with all its dependencies, while there is a connection.
    await page.evaluate((address) => import(address), (await errorScript).url())
    await context.setOffline(true)
    await page.getByRole('button', { name: '60 days' }).click()
    await expect(page.getByRole('main').getByRole('alert').first()).toBeVisible()
    await context.setOffline(false)
    await expect(eventCards(page).nth(3)).toBeVisible()
    removeExpectedProblems(problems, { network: /ERR_INTERNET_DISCONNECTED/ })
  },
)

test.describe('links from the cameras page', () => {
  test.use({ timezoneId: AFTERNOON_TIME_ZONE })

  test('a mark on today’s strip on the cameras page opens its event', { tag: '@all' }, async ({ page }) => {
    await page.goto('/live')
    const mark = page.locator('.live-strip-line a').first()
    // Later steps use the focused mark, because the mark of a new event would become the first mark.
    await mark.focus()
    const focused = page.locator('.live-strip-line a:focus')
    await expect(focused).toHaveAttribute('href', /^\/events\?event=/)
    const href = (await focused.getAttribute('href')) ?? ''
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(new RegExp(`event=${new URLSearchParams(href.split('?')[1]).get('event') ?? 'none'}`))
    await expect(clipPlayer(page)).toBeVisible()
  })
})

test('without a side column, the timeline and the totals appear above the list', { tag: '@all' }, async ({ page }) => {
  await page.setViewportSize({ width: 768, height: 1024 })
  await openLoadedTimeline(page)
  await expect(timelineStrips(page)).toHaveCount(6)
  await expect(page.getByText('In this range', { exact: true })).toBeVisible()
  await expect(page.getByText('Busiest hour', { exact: true })).toBeVisible()
  await expect(timelineGrid(page)).toBeInViewport({ ratio: 1 })
  await expect(eventCards(page).nth(2)).toBeInViewport({ ratio: 1 })
  await eventCards(page).nth(2).click()
  await expect(clipPlayer(page)).toBeVisible()
  await expect(eventCards(page).nth(2)).toBeInViewport({ ratio: 1 })
})
