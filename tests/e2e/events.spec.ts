import type { Page } from 'playwright/test'
import { expect, removeExpectedProblems, SIGNED_IN_STATES, test } from '../support/e2e.ts'
import { parseEventTime, eventCards, readEventIds, expectOnlyEventsWith } from '../support/events.ts'
import { scaleTimeout } from '../support/machine.ts'
import { formatDay, AFTERNOON_TIME_ZONE } from '../support/time-zone.ts'

test.use({ storageState: SIGNED_IN_STATES.owner })

const OFFLINE_PROBLEM = { network: /ERR_INTERNET_DISCONNECTED/ }
/** Finds the video of the open clip. A card under the mouse also plays a video, but without this label. */
const findClipVideo = (page: Page) => page.getByLabel(/^Clip: /)

test('EVENT-02 EVENT-03 EVENT-05 the event history is listed by day; camera, tag and days filter it and update the URL', async ({
  page,
}) => {
  await page.goto('/events')
  await expect(eventCards(page).nth(3)).toBeVisible()
  const times = (await readEventIds(page)).map(parseEventTime)
  expect(times.length).toBeGreaterThan(3)
  // Right after midnight the newest event is from yesterday.
  const day = formatDay(times[0] ?? 0) === formatDay(Date.now()) ? 'Today' : 'Yesterday'
  await expect(page.getByRole('heading', { name: day })).toBeVisible()
  expect(times).toEqual([...times].sort((a, b) => b - a))

  const findDaysOption = (name: string) => page.getByRole('button', { name }).or(page.getByRole('radio', { name }))
  await findDaysOption('60 days').click()
  await expect(page).toHaveURL(/days=60/)
  await findDaysOption('14 days').click()
  // 14 days is the default, so the URL omits it.
  await expect(page).not.toHaveURL(/days=/)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('button', { name: 'Face', exact: true }).click()
  await expect(page).toHaveURL(/face/i)
  await expectOnlyEventsWith(page, 'Face')
  await page.getByRole('button', { name: 'Face', exact: true }).click()
  await page.keyboard.press('Escape')
  await expect(page).not.toHaveURL(/face/i)
  await page.getByRole('button', { name: 'All cameras' }).click()
  await page.getByRole('checkbox', { name: 'Backyard', exact: true }).check()
  await expect(page).toHaveURL(/cameras=/)
  await expectOnlyEventsWith(page, 'Backyard')
})

test('CLIP-01 a click anywhere on an event opens it; its clip plays and seeks', async ({ page }) => {
  await page.goto('/events')
  await eventCards(page)
    .first()
    .click({ position: { x: 200, y: 60 } })
  const video = findClipVideo(page)
  await expect(video).toBeVisible()
  await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime)).toBeGreaterThan(0.2)
  const seeker = page.getByRole('slider').first()
  await seeker.focus()
  await page.keyboard.press('End')
  await expect
    .poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime / element.duration))
    .toBeGreaterThan(0.8)
})

test(
  'a clip that was opened offline plays automatically once the connection is back',
  { tag: '@all' },
  async ({ page, context, problems }) => {
    await page.goto('/events')
    await eventCards(page).first().click()
    await expect(findClipVideo(page)).toBeVisible()
    await context.setOffline(true)
    await eventCards(page).nth(2).click()
    await expect(page.getByText('You’re offline.')).toBeVisible()
    await expect(findClipVideo(page)).toHaveCount(0)
    await context.setOffline(false)
    await expect
      .poll(() => findClipVideo(page).evaluate((element: HTMLVideoElement) => element.currentTime))
      .toBeGreaterThan(0.2)
    removeExpectedProblems(problems, OFFLINE_PROBLEM)
  },
)

test(
  'the open clip’s flag stays between the ends of the timeline strips and off the buttons above',
  { tag: '@all' },
  async ({ page }) => {
    await page.goto('/events')
    await eventCards(page).first().click()
    const [strips, flag] = [page.getByRole('grid', { name: /^Timeline/ }), page.locator('[data-flag]')]
    // Retries, because the page draws the strips again when more data arrives.
    await expect(async () => {
      const [stripsBox, flagBox] = [await strips.boundingBox(), await flag.boundingBox()]
      if (!stripsBox || !flagBox) throw new Error('The strips or the flag have no bounding box.')
      expect(flagBox.y).toBeGreaterThanOrEqual(stripsBox.y)
      expect(flagBox.x + flagBox.width).toBeLessThanOrEqual(stripsBox.x + stripsBox.width + 2)
    }).toPass({ timeout: scaleTimeout(15_000) })
  },
)

test(
  'no text is cut off: tags without room are hidden, and a heading stays on one line',
  { tag: '@all' },
  async ({ page }) => {
    await page.setViewportSize({ width: 1024, height: 768 })
    await page.goto('/events?days=60&tags=800005')
    await expect(eventCards(page).first()).toBeVisible()
    const countCutTags = () =>
      eventCards(page).evaluateAll(
        (all) =>
          all.flatMap((card) => {
            const tags = [...card.querySelectorAll('.text-micro.flex-none')]
            const row = tags[0]?.parentElement?.getBoundingClientRect()
            const isSeen = (tag: Element) => tag.getBoundingClientRect().top < (row?.bottom ?? 0)
            return tags.filter((tag) => isSeen(tag) && tag.getBoundingClientRect().right > (row?.right ?? 0))
          }).length,
      )
    await expect.poll(countCutTags).toBe(0)
    // Makes the tag row of the first card too narrow even for its first tag.
    const tags = eventCards(page).first().locator('.event-tags')
    await tags.evaluate((row) => void (row.style.width = '30px'))
    await expect.poll(countCutTags).toBe(0)
    const heading = page.getByRole('heading', { name: 'Busy hours' })
    await expect.poll(async () => (await heading.boundingBox())?.height).toBeLessThan(30)
  },
)

test('the selected one of two options is highlighted in dark mode too', { tag: '@all' }, async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto('/events')
  const selectedOption = page.getByRole('group').filter({ hasText: '60 days' }).locator('[aria-pressed=true]')
  await expect(selectedOption).toHaveCSS('background-color', 'rgb(58, 48, 72)')
})

test('a link to an event opens the same event in another tab', { tag: '@all' }, async ({ page, context }) => {
  await page.goto('/events')
  await eventCards(page).nth(1).click()
  await expect(findClipVideo(page)).toBeVisible()
  const opened = (await page.locator('[data-event][aria-current="true"]').getAttribute('data-event')) ?? 'none'
  const other = await context.newPage()
  await other.goto(page.url())
  await expect(findClipVideo(other)).toBeVisible()
  await expect(other.locator('[data-event][aria-current="true"]')).toHaveAttribute('data-event', opened)
})

test('CALL-39 a link that names only an unlisted event opens that event', { tag: '@all' }, async ({ page }) => {
  const historyResponse = page.waitForResponse((answer) => {
    const { begin_time = Infinity } = (answer.request().postDataJSON() ?? {}) as { begin_time?: number }
    return answer.url().includes('/event/history') && begin_time < Date.now() - 30 * 86_400_000
  })
  await page.goto('/events?days=60')
  const { data } = (await (await historyResponse).json()) as {
    data: { event_list: { event_id: string; title: string; event_ts: number }[] }
  }
  // Chooses an event at least one hour within the 30-day limit, because an older event can pass the limit during the
  // test.
  const oldest = data.event_list.findLast(({ event_ts }) => event_ts > Date.now() - 30 * 86_400_000 + 3_600_000)
  const requestByIds = page.waitForRequest('**/get-event-list-by-ids')
  await page.goto(`/events?event=${oldest?.event_id}`)
  expect((await requestByIds).postDataJSON()).toEqual({ event_id_list: [oldest?.event_id] })
  const clipRegion = page.getByRole('region', { name: 'Clip' })
  await expect(clipRegion.getByRole('heading', { name: oldest?.title ?? '' })).toBeVisible()
})

test(
  'CALL-43 anomalies are requested for the cards in view, at most 200 per call, and unusual ones are marked',
  { tag: '@all' },
  async ({ page }) => {
    // Waits for a call with more than three events: early in the day, the first call covers only the few events of
    // today.
    const anomalyResponse = page.waitForResponse(
      (response) =>
        response.url().endsWith('/events/anomaly/batch') &&
        (response.request().postDataJSON() as { event_ids: string[] }).event_ids.length > 3,
    )
    await page.goto('/events')
    const answer = await anomalyResponse
    const { event_ids } = answer.request().postDataJSON() as { event_ids: string[] }
    expect(event_ids.length).toBeLessThanOrEqual(200)
    await expect.poll(() => readEventIds(page)).toEqual(expect.arrayContaining(event_ids))
    const { data } = (await answer.json()) as { data: { anomalies: { event_id: string; anomaly: boolean }[] } }
    expect(data.anomalies.map(({ event_id }) => event_id)).toEqual(event_ids)
    for (const { event_id, anomaly } of data.anomalies)
      await expect(page.locator(`[data-event="${event_id}"]`).getByText('Unusual')).toHaveCount(anomaly ? 1 : 0)
  },
)

const readFirstVisibleCard = (page: Page) =>
  page.locator('[data-scroller]').evaluate((element) => {
    const edge = element.getBoundingClientRect().top + 44
    const inView = [...element.querySelectorAll('[data-event]')].find(
      (card) => card.getBoundingClientRect().bottom > edge,
    )
    return `${inView?.getAttribute('data-event')} ${Math.round(inView?.getBoundingClientRect().top ?? 0)}`
  })
const readStoredScrollTop = (page: Page) =>
  page.evaluate(() => (history.state as { place?: { top: number } } | null)?.place?.top)

async function scrollDown(page: Page): Promise<void> {
  const list = page.locator('[data-scroller]')
  await page.goto('/events?days=60')
  await expect.poll(() => list.evaluate((element) => element.scrollHeight)).toBeGreaterThan(20_000)
  await list.hover()
  await page.mouse.wheel(0, 9000)
  // New events at the top of the list increase the scroll position.
  await expect.poll(() => readStoredScrollTop(page)).toBeGreaterThanOrEqual(9000)
}

test('Back restores the filter and the scroll position of the list', { tag: '@all' }, async ({ page }) => {
  await scrollDown(page)
  const cardBeforeLeaving = await readFirstVisibleCard(page)
  await page.goto('/live')
  await page.goBack()
  await expect(page).toHaveURL(/days=60$/)
  await expect.poll(() => readFirstVisibleCard(page)).toBe(cardBeforeLeaving)
})

test('Back restores the filter, the scroll position of the list and the open clip', async ({ page }) => {
  await scrollDown(page)
  const [first] = (await readFirstVisibleCard(page)).split(' ')
  await page.locator(`[data-event="${first}"]`).click()
  await expect(findClipVideo(page)).toBeVisible()
  await expect.poll(() => readStoredScrollTop(page)).toBeGreaterThan(8000)
  const [opened, place] = [page.url(), await readFirstVisibleCard(page)]
  await page.goto('/account/services')
  await page.goBack()
  await expect(page).toHaveURL(opened)
  await expect(findClipVideo(page)).toBeVisible()
  await expect.poll(() => readFirstVisibleCard(page)).toBe(place)
})

test.describe('clip or search opened from the live page', () => {
  test.use({ timezoneId: AFTERNOON_TIME_ZONE })

  test('OPEN-140 returns to the page that opened it when it is closed', { tag: '@all' }, async ({ page }) => {
    await page.goto('/live')
    await page.locator('.live-today-list a').first().click()
    await expect(findClipVideo(page)).toBeVisible()
    const opened = page.url()
    // Wait until the previous route is stored, because the script that stores it loads later than the clip.
    const readStoredTags = () => page.evaluate(() => localStorage.getItem('eventTags'))
    await expect.poll(readStoredTags).toContain('"previousRoute":"/live"')
    await page.getByRole('button', { name: 'Close clip' }).click()
    await expect(page).toHaveURL('/live')
    await page.setViewportSize({ width: 390, height: 800 })
    await page.evaluate((address) => location.assign(address), opened)
    await page.getByRole('button', { name: 'Back', exact: true }).click()
    await expect(page).toHaveURL('/live')
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.evaluate(() => location.assign('/events?search='))
    await expect(page.getByRole('dialog', { name: 'Search' })).toBeVisible()
    await expect.poll(readStoredTags).toContain('"previousRoute":"/live"')
    await page.getByRole('button', { name: 'Close' }).click()
    await expect(page).toHaveURL('/live')
  })
})
