import type { Locator, Page } from 'playwright/test'
import { findViolationsOnPhone } from '../support/axe.ts'
import { expect, SIGNED_IN_STATES, test } from '../support/e2e.ts'
import { parseEventTime, expectOnlyEventsWith } from '../support/events.ts'
import { TIME_ZONE } from '../support/time-zone.ts'
import { measureBox, clipPlayer, readOpenEventId, openLoadedTimeline, timelineStrips } from '../support/timeline.ts'

test.use({ storageState: SIGNED_IN_STATES.owner })
test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

test(
  'one camera’s strip is above the list; a finger scrubs it, and lifting it opens the clip',
  { tag: '@all' },
  async ({ page }) => {
    await openLoadedTimeline(page)
    const { x, y, width, height } = await measureBox(timelineStrips(page).first())
    await page.mouse.move(x + width * 0.3, y + height / 2)
    await page.mouse.down()
    await page.mouse.move(x + width * 0.6, y + height / 2, { steps: 8 })
    const previewImage = page.locator('.tl-card[data-placed] img')
    await expect(previewImage).toHaveAttribute('src', /^\/m\/thumb\//)
    const card = await measureBox(page.locator('.tl-card'))
    expect(card.y + card.height).toBeLessThanOrEqual(y)
    const previewId = (await previewImage.getAttribute('src'))?.split('/').at(-1) ?? 'none'
    // Settled: the drag has stopped and the card shows a thumbnail, so the id is that of a real event.
    expect(parseEventTime(previewId)).toBeGreaterThan(0)
    await page.mouse.up()
    await expect(clipPlayer(page)).toBeVisible()
    expect(readOpenEventId(page)).toBe(previewId)
  },
)

/** Minimum distance of the chosen tick from its neighbors, px: twice the offset of a press, plus a clear difference. */
const MIN_NEIGHBOR_DISTANCE_PX = 11

/** Returns the position in the window and the label of a tick of several events. The arrow keys visit all ticks. */
async function findCombinedTick(page: Page, strip: Locator): Promise<{ x: number; label: string }> {
  const readTick = async () => ({
    x: (await measureBox(page.locator('[data-cursor]'))).x + 1,
    label: (await strip.getAttribute('aria-label')) ?? '',
  })
  await strip.focus()
  await page.keyboard.press('Home')
  const ticks = [await readTick()]
  for (;;) {
    await page.keyboard.press('ArrowRight')
    const tick = await readTick()
    if (tick.label === ticks.at(-1)?.label) break
    ticks.push(tick)
  }
  const combined = ticks.findLast(
    ({ x, label }) =>
      / and \d+ more,/.test(label) &&
      ticks.every((other) => other.x === x || Math.abs(other.x - x) >= MIN_NEIGHBOR_DISTANCE_PX),
  )
  if (!combined)
    throw new Error(`None of ${ticks.length} ticks stands for several events and is apart from the others.`)
  return combined
}

test(
  'a press on a tick of several events, or four pixels beside it, opens the event that it names',
  { tag: '@all' },
  async ({ page }) => {
    for (const offset of [-4, 0, 4])
      for (const press of ['tap', 'click'] as const) {
        await openLoadedTimeline(page)
        const strip = timelineStrips(page).first()
        const { y, height } = await measureBox(strip)
        const { x, label } = await findCombinedTick(page, strip)
        const position = [x + offset, y + height / 2] as const
        await (press === 'tap' ? page.touchscreen.tap(...position) : page.mouse.click(...position))
        await expect(clipPlayer(page)).toBeVisible()
        const time = new Date(parseEventTime(readOpenEventId(page))).toLocaleTimeString('en-GB', {
          timeZone: TIME_ZONE,
        })
        expect(label, `${press} at ${offset} px`).toContain(time)
      }
  },
)

test(
  'all strips, their totals and the busy hours open as a page, and the arrow leads back',
  { tag: '@all' },
  async ({ page }) => {
    await openLoadedTimeline(page)
    await page.getByRole('button', { name: '6 cameras' }).click()
    const timelineDialog = page.getByRole('dialog', { name: 'Timeline' })
    await expect(timelineDialog.getByRole('heading', { name: 'Last 24 hours' })).toBeVisible()
    await expect(timelineDialog.getByRole('gridcell')).toHaveCount(6)
    await expect(timelineDialog.getByText(/^Online for /)).toHaveCount(6)
    await expect(timelineDialog.getByRole('heading', { name: 'Busy hours' })).toBeVisible()
    expect(await findViolationsOnPhone(page, 'all strips')).toEqual([])
    await timelineDialog.getByRole('button', { name: 'Back to list' }).click()
    await expect(timelineDialog).toHaveCount(0)
  },
)

test('one sheet holds all filters, each choice becomes a chip, and week and filters stay visible', async ({ page }) => {
  await openLoadedTimeline(page)
  await page.getByRole('button', { name: 'Filters', exact: true }).click()
  const sheet = page.getByRole('dialog', { name: 'Filters' })
  await sheet.getByRole('button', { name: 'Motion', exact: true }).click()
  await sheet.getByRole('checkbox', { name: 'Driveway', exact: true }).check()
  await expect(sheet.locator('calendar-range')).toBeVisible()
  await sheet.getByRole('button', { name: /^Show [\d,]+ events?$/ }).click()
  await expect(sheet).toHaveCount(0)
  await expectOnlyEventsWith(page, 'Driveway')
  await expect(page.getByRole('button', { name: '1 camera' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'All clips' })).toBeInViewport({ ratio: 1 })
  const button = page.getByRole('button', { name: 'Filters · 2' })
  const week = page.getByRole('group', { name: 'Last seven days' })
  await page.locator('[data-scroller]').evaluate((list) => list.scrollTo({ top: 2000 }))
  await expect(button).toBeInViewport()
  await expect(week).toBeInViewport()
  // The days stay visible while the list is scrolled, so another day needs only one tap.
  const yesterday = week.getByRole('button').nth(5)
  await yesterday.click()
  await expect(page.getByRole('heading', { name: 'Yesterday' })).toBeInViewport()
  await page.getByRole('button', { name: 'Remove filter: Motion' }).click()
  await expect(page.getByRole('button', { name: 'Filters · 1' })).toBeVisible()
  await expect(page).not.toHaveURL(/tags=/)
  await page.goBack()
  await expect(button).toBeVisible()
})
