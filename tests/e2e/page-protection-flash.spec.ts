import type { Page } from 'playwright/test'
import { expect, forgive, SIGNED_IN, test, VISITOR } from '../support/e2e.ts'

/** Records which of five elements any painted frame of this tab shows. Returns a function that lists them. */
async function recordFrames(page: Page): Promise<() => Promise<string[]>> {
  const seen = new Set<string>()
  await page.exposeFunction('sawFrame', (label: string) => void seen.add(label))
  await page.addInitScript(() => {
    const isShown = (selector: string) =>
      [...document.querySelectorAll(selector)].some((element) => element.checkVisibility({ checkOpacity: true }))
    const reportContent = () => {
      const shows = {
        content: isShown('#content'),
        'sign-in link': isShown('a[href="/user/login"]'),
        account: isShown('button.account'),
        loading: isShown('#loading'),
        'sign-in page': isShown('input[type=password]'),
      }
      for (const [label, isVisible] of Object.entries(shows))
        if (isVisible) void (window as unknown as { sawFrame: (name: string) => void }).sawFrame(label)
    }
    // Checks before each paint and at each change of the document, so that nothing between two frames is missed.
    const frame = () => (reportContent(), requestAnimationFrame(frame))
    requestAnimationFrame(frame)
    new MutationObserver(reportContent).observe(document, { subtree: true, childList: true, attributes: true })
  })
  return () => Promise.resolve([...seen].toSorted())
}

/** Every test run checks these two pages; only a full run checks `OTHERS`, which start with the same script. */
const PROTECTED = ['/events', '/account/billing']
const OTHERS = ['/live', '/account/services', '/account/products/choose']
const isComplete = process.env['TEST_TIER'] === 'all'

test.describe('a signed-in browser', () => {
  test.use({ storageState: SIGNED_IN.owner })

  test('no frame of the home page or a protected page offers a way to sign in', async ({ page }) => {
    const frames = await recordFrames(page)
    await page.goto('/')
    await expect(page.getByRole('button', { name: 'Account menu' })).toBeVisible()
    await expect.poll(frames).toEqual(['account'])
    for (const path of isComplete ? [...PROTECTED, ...OTHERS] : PROTECTED) {
      await page.goto(path)
      await expect(page.locator('#content')).toBeVisible()
    }
    await expect.poll(frames).toEqual(['account', 'content', 'loading'])
  })
})

// Each path gets its own browser: repeated redirects to the sign-in would show an error about the session.
for (const [path, tag] of [
  ...PROTECTED.map((path) => [path, []] as const),
  ...OTHERS.map((path) => [path, ['@all']] as const),
])
  test(
    `no frame of ${path} shows its content to a signed-out browser`,
    { tag: [...tag] },
    async ({ page, problems }) => {
      const frames = await recordFrames(page)
      await page.goto(path)
      await expect(page.getByLabel('Password')).toBeVisible()
      await expect.poll(frames).toContain('sign-in page')
      // Settled: the frames of a page that was left do not change.
      expect((await frames()).filter((label) => label === 'content' || label === 'account')).toEqual([])
      forgive(problems, VISITOR)
    },
  )
