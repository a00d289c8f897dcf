import { readFileSync } from 'node:fs'
import { EVENT_LABELS, PRIVACY_ROWS, PROPERTY_LABELS } from '../../src/domain/copy/privacy.ts'
import { AUTOMATIC_EVENTS, type SentEvent } from '../../contract/telemetry/analytics-events.ts'
import { expect, SIGNED_IN_STATES, test } from '../support/e2e.ts'
import {
  expectNoAnalytics,
  recordAnalytics,
  recordScriptUrls,
  runIdleCallbacksAtOnce,
  pollWhileHiding,
} from '../support/measured-page.ts'

test('a visitor reads the full privacy table and turns analytics off and on again there', async ({ page }) => {
  const { requestedPaths: paths } = recordAnalytics(page)
  await runIdleCallbacksAtOnce(page)
  await page.goto('/')
  await page.getByRole('link', { name: 'See everything we send' }).click()
  await expect(page).toHaveURL('/privacy')
  const list = page.getByRole('link', { name: 'what this browser sent' })
  await expect(list).toHaveAttribute('href', '/account#measured-title')
  const words = PRIVACY_ROWS.flatMap(({ name, what: description, kept: retention }) => [name, description, retention])
  for (const text of [...words, ...Object.values(EVENT_LABELS), ...Object.values(PROPERTY_LABELS)])
    await expect(page.getByRole('main')).toContainText(text)

  const toggle = page.getByRole('switch', { name: 'Send usage data from this browser' })
  await expect(toggle).toBeChecked()
  await pollWhileHiding(page, () => paths).toContain('/t/events')
  await toggle.press('Space')
  await expect(toggle).not.toBeChecked()
  const before = paths.length
  const scripts = recordScriptUrls(page)
  await page.reload()
  await expect(toggle).not.toBeChecked()
  await expectNoAnalytics(page, scripts)
  expect(paths).toHaveLength(before)
  await toggle.press('Space')
  await expect(toggle).toBeChecked()
  await page.goto('/guides/cameras')
  await pollWhileHiding(page, () => paths.slice(before)).toContain('/t/events')
})

test.describe('analytics on the account page', () => {
  test.use({ storageState: SIGNED_IN_STATES.owner })

  test('sent events can be read and downloaded, and opting out also covers the next user', async ({ page }) => {
    const { requestedPaths: paths } = recordAnalytics(page)
    await runIdleCallbacksAtOnce(page)
    await page.goto('/account')
    // The page stores its log of sent events only after the response.
    const readSentLog = () => page.evaluate(() => localStorage.getItem('analytics_sent') ?? '')
    await pollWhileHiding(page, readSentLog).toContain(AUTOMATIC_EVENTS.pageViewed)
    await page.reload()
    const panel = page.getByRole('region', { name: 'Usage data' })
    await panel.getByText(/\d events? sent/).click()
    const viewed = panel.getByRole('listitem').filter({ hasText: EVENT_LABELS[AUTOMATIC_EVENTS.pageViewed] })
    await expect(viewed.first()).toContainText('/account')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      panel.getByRole('button', { name: 'Download' }).click(),
    ])
    const events = JSON.parse(readFileSync(await download.path(), 'utf8')) as SentEvent[]
    expect(events.map(({ event_type }) => event_type)).toContain(AUTOMATIC_EVENTS.pageViewed)

    const toggle = panel.getByRole('switch', { name: 'Send usage data from this browser' })
    await expect(toggle).toBeChecked()
    await toggle.press('Space')
    await expect(toggle).not.toBeChecked()
    const before = paths.filter((path) => path === '/t/events').length
    const scripts = recordScriptUrls(page)
    await page.goto('/guides/cameras')
    await expectNoAnalytics(page, scripts)
    expect(paths.filter((path) => path === '/t/events')).toHaveLength(before)
  })
})
