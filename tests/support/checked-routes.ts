import { expect, type Locator, type Page } from 'playwright/test'
import { listLayoutShifts } from './shifts.ts'

/** Largest layout shift of a page load, as a score of the Layout Instability API. */
const MAX_LAYOUT_SHIFT = 0.02

const findHeading = (page: Page) => page.getByRole('heading', { level: 1 })
const findPlanHeading = (page: Page) => page.getByRole('region', { name: 'Your plan' }).getByRole('heading')

/** Path of a route, and the element that is visible once its page has loaded. */
export type CheckedRoute = readonly [path: string, findContent: (page: Page) => Locator]

/** Routes with their own layout. */
export const LAYOUT_ROUTES: readonly CheckedRoute[] = [
  ['/live', (page) => page.getByRole('listitem', { name: 'Front door, live' })],
  ['/events', (page) => page.getByRole('main').getByRole('listitem').first()],
  ['/account', findPlanHeading],
  ['/account/products/choose', findHeading],
]
export const SIMILAR_ROUTES: readonly CheckedRoute[] = [
  ['/', findHeading],
  ['/account/billing', findHeading],
  ['/account/services', findHeading],
  ['/account/services/cover', findHeading],
  ['/account/billing/invoice?bill=none', findHeading],
  ['/account/payment', findHeading],
  [
    '/account/activity',
    (page) => page.getByRole('region', { name: 'Activity', exact: true }).getByRole('listitem').first(),
  ],
  ['/account/people', (page) => page.getByRole('list', { name: 'Named people' }).getByRole('listitem').first()],
  ['/account/products/unlimited', findHeading],
  ['/account/redeem/choose?coupon=WELCOME20', findHeading],
]
/** The 404 page, and routes whose pages resemble those of `LAYOUT_ROUTES` or `SIMILAR_ROUTES`. */
export const VARIANT_ROUTES: readonly CheckedRoute[] = [
  ['/nope', findHeading],
  ['/account/products/camera-ai', findHeading],
  ['/account/products/home-monitoring', findHeading],
  ['/account/redeem/choose', findHeading],
]

/** 404 responses that the routes provoke; the browser reports them as problems. */
export const NOT_FOUND_PROBLEM = { status: 404, path: /^\/nope$|\/invoice/ }

/**
 * Opens the route and waits for its content. Fails if the page moves while it loads. Call `recordLayoutShifts` before
 * the first route.
 */
export async function openWithoutShift(page: Page, [route, findContent]: CheckedRoute, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 844 })
  await page.goto(route)
  await expect(findContent(page)).toBeVisible()
  await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0)
  // Settled: every part of the page has loaded.
  const shifts = await listLayoutShifts(page)
  const score = shifts.reduce((sum, shift) => sum + shift.score, 0)
  expect(score, `${route} at ${width} px moves: ${JSON.stringify(shifts)}`).toBeLessThanOrEqual(MAX_LAYOUT_SHIFT)
}
