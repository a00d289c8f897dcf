import type { Locator, Page } from 'playwright/test'
import { expect, SIGNED_IN_STATES, test } from '../support/e2e.ts'
import { eventCards } from '../support/events.ts'
import { openPageWithSharedMoments } from '../support/shared-moments.ts'
import { AFTERNOON_TIME_ZONE } from '../support/time-zone.ts'
import { timelineStrips } from '../support/timeline.ts'

test.use({ storageState: SIGNED_IN_STATES.owner })

const findFrontDoor = (page: Page) => page.getByRole('listitem', { name: 'Front door, live' })
const readBackground = (locator: Locator) => locator.evaluate((element) => getComputedStyle(element).backgroundColor)
const expectDistinct = (first: Locator, other: Locator) =>
  expect
    .poll(async () => {
      const colors = [await readBackground(first), await readBackground(other)]
      return { colors, count: new Set(colors).size }
    })
    .toMatchObject({ count: 2 })
const measureOverflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

test.describe('forced colors', () => {
  test.use({ contextOptions: { forcedColors: 'active' }, timezoneId: AFTERNOON_TIME_ZONE })

  test(
    'today’s marks, states and the selected layout differ from their surroundings',
    { tag: '@all' },
    async ({ page }) => {
      await page.goto('/live')
      await expect(findFrontDoor(page)).toBeVisible()
      const line = page.locator('.live-strip-line')
      const mark = line.getByRole('link').first()
      await expect(mark).toBeVisible()
      await expectDistinct(mark, line)
      const layouts = page.getByRole('group', { name: 'Layout' })
      await expectDistinct(
        layouts.locator('[aria-pressed=true]').first(),
        layouts.locator('[aria-pressed=false]').last(),
      )
      const pill = findFrontDoor(page).locator('.pill').first()
      await expectDistinct(pill.locator('.dot-live'), pill)
    },
  )

  test('busy hours differ by shade, and the synced playback page is opaque', { tag: '@all' }, async ({ page }) => {
    const { moments } = await openPageWithSharedMoments(page, '/events')
    const busyHours = page.getByRole('region', { name: 'Busy hours' })
    await expect(busyHours.locator('button.heat-4').first()).toBeVisible()
    await expectDistinct(busyHours.locator('button.heat-4').first(), busyHours)
    await expectDistinct(busyHours.locator('button.heat-4').first(), busyHours.locator('button.heat-1').first())
    const { event } = moments[0] ?? {}
    await page.goto(`/events?event=${event?.event_id}&camera=${event?.device_id}`)
    await page
      .getByRole('region', { name: 'Timeline' })
      .getByRole('button', { name: /^Watch \d+ cameras together$/ })
      .click()
    await expect(page.getByRole('region', { name: 'Same time' })).toHaveCSS('background-color', /^rgb\(/)
  })
})

/**
 * Returns the names and sizes of visible links and buttons whose width or height is below 44 px. The size includes the
 * area that `::after` adds. Inline links, inert elements and the skip link are exempt.
 */
const listSmallTargets = (within: Locator) =>
  within.evaluate((root) =>
    [...root.querySelectorAll('a[href], button')]
      .filter(
        (element) =>
          element.checkVisibility({ visibilityProperty: true }) && getComputedStyle(element).display !== 'inline',
      )
      .filter((element) => !element.closest('[inert]') && !element.matches('.skip-link'))
      .map((element) => {
        const { width, height } = element.getBoundingClientRect()
        const more = Math.max(0, -parseFloat(getComputedStyle(element, '::after').top) || 0) * 2
        return {
          name: element.getAttribute('aria-label') ?? element.textContent,
          width: width + more,
          height: height + more,
        }
      })
      .filter(({ width, height }) => width > 0 && Math.min(width, height) < 43.9)
      .map(({ name, width, height }) => `${name}: ${width} × ${height}`),
  )

test('an open page follows the system to dark mode and back', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/events')
  await expect(timelineStrips(page).first()).toBeVisible()
  const body = page.locator('body')
  await expect(body).toHaveCSS('background-color', 'rgb(251, 248, 244)')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(body).toHaveCSS('background-color', 'rgb(21, 16, 28)')
  await page.emulateMedia({ colorScheme: 'light' })
  await expect(body).toHaveCSS('background-color', 'rgb(251, 248, 244)')
})

test.describe('a touch screen', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test(
    'has 44 px targets on cameras, their dialogs, events, a clip and the account',
    { tag: '@all' },
    async ({ page }) => {
      const wholePage = page.locator('body')
      await page.goto('/live')
      await expect(findFrontDoor(page)).toBeVisible()
      await expect.poll(() => listSmallTargets(wholePage)).toEqual([])
      await page.getByRole('button', { name: 'Filter cameras' }).tap()
      await expect(page.getByRole('dialog')).toBeVisible()
      await expect.poll(() => listSmallTargets(page.getByRole('dialog'))).toEqual([])
      await page.goto('/events')
      await expect(timelineStrips(page)).toHaveCount(1)
      await expect(page.getByRole('button', { name: 'Filters' })).toBeVisible()
      await expect.poll(() => listSmallTargets(wholePage)).toEqual([])
      await eventCards(page).first().tap()
      await expect(page.getByRole('region', { name: 'Clip', exact: true }).getByText('Download')).toBeVisible()
      await expect.poll(() => listSmallTargets(page.getByRole('region', { name: 'Clip', exact: true }))).toEqual([])
      await page.goto('/account')
      await expect(page.getByRole('region', { name: 'Your plan' }).getByRole('heading')).toBeVisible()
      await expect.poll(() => listSmallTargets(page.getByRole('navigation', { name: 'Account' }))).toEqual([])
      await expect.poll(() => listSmallTargets(page.getByRole('banner'))).toEqual([])
    },
  )
})

test.describe('a page at four times its size', () => {
  test.use({ viewport: { width: 320, height: 256 } })

  test('never scrolls sideways, and nothing above the event list covers it', { tag: '@all' }, async ({ page }) => {
    for (const [route, content] of [
      ['/live', page.getByRole('list', { name: 'Cameras' }).getByRole('listitem').first()],
      ['/account', page.getByRole('region', { name: 'Your plan' }).getByRole('heading')],
      ['/account/billing', page.getByRole('heading', { level: 1 })],
      ['/account/products/choose', page.getByRole('heading', { level: 1 })],
      ['/account/products/unlimited', page.getByRole('heading', { level: 1 })],
      ['/events', eventCards(page).first()],
    ] as const) {
      await page.goto(route)
      await expect(content).toBeVisible()
      await expect.poll(() => measureOverflow(page), route).toBe(0)
    }
    await eventCards(page).nth(2).click()
    const clip = page.getByRole('region', { name: 'Clip', exact: true })
    await expect(clip).toBeVisible()
    await expect.poll(() => measureOverflow(page), 'a clip').toBe(0)
    // The video must leave room for its controls on this small screen.
    await expect(clip.getByRole('slider', { name: 'Position in the clip' })).toBeInViewport()
  })
})
