import AxeBuilder from '@axe-core/playwright'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Page, WebSocketRoute } from 'playwright/test'
import { createAccount, PASSWORD, signInContext } from '../support/browser-account.ts'
import { expect, SIGNED_IN_STATES, test } from '../support/e2e.ts'
import { eventCards, readEventIds as ids } from '../support/events.ts'
import { createBridgeEvent, RECENT_TIME_MS } from '../support/home.ts'
import { scaleTimeout } from '../support/machine.ts'
import { addNewCameras } from '../support/new-cameras.ts'
import { formatDayBefore } from '../support/time-zone.ts'

const THUMBNAIL_URL = new URL('../../scenes/rendered/living-room/night-poster.jpg', import.meta.url)

const findCheckboxes = (page: Page) => page.getByRole('checkbox', { name: /^Select / })

/** Opens a day in the past, so that no new events arrive. */
async function openPastDay(page: Page, days: number): Promise<void> {
  const day = formatDayBefore(days)
  await page.goto(`/events?from=${day}&to=${day}`)
  await expect(eventCards(page).nth(4)).toBeVisible()
}

async function signInWithEvents(page: Page): Promise<string> {
  const email = await createAccount('events')
  const cameras = await addNewCameras(email, ['Yard'])
  const camera = cameras.getDeviceId('Yard')
  const thumb_object = await cameras.bridge.upload(camera, 'thumb', camera, readFileSync(THUMBNAIL_URL))
  for (let n = 0; n < 6; n += 1) {
    const event_ts = RECENT_TIME_MS - n * 600_000
    const event = createBridgeEvent(camera, `${camera}-${event_ts.toString(36)}`, {
      event_ts,
      title: `Visit ${n}`,
      thumb_object,
    })
    expect((await cameras.bridge.postEvent(event)).status).toBe(200)
  }
  await signInContext(page.context(), email, PASSWORD)
  return email
}

/**
 * Opens the events of a new account. Waits for the list of the free view, which the page requests after the camera list
 * has shown that the account has no plan.
 */
async function openEvents(page: Page): Promise<void> {
  const listResponse = page.waitForResponse((answer) => answer.url().includes('get-event-list'))
  await page.goto('/events')
  await listResponse
  await expect(eventCards(page)).toHaveCount(6)
}

test.describe('an account with its own events', () => {
  test('events are selected singly and as a range, deleted and restored; a second browser follows', async ({
    page,
    browser,
  }) => {
    const email = await signInWithEvents(page)
    const other = await (await browser.newContext()).newPage()
    await signInContext(other.context(), email, PASSWORD)
    // Wait until the feed of the other page is open, because the feed does not repeat earlier messages.
    const feed = other.waitForEvent('websocket', (socket) => new URL(socket.url()).pathname === '/feed')
    const firstFeedMessage = feed.then((socket) => socket.waitForEvent('framereceived'))
    await openEvents(page)
    await openEvents(other)
    await firstFeedMessage
    const before = await ids(page)
    await findCheckboxes(page).nth(1).click()
    await eventCards(page)
      .nth(3)
      .click({ modifiers: ['Shift'] })
    await expect(page.getByText('3 selected')).toBeVisible()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    const remainingIds = before.filter((_, i) => i < 1 || i > 3)
    await expect.poll(() => ids(page)).toEqual(remainingIds)
    await expect.poll(() => ids(other)).toEqual(remainingIds)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => ids(page)).toEqual(before)
    await expect.poll(() => ids(other)).toEqual(before)
    await other.context().close()
  })

  test(
    'an event that another browser deleted while the feed was down disappears after the feed reconnects',
    { tag: '@all' },
    async ({ page, browser }) => {
      test.slow()
      const email = await signInWithEvents(page)
      const other = await (await browser.newContext()).newPage()
      await signInContext(other.context(), email, PASSWORD)
      const feed = { socket: null as WebSocketRoute | null, isCut: false, greetings: 0 }
      await other.routeWebSocket(/\/feed/, (feedSocket) => {
        if (feed.isCut) return void feedSocket.close()
        feed.socket = feedSocket
        feedSocket.connectToServer().onMessage((message) => {
          feed.greetings += String(message).includes('"hello"') ? 1 : 0
          feedSocket.send(message)
        })
      })
      await openEvents(page)
      await openEvents(other)
      await expect.poll(() => feed.greetings).toBe(1)
      feed.isCut = true
      await feed.socket?.close()
      const deletedId = (await ids(page))[1] ?? ''
      const deleted = page.waitForResponse((answer) => answer.url().endsWith('/extension/events-delete'))
      await findCheckboxes(page).nth(1).click()
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      expect((await deleted).ok()).toBe(true)
      expect(await ids(other)).toContain(deletedId)
      feed.isCut = false
      await expect.poll(() => feed.greetings, { timeout: scaleTimeout(40_000) }).toBe(2)
      await expect.poll(() => ids(other)).not.toContain(deletedId)
      await page.getByRole('button', { name: 'Undo' }).click()
      await expect.poll(() => ids(other)).toContain(deletedId)
      await other.context().close()
    },
  )

  test(
    'events are marked as seen and not seen, also by keyboard, and the filter respects it',
    { tag: '@all' },
    async ({ page }) => {
      await signInWithEvents(page)
      await openEvents(page)
      const [first] = await ids(page)
      await eventCards(page).getByRole('link').first().focus()
      await page.keyboard.press('x')
      await expect(page.getByText('1 selected')).toBeVisible()
      await page.getByRole('button', { name: 'Mark as seen' }).click()
      await page.getByRole('button', { name: 'Clear selection' }).click()
      await page.getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('button', { name: 'Unseen' }).click()
      await expect.poll(() => ids(page)).not.toContain(first)
      await page.getByRole('button', { name: 'Seen', exact: true }).click()
      await expect.poll(() => ids(page)).toEqual([first])
      await expect(page).toHaveURL(/seen=yes/)
    },
  )
})

test.describe('past events of the demo home', () => {
  test.use({ storageState: SIGNED_IN_STATES.owner })

  test('several clips download as one zip file, and the list as a table', { tag: '@all' }, async ({ page }) => {
    await openPastDay(page, 11)
    await findCheckboxes(page).nth(0).click()
    await findCheckboxes(page).nth(1).click()
    const zip = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download', exact: true }).click()
    await page.getByRole('button', { name: 'Clear selection' }).click()
    const file = await zip
    expect(file.suggestedFilename()).toMatch(/clips\.zip$/)
    const bytes = await readFile(await file.path())
    expect(bytes.subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004')
    expect(bytes.readUInt16LE(bytes.length - 12)).toBe(2)
    const table = page.waitForEvent('download')
    await page.getByRole('button', { name: 'More', exact: true }).first().click()
    await page.getByRole('button', { name: 'Export list as CSV' }).click()
    const text = await readFile(await (await table).path(), 'utf8')
    expect(text.trim().split('\r\n').length).toBeGreaterThan(5)
    expect(text).toContain('Clip length (s)')
  })

  test('EVENT-09 the URL contains the camera of the open event and opens the event with it', async ({ page }) => {
    await openPastDay(page, 8)
    await eventCards(page).first().click()
    await expect(page.locator('main video').first()).toBeVisible()
    const readCameraParameter = () => new URL(page.url()).searchParams.get('camera')
    const camera = readCameraParameter()
    expect(camera).toMatch(/\w+/)
    const replayRequest = page.waitForRequest((request) => request.url().includes('/replay_url'))
    await page.goto(`/events?event=${new URL(page.url()).searchParams.get('event') ?? ''}&camera=${camera ?? ''}`)
    expect(new URL((await replayRequest).url()).searchParams.get('device_id')).toBe(camera)
    await expect(page.locator('main video').first()).toBeVisible()
    await eventCards(page)
      .getByRole('link')
      .and(page.locator(`a[href*="camera="]:not([href*="camera=${camera ?? ''}"])`))
      .first()
      .click()
    await expect.poll(readCameraParameter).not.toBe(camera)
  })

  test(
    'a clip steps frame by frame and repeats, and a copied link opens its moment',
    { tag: '@all' },
    async ({ page, context }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      await openPastDay(page, 8)
      await eventCards(page).nth(1).click()
      const video = page.locator('main video').first()
      await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime)).toBeGreaterThan(0.2)
      const readCurrentTime = () => video.evaluate((element: HTMLVideoElement) => element.currentTime)
      await page.keyboard.press('.')
      const paused = await readCurrentTime()
      await page.keyboard.press('.')
      await expect.poll(readCurrentTime).toBeGreaterThan(paused)
      // Settled: the clip is paused and has already moved by one frame.
      expect((await readCurrentTime()) - paused).toBeLessThan(0.2)
      await page.keyboard.press('r')
      await expect(video).toHaveJSProperty('loop', true)
      await page.getByRole('slider', { name: 'Position in the clip' }).focus()
      await page.keyboard.press('PageUp')
      await expect.poll(readCurrentTime).toBeGreaterThan(9)
      await page.getByRole('button', { name: 'More', exact: true }).last().click()
      await page.getByRole('button', { name: 'Copy link to this moment' }).click()
      await expect(page.getByText('Copied')).toBeVisible()
      const link = await page.evaluate(() => navigator.clipboard.readText())
      await page.goto('/live')
      await page.goto(link)
      await expect.poll(readCurrentTime).toBeGreaterThan(9)
    },
  )

  test('FEEDBACK-03 FEEDBACK-04 label feedback goes by PUT, the clip by POST only after consent; both can be withdrawn', async ({
    page,
  }) => {
    await openPastDay(page, 8)
    await eventCards(page).nth(2).click()
    await expect(page.locator('main video').first()).toBeVisible()
    const waitForFeedback = () =>
      page.waitForResponse((answer) => /\/events\/[^/]+\/feedback$/.test(new URL(answer.url()).pathname))
    const question = page.getByRole('group', { name: 'Is this label right?' })
    for (const [name, feedback] of [
      ['Yes', 'right'],
      ['No', 'wrong'],
    ] as const) {
      const [feedbackResponse] = await Promise.all([
        waitForFeedback(),
        question.getByRole('button', { name, exact: true }).click(),
      ])
      expect([feedbackResponse.request().method(), feedbackResponse.status()]).toEqual(['PUT', 200])
      expect(feedbackResponse.request().postDataJSON()).toMatchObject({ feedback })
      await expect(question.getByRole('button', { name, exact: true })).toHaveAttribute('aria-pressed', 'true')
    }

    await page.getByRole('button', { name: 'Send clip for review' }).click()
    const dialog = page.getByRole('dialog', { name: 'Send this clip?' })
    await expect(dialog.getByRole('button', { name: 'Send' })).toBeDisabled()
    await dialog.getByRole('checkbox', { name: 'I agree to send this clip' }).check()
    const sent = page.waitForResponse((answer) => answer.url().includes('/feedbackvideo/'))
    await dialog.getByRole('button', { name: 'Send' }).click()
    const answer = await sent
    expect([answer.request().method(), answer.status()]).toEqual(['POST', 200])
    expect(answer.request().postDataJSON()).toMatchObject({ stage: 'submit', data: { collect_channel: 'web' } })
    await page.getByRole('button', { name: 'Send clip for review' }).click()
    await page.getByRole('dialog', { name: 'Clip sent' }).getByRole('button', { name: 'Withdraw' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    const [withdrawalResponse] = await Promise.all([
      waitForFeedback(),
      question.getByRole('button', { name: 'No', exact: true }).click(),
    ])
    expect(withdrawalResponse.request().postDataJSON()).toMatchObject({ feedback: 'none' })
  })

  for (const [width, colorScheme] of [
    [390, 'dark'],
    [1440, 'light'],
  ] as const) {
    test(
      `axe finds no violations in menus, the selection and an open clip at ${width} px`,
      { tag: '@all' },
      async ({ page }) => {
        test.slow()
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 900 })
        const expectNoViolations = async (where: string) => {
          const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
          expect(violations.map(({ id, nodes }) => `${where} ${id}: ${nodes[0]?.html}`)).toEqual([])
        }
        await openPastDay(page, 12)
        // On a phone all filters are in one sheet.
        for (const name of width < 768 ? [/^Filters/] : ['.anchor-dates', '.anchor-tags']) {
          const menu = typeof name === 'string' ? page.locator(name) : page.getByRole('button', { name })
          await menu.click()
          const opened = page.locator(':is(dialog[open], .filter-menu:popover-open) :is(calendar-range, fieldset)')
          await expect(opened.first()).toBeVisible()
          await expectNoViolations(String(name))
          await page.keyboard.press('Escape')
        }
        await findCheckboxes(page).first().click()
        await expect(page.getByText('1 selected')).toBeVisible()
        await expectNoViolations('choices')
        await page.getByRole('button', { name: 'Clear selection' }).click()
        await eventCards(page).nth(1).getByRole('link').click()
        await expect(page.getByRole('group', { name: 'Is this label right?' })).toBeVisible()
        await expect(page.locator('main video').first()).toBeVisible()
        await expectNoViolations('clip')
      },
    )
  }
})
