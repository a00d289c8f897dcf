import type { Page } from 'playwright/test'
import { expect, removeExpectedProblems, SIGNED_IN_STATES, test, SIGNED_OUT_401 } from '../support/e2e.ts'

/** Records which of five elements the page shows, however briefly. Returns a function that lists their labels. */
async function recordShownElements(page: Page): Promise<() => Promise<string[]>> {
  const seen = new Set<string>()
  await page.exposeFunction('sawFrame', (label: string) => void seen.add(label))
  await page.addInitScript(() => {
    const isShown = (selector: string) =>
      [...document.querySelectorAll(selector)].some((element) => element.checkVisibility({ checkOpacity: true }))
    const reportContent = () => {
      const visibility = {
        content: isShown('#content'),
        'sign-in link': isShown('a[href="/user/login"]'),
        account: isShown('button.account'),
        loading: isShown('#loading'),
        'sign-in page': isShown('input[type=password]'),
      }
      for (const [label, isVisible] of Object.entries(visibility))
        if (isVisible) void (window as unknown as { sawFrame: (name: string) => void }).sawFrame(label)
    }
    // Checks before each paint and at each change of the document, so that nothing between two frames is missed.
    const checkFrame = () => (reportContent(), requestAnimationFrame(checkFrame))
    requestAnimationFrame(checkFrame)
    new MutationObserver(reportContent).observe(document, { subtree: true, childList: true, attributes: true })
  })
  return () => Promise.resolve([...seen].toSorted())
}

/**
 * Pages that every test run checks. Only a full run checks `OTHER_PROTECTED_PATHS`, because those pages use the same
 * script.
 */
const PROTECTED_PATHS = ['/events', '/account/billing']
const OTHER_PROTECTED_PATHS = ['/live', '/account/services', '/account/products/choose']
const isFullRun = process.env['TEST_TIER'] === 'all'

test.describe('a signed-in browser', () => {
  test.use({ storageState: SIGNED_IN_STATES.owner })

  test('no frame of the home page or a protected page offers a way to sign in', async ({ page }) => {
    const listShownElements = await recordShownElements(page)
    await page.goto('/')
    await expect(page.getByRole('button', { name: 'Account menu' })).toBeVisible()
    await expect.poll(listShownElements).toEqual(['account'])
    for (const path of isFullRun ? [...PROTECTED_PATHS, ...OTHER_PROTECTED_PATHS] : PROTECTED_PATHS) {
      await page.goto(path)
      await expect(page.locator('#content')).toBeVisible()
    }
    await expect.poll(listShownElements).toEqual(['account', 'content', 'loading'])
  })
})

// Each path gets its own browser: repeated redirects to the sign-in would show an error about the session.
for (const [path, tag] of [
  ...PROTECTED_PATHS.map((path) => [path, []] as const),
  ...OTHER_PROTECTED_PATHS.map((path) => [path, ['@all']] as const),
])
  test(
    `no frame of ${path} shows its content to a signed-out browser`,
    { tag: [...tag] },
    async ({ page, problems }) => {
      const listShownElements = await recordShownElements(page)
      await page.goto(path)
      await expect(page.getByLabel('Password')).toBeVisible()
      await expect.poll(listShownElements).toContain('sign-in page')
      // Settled: the browser has left the protected page, which paints no more frames.
      expect((await listShownElements()).filter((label) => label === 'content' || label === 'account')).toEqual([])
      removeExpectedProblems(problems, SIGNED_OUT_401)
    },
  )
