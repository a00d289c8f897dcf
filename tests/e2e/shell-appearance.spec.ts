import { readFileSync } from 'node:fs'
import type { Page } from 'playwright/test'
import { expect, removeExpectedProblems, SIGNED_IN_STATES, test, SIGNED_OUT_401 } from '../support/e2e.ts'

const queueToast = (page: Page, text: string) =>
  page.addInitScript((toast) => window === top && sessionStorage.setItem('next_toast', toast), text)
/** Makes storage full: reads work, every write throws. */
const fillStorage = (page: Page) =>
  page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('Full', 'QuotaExceededError')
    }
  })
const STORAGE_WARNING = /modern browser that supports LocalStorage/

test.describe('account without services', () => {
  test.use({ storageState: SIGNED_IN_STATES.free })

  test(
    'full storage is reported once, not after navigation or a reload, and pages still work',
    { tag: '@all' },
    async ({ page }) => {
      await page.goto('/')
      await page.evaluate(() => {
        for (let size = 2 ** 22; size >= 1; size = Math.floor(size / 2))
          try {
            for (let i = 0; ; i += 1) localStorage.setItem(`full-${size}-${i}`, 'x'.repeat(size))
          } catch {
            // Storage is full for entries of this size. The next iteration writes entries of half the size.
          }
      })
      await page.goto('/account/billing')
      const toast = page.locator('.toast').filter({ hasText: STORAGE_WARNING })
      await expect(toast).toHaveCount(1)
      await expect(page.getByRole('heading', { name: 'Invoices', exact: true })).toBeVisible()
      // A storage warning would appear before this button, so once the button is visible, no warning follows.
      const plans = page.getByRole('banner').locator('[data-plans]')
      for (const go of [() => page.reload(), () => page.goto('/account/services')]) {
        await go()
        await expect(plans).toBeVisible()
        await expect(toast).toHaveCount(0)
      }
    },
  )

  test('NAV-12 CONST-03 the button reads Plans below 420 px and Explore plans from 420 px', async ({ page }) => {
    await page.goto('/account/services')
    const button = page.getByRole('banner').locator('[data-plans]')
    await page.setViewportSize({ width: 419, height: 800 })
    await expect(button).toHaveText('Plans', { useInnerText: true })
    await page.setViewportSize({ width: 420, height: 800 })
    await expect(button).toHaveText('Explore plans', { useInnerText: true })
  })
})

test.describe('signed in', () => {
  test.use({ storageState: SIGNED_IN_STATES.owner })

  test('THEME-02 THEME-03 the primary color is purple, the secondary color green, and the typeface rounded', async ({
    page,
  }) => {
    await page.goto('/account/services/cover')
    const readTheme = () =>
      page.evaluate(() => {
        const style = getComputedStyle(document.documentElement)
        return {
          primary: style.getPropertyValue('--color-primary'),
          secondary: style.getPropertyValue('--color-secondary'),
        }
      })
    await expect.poll(readTheme).toEqual({ primary: '#6a3fd0', secondary: '#1b7a53' })
    const font = /^"Nunito Variable".*ui-rounded.*sans-serif$/
    await expect(page.locator('body')).toHaveCSS('font-family', font)
    await expect(page.getByRole('link', { name: 'Back to services' })).toHaveCSS(
      'background-color',
      'rgb(106, 63, 208)',
    )
  })

  test('THEME-04 video has a dark stage with the same two colors', async ({ page }) => {
    await page.goto('/live')
    const deployment = page.locator('.stage').first()
    await expect(deployment).toBeVisible()
    const readColors = (selector: string) =>
      page.evaluate((name) => {
        const style = getComputedStyle(document.querySelector(name) as Element)
        return {
          primary: style.getPropertyValue('--color-primary'),
          secondary: style.getPropertyValue('--color-secondary'),
          scheme: style.colorScheme,
        }
      }, selector)
    await expect(page.locator('html')).toHaveCSS('color-scheme', 'light')
    await expect.poll(() => readColors('.stage')).toEqual({ ...(await readColors('html')), scheme: 'dark' })
  })

  test('TOAST-01 TOAST-03 CONST-02 a toast appears at the top right and closes after 5 s', async ({ page }) => {
    const now = Date.now()
    await page.clock.install({ time: now })
    await page.clock.pauseAt(now + 60_000)
    await queueToast(page, 'success Saved.')
    await page.goto('/')
    const toast = page.getByRole('status').filter({ hasText: 'Saved.' })
    await expect(toast).toBeVisible()
    await expect
      .poll(async () => {
        const box = await toast.boundingBox()
        return [Math.round(box?.y ?? 0), Math.round((box?.x ?? 0) + (box?.width ?? 0))]
      })
      .toEqual([80, 1416])
    await page.clock.runFor(4999)
    await expect(toast).toBeVisible()
    await page.clock.runFor(1)
    await expect(toast).toBeHidden()
  })

  test('TOAST-04 a toast has the style success, error or warning', async ({ context }) => {
    for (const style of ['success', 'error', 'warning'] as const) {
      const page = await context.newPage()
      await queueToast(page, `${style} A sentence.`)
      // Do not wait for the load event: the page shows the toast before this event, and hides the toast after five
      // seconds.
      await page.goto('/', { waitUntil: 'commit' })
      await expect(
        page.getByRole(style === 'error' ? 'alert' : 'status').filter({ hasText: 'A sentence.' }),
      ).toHaveClass(new RegExp(`toast-${style}`))
      await page.close()
    }
  })

  test('TOAST-02 CONST-02 one toast at a time: the second waits for the first', async ({ page }) => {
    await queueToast(page, 'error The first.')
    await fillStorage(page)
    await page.addInitScript(() => {
      const originalGetItem = Storage.prototype.getItem
      Storage.prototype.getItem = function (key) {
        return key === 'next_toast' ? 'error The first.' : originalGetItem.call(this, key)
      }
    })
    await page.goto('/account/billing', { waitUntil: 'commit' })
    const toasts = page.locator('.toast')
    await expect(toasts).toHaveText([/The first\./])
    await toasts.getByRole('button', { name: 'Close' }).click()
    await expect(toasts).toHaveText([STORAGE_WARNING])
  })

  test('LOG-01 requests are logged in this browser, and the log can be downloaded', async ({ page }) => {
    await page.addInitScript(() => window === top && localStorage.removeItem('action_log'))
    await page.goto('/account/services')
    await expect.poll(() => page.evaluate(() => localStorage.getItem('action_log') ?? '')).toContain('/subscriptions/')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download log' }).click(),
    ])
    const file = JSON.parse(readFileSync(await download.path(), 'utf8')) as {
      requests: { url: string; status: number }[]
    }
    expect(file.requests.some(({ url, status }) => url.includes('/subscriptions/') && status === 200)).toBe(true)
    expect(JSON.stringify(file)).not.toContain('owner@example.com')
  })
})

test('LAYOUT-12 each breakpoint changes the layout', async ({ page, problems }) => {
  await page.goto('/')
  const readLayout = () =>
    page.evaluate(() => {
      const style = (selector: string) => getComputedStyle(document.querySelector(selector) as Element)
      return [
        style('.home').paddingLeft,
        style('.home-title').fontSize,
        style('.home-hero').gridTemplateColumns.split(' ').length,
        style('.home-privacy').gridTemplateColumns.split(' ').length,
      ].join()
    })
  for (const [narrow, other] of [
    [350, 351],
    [380, 381],
    [767, 768],
    [1023, 1024],
    [1439, 1440],
  ] as const) {
    await page.setViewportSize({ width: narrow, height: 800 })
    await expect.poll(() => page.evaluate(() => innerWidth)).toBe(narrow)
    const before = await readLayout()
    await page.setViewportSize({ width: other, height: 800 })
    await expect.poll(readLayout, `${narrow} and ${other} px`).not.toBe(before)
  }
  removeExpectedProblems(problems, SIGNED_OUT_401)
})
