import type { Page } from 'playwright/test'
import { expect, SIGNED_IN, test } from '../support/e2e.ts'

/** What every frame of every document of this tab would show, from its first one on. */
async function recordFrames(page: Page): Promise<() => Promise<string[]>> {
  const seen = new Set<string>()
  await page.exposeFunction('sawFrame', (what: string) => void seen.add(what))
  await page.addInitScript(() => {
    const isShown = (selector: string) =>
      [...document.querySelectorAll(selector)].some((element) => element.checkVisibility({ checkOpacity: true }))
    const look = () => {
      const shows = {
        content: isShown('#content'),
        'sign-in link': isShown('a[href="/user/login"]'),
        account: isShown('button.account'),
        loading: isShown('#loading'),
        'sign-in page': isShown('input[type=password]'),
      }
      for (const [what, shown] of Object.entries(shows))
        if (shown) void (window as unknown as { sawFrame: (what: string) => void }).sawFrame(what)
    }
    // Both before each paint and at each change of the document, so that nothing between two frames is missed either.
    const frame = () => (look(), requestAnimationFrame(frame))
    requestAnimationFrame(frame)
    new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true })
  })
  return () => Promise.resolve([...seen].toSorted())
}

const PROTECTED = ['/live', '/events', '/account/services', '/account/billing', '/account/products/choose']

test.describe('signed in', () => {
  test.use({ storageState: SIGNED_IN.owner })

  test('no frame of a protected page shows a way to sign in', async ({ page }) => {
    const frames = await recordFrames(page)
    for (const path of PROTECTED) {
      await page.goto(path)
      await expect(page.locator('#content')).toBeVisible()
    }
    await expect.poll(frames).toEqual(['account', 'content', 'loading'])
  })

  test('no frame of the home page shows a way to sign in', async ({ page }) => {
    const frames = await recordFrames(page)
    await page.goto('/')
    await expect(page.getByRole('button', { name: 'Account menu' })).toBeVisible()
    await expect.poll(frames).toEqual(['account'])
  })
})

for (const path of PROTECTED) {
  test(`signed out, no frame of ${path} shows its content`, async ({ page, problems }) => {
    const frames = await recordFrames(page)
    await page.goto(path)
    await expect(page.getByLabel('Password')).toBeVisible()
    await expect.poll(frames).toContain('sign-in page')
    expect((await frames()).filter((what) => what === 'content' || what === 'account')).toEqual([])
    problems.splice(0, problems.length, ...problems.filter((one) => !one.includes('401')))
  })
}
