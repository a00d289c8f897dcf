import type { Page } from 'playwright/test'
import { findViolations, findViolationsInAllAppearances } from '../support/axe.ts'
import {
  type CheckedRoute,
  LAYOUT_ROUTES,
  NOT_FOUND_PROBLEM,
  openWithoutShift,
  SIMILAR_ROUTES,
  VARIANT_ROUTES,
} from '../support/checked-routes.ts'
import { expect, removeExpectedProblems, SIGNED_IN_STATES, test, SIGNED_OUT_401 } from '../support/e2e.ts'
import { recordLayoutShifts } from '../support/shifts.ts'

/** Checks that nothing is wider than the page, at widths that `findViolationsInAllAppearances` does not check. */
async function expectNoSidewaysScroll(page: Page, route: string): Promise<void> {
  for (const width of [350, 700, 768, 1024]) {
    await page.setViewportSize({ width, height: 800 })
    const measureOverflow = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    // Polls, because the page needs time for its layout after a resize.
    await expect.poll(measureOverflow, `${route} at ${width}`).toBe(0)
  }
}

async function checkRoute(page: Page, route: CheckedRoute, listViolations: typeof findViolations): Promise<void> {
  const [path] = route
  await test.step(path, async () => {
    for (const width of [390, 1440]) await openWithoutShift(page, route, width)
    await expectNoSidewaysScroll(page, path)
    expect(await listViolations(page, path)).toEqual([])
  })
}

test.describe('signed in', () => {
  test.use({ storageState: SIGNED_IN_STATES.owner })
  test.beforeEach(({ page }) => recordLayoutShifts(page))

  for (const layout of LAYOUT_ROUTES)
    test(`LAYOUT-13 ${layout[0]} does not move, scroll sideways or have axe findings, from 350 to 1440 px, light and dark`, async ({
      page,
    }) => {
      test.slow()
      await checkRoute(page, layout, findViolationsInAllAppearances)
    })

  for (const routes of [SIMILAR_ROUTES.slice(0, 5), SIMILAR_ROUTES.slice(5)])
    test(`LAYOUT-13 ${routes.map(([route]) => route).join(' ')} do not move, scroll sideways or have axe findings`, async ({
      page,
      problems,
    }) => {
      test.slow()
      for (const route of routes) await checkRoute(page, route, findViolations)
      removeExpectedProblems(problems, NOT_FOUND_PROBLEM)
    })

  test(
    'the same pages with other data do not move, scroll sideways or have axe findings',
    { tag: '@all' },
    async ({ page, problems }) => {
      test.slow()
      for (const route of VARIANT_ROUTES) await checkRoute(page, route, findViolationsInAllAppearances)
      removeExpectedProblems(problems, NOT_FOUND_PROBLEM)
    },
  )

  test('axe finds nothing on an open camera, even with the video zoomed in', { tag: '@all' }, async ({ page }) => {
    test.slow()
    await page.goto('/live')
    await page
      .getByRole('listitem', { name: 'Front door, live' })
      .getByRole('button', { name: /^Open / })
      .click()
    await expect(page.getByRole('group', { name: 'Front door, live' })).toBeVisible()
    expect(await findViolations(page, 'one camera')).toEqual([])
    await page.keyboard.press('+')
    await expect(page.getByRole('button', { name: '1.5×, reset zoom' })).toBeVisible()
    expect(await findViolations(page, 'one camera, zoomed', '.one-camera')).toEqual([])
  })
})

test('axe finds nothing on the provider’s sign-in page', async ({ page, problems }) => {
  await page.goto('/live')
  await expect(page.getByLabel('Email')).toBeVisible()
  expect(await findViolationsInAllAppearances(page, 'sign-in page')).toEqual([])
  removeExpectedProblems(problems, SIGNED_OUT_401)
})

test('axe finds nothing on the pages of a signed-out visitor', { tag: '@all' }, async ({ page, problems }) => {
  test.slow()
  for (const route of ['/', '/nope']) {
    await page.goto(route)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect(await findViolationsInAllAppearances(page, route)).toEqual([])
  }
  removeExpectedProblems(problems, SIGNED_OUT_401, NOT_FOUND_PROBLEM)
})

for (const [title, routes, tag] of [
  ['a page waits', ['/account/billing', '/user/callback?redirect_uri=%2F'], []],
  ['the pages of the sign-in wait', ['/user/login', '/user/redirect'], ['@all']],
] as const)
  test(`axe finds nothing while ${title}`, { tag: [...tag] }, async ({ page }) => {
    await page.route('**/api/auth/**', () => {})
    // Disables request timeouts, so that the page stays in its loading state during the check.
    await page.addInitScript(() => void (AbortSignal.timeout = () => new AbortController().signal))
    for (const route of routes) {
      await page.goto(route)
      await expect(page.locator('#loading')).toBeVisible()
      expect(await findViolations(page, route)).toEqual([])
    }
  })
