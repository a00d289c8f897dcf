import type { Page } from 'playwright/test'
import { CAPTURED } from '../../contract/measured.ts'
import { E2E_HALVES } from '../../scripts/lib/reports.ts'
import { expect, forgive, logOut, signIn, test } from '../support/e2e.ts'
import { follow, UNTIL_SENT } from '../support/measured-page.ts'

const [, { experiment }] = E2E_HALVES
/** Where the page keeps the variant of who is signed in. */
const known = (page: Page) => page.evaluate(() => localStorage.getItem('experiment_variant'))
const byYear = (page: Page) => page.getByRole('group', { name: 'Prices by' }).getByRole('button', { name: /Annual/ })

const CHOOSER = '/account/products/choose'

for (const email of ['owner@example.com', 'free@example.com'])
  test(`${email} sees the form that is theirs from the second page on, is counted once, and takes it along`, async ({
    page,
    problems,
  }) => {
    // What is measured is sent every ten seconds.
    test.slow()
    const { sent } = follow(page)
    const told = (type: string) =>
      sent.filter(({ event_type, event_properties: { route } }) => event_type === type && route === CHOOSER)
    await page.goto('/user/login')
    await signIn(page, email)
    await expect(page).toHaveURL(/\/account\/services$/)
    await expect.poll(() => known(page), UNTIL_SENT).toMatch(/^(control|treatment)$/)
    const variant = await known(page)
    for (const times of [1, 2]) {
      await page.goto(CHOOSER)
      await expect(byYear(page)).toHaveAttribute('aria-pressed', String(variant === 'treatment'))
      await expect.poll(() => told(CAPTURED.pageViewed), UNTIL_SENT).toHaveLength(times)
      await expect
        .poll(() => told(CAPTURED.exposure).map((one) => one.event_properties), UNTIL_SENT)
        .toEqual([{ flag_key: experiment, route: CHOOSER, variant }])
      expect(await known(page)).toBe(variant)
    }
    await logOut(page)
    await expect(page).toHaveURL('/')
    expect(await known(page)).toBeNull()
    expect(told(CAPTURED.exposure)).toHaveLength(1)
    // Before the sign-in nobody is signed in.
    forgive(problems, /401/)
  })
