import { expect, test } from '../support/e2e.ts'

const USER_AGENTS = {
  iphone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
  ipad: 'Mozilla/5.0 (iPad; CPU OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
  edge: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
  chrome:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  chromeOnIphone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1',
  chromeOnIpad:
    'Mozilla/5.0 (iPad; CPU OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1',
  firefox: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
}
const NOTICE_NAME = 'About your browser'

const ALL_BROWSERS_TAG = ['@all']
for (const [ids, name, userAgent, isShown, tag = []] of [
  ['NOTICE-01', 'Safari on an iPhone', USER_AGENTS.iphone, true],
  ['NOTICE-01', 'Safari on an iPad', USER_AGENTS.ipad, true],
  ['NOTICE-02', 'Edge', USER_AGENTS.edge, true],
  ['NOTICE-03', 'Chrome', USER_AGENTS.chrome, false],
  ['NOTICE-06', 'Chrome on an iPhone', USER_AGENTS.chromeOnIphone, false],
  ['NOTICE-06', 'Chrome on an iPad', USER_AGENTS.chromeOnIpad, false],
  ['', 'Firefox', USER_AGENTS.firefox, false, ALL_BROWSERS_TAG],
] as const) {
  test.describe(name, () => {
    test.use({ userAgent })

    test(
      `${ids} ${name} ${isShown ? 'sees' : 'does not see'} the browser notice`,
      { tag: [...tag] },
      async ({ page }) => {
        await page.goto('/')
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        await expect(page.getByRole('region', { name: NOTICE_NAME })).toBeVisible({ visible: isShown })
      },
    )
  })
}

test.describe('browser notice', () => {
  test.use({ userAgent: USER_AGENTS.edge })

  test('NOTICE-04 NOTICE-05 NOTICE-07 stays until it is dismissed, then disappears immediately and permanently', async ({
    page,
  }) => {
    const notice = page.getByRole('region', { name: NOTICE_NAME })
    await page.goto('/')
    await expect(notice).toHaveCSS('height', '48px')
    await page.reload()
    await expect(notice).toBeVisible()
    await notice.getByRole('button', { name: 'Dismiss' }).click()
    await expect(notice).toBeHidden()
    await expect.poll(() => page.evaluate(() => localStorage.getItem('browser_notice_dismissed'))).toBe('1')
    await page.reload()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(notice).toBeHidden()
  })
})
