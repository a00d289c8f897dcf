import type { Page } from 'playwright/test'
import { findViolations } from '../support/axe.ts'
import { expect, test } from '../support/e2e.ts'

/**
 * Returns the page's metadata, its dead links, and its images without size or text. The test fixture checks the
 * console.
 */
function auditHead(page: Page) {
  return page.evaluate(() => {
    const meta = (name: string) => document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? ''
    return {
      lang: document.documentElement.lang,
      hasTitle: document.title.length > 0,
      description: meta('description'),
      viewport: meta('viewport'),
      index: meta('robots'),
      deadLinks: [...document.querySelectorAll('a')]
        .filter((link) => !/^(https?|mailto):/.test(link.href) || !(link.textContent || link.ariaLabel)?.trim())
        .map((link) => link.outerHTML),
      unsized: [...document.images].filter((image) => !image.hasAttribute('width') || !image.hasAttribute('height'))
        .length,
      unnamed: [...document.images].filter((image) => !image.hasAttribute('alt')).length,
    }
  })
}

for (const [path, name, heading] of [
  ['/', 'the home page', /porch light/],
  ['/guides/cameras', 'the guide', 'Add a camera'],
  ['/privacy', 'the privacy page', 'Privacy'],
  // Heading of the provider's page, to which /user/login redirects; /user/login itself has another heading.
  ['/user/login', 'the sign-in page', 'Log in'],
] as const) {
  test(`${name} meets the needs of search engines and screen readers, without console errors`, async ({ page }) => {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
    await expect
      .poll(() => auditHead(page))
      .toEqual({
        lang: 'en',
        hasTitle: true,
        index: '',
        deadLinks: [],
        unsized: 0,
        unnamed: 0,
        description: expect.stringMatching(/^.{41}/s) as unknown,
        viewport: expect.stringContaining('width=device-width') as unknown,
      })
    expect(await findViolations(page, name)).toEqual([])
  })
}

test('robots.txt is valid and keeps crawlers out of the API calls only', async ({ request }) => {
  const answer = await request.get('/robots.txt')
  expect([answer.status(), answer.headers()['content-type']]).toEqual([200, expect.stringMatching(/^text\/plain/)])
  const lines = (await answer.text()).trim().split('\n')
  expect(lines.filter((line) => !/^(User-agent: \*|Disallow: \/\w+\/)$/.test(line))).toEqual([])
})

test('the guide lists the stream addresses of cameras', { tag: '@all' }, async ({ page }) => {
  await page.goto('/guides/cameras')
  await expect(page).toHaveTitle('Add a Camera')
  await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toHaveCount(1)
  await expect(page.getByRole('cell', { name: '/Streaming/Channels/101' })).toBeVisible()
})

test('the home page names search and the timeline, and the days of clips of each plan', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Search that shows its work' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'A timeline without gaps' })).toBeVisible()
  for (const [plan, days] of [
    ['Camera AI', '14 days of clips'],
    ['Unlimited Cameras', '30 days of clips'],
    ['Unlimited Pro', '60 days of clips'],
  ] as const) {
    const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: plan }) })
    await expect(card.getByText(days)).toBeVisible()
    await expect(card.getByText(/^Search|^Everything in/)).toBeVisible()
  }
})

test('the eye button shows the typed password and hides it again', async ({ page }) => {
  await page.goto('/user/login')
  const field = page.getByLabel('Password')
  await field.fill('not it')
  const passwordToggle = page.getByRole('button', { name: 'Show password' })
  await passwordToggle.click()
  await expect(field).toHaveAttribute('type', 'text')
  await expect(passwordToggle).toHaveAttribute('aria-pressed', 'true')
  await passwordToggle.click()
  await expect(field).toHaveAttribute('type', 'password')
})
