import { readFileSync } from 'node:fs'
import { EVENT_WORDS, PRIVACY, PROP_WORDS } from '../../src/domain/privacy.ts'
import { CAPTURED, type SentEvent } from '../../contract/measured.ts'
import { expect, SIGNED_IN, test } from '../support/e2e.ts'
import { follow, UNTIL_SENT } from '../support/measured-page.ts'

// What is measured is sent every ten seconds.
test.beforeEach(() => test.slow())

test('the page of privacy says all of the table, and leads to the switch', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('link', { name: 'Everything that is sent' }).click()
  await expect(page).toHaveURL('/privacy')
  for (const { name, what, kept } of PRIVACY) {
    await expect(page.getByRole('heading', { name, exact: true })).toBeVisible()
    for (const words of [what, kept]) await expect(page.getByText(words, { exact: true })).toBeVisible()
  }
  for (const words of [...Object.values(EVENT_WORDS), ...Object.values(PROP_WORDS)])
    await expect(page.getByRole('listitem').getByText(words, { exact: true })).toBeVisible()
  const list = page.getByRole('link', { name: 'What was sent in this browser' })
  await expect(list).toHaveAttribute('href', '/account#measured-title')
})

test('a visitor without an account switches measuring off on the page of privacy, and on again', async ({ page }) => {
  const { asked } = follow(page)
  await page.goto('/privacy')
  const toggle = page.getByRole('switch', { name: 'Measure pages of this browser' })
  await expect(toggle).toBeChecked()
  await expect.poll(() => asked, UNTIL_SENT).toContain('/t/events')
  await toggle.press('Space')
  await expect(toggle).not.toBeChecked()
  await expect(page.getByText('Pages of this browser are not measured.', { exact: true })).toBeVisible()
  const before = asked.length
  const scripts: string[] = []
  page.on('request', (request) => void scripts.push(request.url()))
  await page.reload()
  await expect(toggle).not.toBeChecked()
  await expect.poll(() => scripts.some((url) => /\/measure\.[\w-]+\.js/.test(url))).toBe(true)
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
  expect(scripts.filter((url) => /measure-page/.test(url))).toEqual([])
  expect(asked).toHaveLength(before)
  await toggle.press('Space')
  await expect(toggle).toBeChecked()
  await page.goto('/guides/cameras')
  await expect.poll(() => asked.slice(before), UNTIL_SENT).toContain('/t/events')
})

test.describe('on the account page', () => {
  test.use({ storageState: SIGNED_IN.owner })

  test('what was sent can be read and downloaded, and measuring is switched off for whoever comes next', async ({
    page,
  }) => {
    const sent: string[] = []
    page.on('request', (request) => void (request.url().endsWith('/t/events') && sent.push(request.url())))
    await page.goto('/account')
    await expect.poll(() => sent.length, UNTIL_SENT).toBeGreaterThan(0)
    // It is kept once it was answered.
    const kept = () => page.evaluate(() => localStorage.getItem('analytics_sent') ?? '')
    await expect.poll(kept, UNTIL_SENT).toContain(CAPTURED.pageViewed)
    await page.reload()
    const panel = page.getByRole('region', { name: 'What is measured' })
    await panel.getByText(/that were sent|One thing was sent/).click()
    await expect(panel.getByRole('listitem').filter({ hasText: 'A page was seen' }).first()).toContainText('/account')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      panel.getByRole('button', { name: 'Download it' }).click(),
    ])
    const events = JSON.parse(readFileSync(await download.path(), 'utf8')) as SentEvent[]
    expect(events.map(({ event_type }) => event_type)).toContain(CAPTURED.pageViewed)

    const toggle = panel.getByRole('switch', { name: 'Measure pages of this browser' })
    await expect(toggle).toBeChecked()
    await toggle.press('Space')
    await expect(toggle).not.toBeChecked()
    await expect(panel).toContainText('are not measured')
    const before = sent.length
    const scripts: string[] = []
    page.on('request', (request) => void scripts.push(request.url()))
    await page.goto('/guides/cameras')
    await expect.poll(() => scripts.some((url) => /\/measure\.[\w-]+\.js/.test(url))).toBe(true)
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
    expect(scripts.filter((url) => /measure-page/.test(url))).toEqual([])
    expect(sent).toHaveLength(before)
  })
})
