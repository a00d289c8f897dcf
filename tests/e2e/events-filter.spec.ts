import type { Page, Response } from 'playwright/test'
import { isFreeEvent } from '../../src/domain/events/event-types.ts'
import { expect, removeExpectedProblems, ignoreProblemsUntilEnd, SIGNED_IN_STATES, test } from '../support/e2e.ts'
import { parseEventTime, eventCards, readEventIds, expectOnlyEventsWith } from '../support/events.ts'
import { formatDay, formatDayBefore, TIME_ZONE } from '../support/time-zone.ts'
import { DAY_MS } from '../../contract/time-units.ts'

const findMenuButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test.describe('event filter with a plan', () => {
  test.use({ storageState: SIGNED_IN_STATES.owner })

  test('EVENT-01 EVENT-08 EVENT-28 a calendar panel offers days within the retention period, and the list shows only chosen days', async ({
    page,
  }) => {
    // The test and the page use one fixed time, so that the test also passes across midnight.
    const now = Date.now()
    const [from, to] = [formatDayBefore(2, now), formatDayBefore(1, now)]
    await page.clock.setFixedTime(now)
    await page.goto('/events')
    await expect(eventCards(page).first()).toBeVisible()
    await findMenuButton(page, 'Dates').click()
    const calendar = page.locator('calendar-range')
    await expect(
      calendar.getByText(new Date(now).toLocaleDateString('en-GB', { month: 'long', timeZone: TIME_ZONE })).last(),
    ).toBeVisible()
    await expect(page.getByText(/\b30 days\b/).first()).toBeVisible()
    const readMinDate = () => calendar.evaluate((element: HTMLElement & { min: string }) => element.min)
    // The retention period is 30 times 24 hours. Across a daylight-saving change, its first day can differ from 30
    // calendar days ago.
    const firstRetainedDay = formatDay(now - 30 * DAY_MS)
    await expect.poll(readMinDate).toBe(firstRetainedDay)
    const [, month = 0, day = 0] = firstRetainedDay.split('-').map(Number)
    // The first retained day can be two months back: at the start of March, it is in January.
    const monthsBack = (Number(formatDayBefore(0, now).slice(5, 7)) - month + 12) % 12
    for (let i = 0; i < monthsBack; i++) await calendar.getByText('Previous').click()
    // The calendar disables the days of this month before the first retained day. There are none if that day is the
    // 1st.
    await expect(calendar.locator('calendar-month').getByRole('button', { disabled: true })).toHaveCount(day - 1)
    await expect(page.getByRole('main').getByRole('link', { name: 'Explore plans' })).toHaveAttribute(
      'href',
      '/account/products/choose',
    )

    await calendar.evaluate((element: HTMLElement & { value: string }, value) => {
      element.value = value
      element.dispatchEvent(new Event('change'))
    }, `${from}/${to}`)
    await expect(page).toHaveURL(new RegExp(`from=${from}&to=${to}`))
    await expect(page.getByRole('heading', { name: 'Yesterday' })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Today' })).toHaveCount(0)
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Yesterday' })).toBeVisible()
  })

  test('a day can be chosen with the keyboard alone', { tag: '@all' }, async ({ page }) => {
    await page.goto('/events')
    await expect(eventCards(page).first()).toBeVisible()
    await findMenuButton(page, 'Dates').focus()
    await page.keyboard.press('Enter')
    const today = page
      .locator('calendar-month')
      .getByRole('button', { name: /today/i })
      .or(page.locator('calendar-month [part~=today]'))
    await expect(today.first()).toBeVisible()
    await today.first().focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(new RegExp(`from=${formatDayBefore(0)}&to=${formatDayBefore(0)}`))
    await expect(page.getByRole('combobox', { name: 'From' })).toBeVisible()
  })

  test.describe('in the United States', () => {
    test.use({ locale: 'en-US' })

    test('EVENT-10 EVENT-14 a single day offers a choice of hours, the last one shown as 11:59 PM', async ({
      page,
    }) => {
      const day = formatDayBefore(1)
      await page.goto(`/events?from=${day}&to=${day}`)
      await expect(eventCards(page).first()).toBeVisible()
      await page.locator('.anchor-dates').click()
      const to = page.getByRole('combobox', { name: 'To' })
      await expect(to.getByRole('option').last()).toHaveText('11:59 PM')
      await page.getByRole('combobox', { name: 'From' }).selectOption('9')
      await to.selectOption('12')
      await expect(page).toHaveURL(/hours=9-12/)
      const toHour = (time: number) =>
        Number(new Date(time).toLocaleTimeString('en', { hour: 'numeric', hourCycle: 'h23', timeZone: TIME_ZONE }))
      const areAllInRange = async () => {
        const hours = (await readEventIds(page)).map((id) => toHour(parseEventTime(id)))
        return hours.length > 0 && hours.every((hour) => hour >= 9 && hour < 12)
      }
      await expect.poll(areAllInRange).toBe(true)
    })
  })

  test('EVENT-25 a range that is too large shows an alert with a button for a smaller range', async ({
    page,
    problems,
  }) => {
    await page.goto(`/events?from=${formatDayBefore(300)}&to=${formatDayBefore(0)}`)
    const notice = page
      .getByRole('main')
      .getByRole('alert')
      .filter({ hasText: /range|events/i })
    await expect(notice.first()).toBeVisible()
    await notice.first().getByRole('button').first().click()
    await expect(eventCards(page).first()).toBeVisible()
    removeExpectedProblems(problems, { status: 400, path: /\/event\/history$/ })
  })

  test('TAG-01 TAG-04 TAG-07 motion and sound tags are listed beside the faces, with names from the provider', async ({
    page,
  }) => {
    const tagsResponse = page.waitForResponse((answer) => answer.url().includes('/get-event-tags'))
    await page.goto('/events')
    await expect(eventCards(page).first()).toBeVisible()
    for (const name of ['Person', 'Vehicle', 'Pet', 'Package']) await expect(findMenuButton(page, name)).toBeVisible()
    await findMenuButton(page, 'More').click()
    await expect(findMenuButton(page, 'Face')).toBeVisible()
    const tagList = (await (await tagsResponse).json()) as { data: { id: string; name: string; kind: string }[] }
    const listTagNames = (kind: string) =>
      tagList.data.filter((tag) => tag.kind === kind && tag.id !== '4' && tag.id !== '5').map(({ name }) => name)
    await expect(page.getByRole('group', { name: 'Motion' }).getByRole('checkbox')).toHaveCount(
      listTagNames('motion').length,
    )
    const sounds = ['Meowing', 'Barking', 'Crying', 'Talking', 'Gun Shot', 'Glass Breaking', 'Sound Alarm']
    expect(listTagNames('sound')).toEqual(sounds)
    await expect(page.getByRole('group', { name: 'Sound' }).locator('label')).toHaveText(sounds)
    await expect(page.getByRole('group', { name: 'Other' }).getByRole('checkbox', { name: 'Face' })).toBeVisible()
  })

  test('TAG-05 the chosen filter is restored on the next visit', async ({ page }) => {
    // Wait for the anomaly request. The code that sends it loads together with the code that saves filters.
    const anomalyRequest = page.waitForRequest('**/events/anomaly/batch')
    await page.goto('/events')
    await expect(eventCards(page).first()).toBeVisible()
    await anomalyRequest
    await findMenuButton(page, 'More').click()
    await page.getByRole('checkbox', { name: 'Barking', exact: true }).check()
    await expect(page).toHaveURL(/tags=800002/)
    await expectOnlyEventsWith(page, 'Barking')
    await page.goto('/account/services')
    await page.goto('/events')
    await expect(page).toHaveURL(/tags=800002/)
    await expectOnlyEventsWith(page, 'Barking')
    const clearButton = page.getByRole('button', { name: 'Clear' })
    for (const width of [1024, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      await expect(clearButton).toBeInViewport({ ratio: 1 })
    }
    await clearButton.click()
    await expect(page).not.toHaveURL(/tags/)
  })

  test('EVENT-29 FACE-03 the paid view requests the history, offers faces, and filters events by person', async ({
    page,
  }) => {
    const mayaEventIds = new Set<string>()
    const collectEvents = ({ data }: { data: { event_list: { event_id: string; event_values: string[] }[] } }) => {
      for (const { event_id, event_values } of data.event_list)
        if (event_values.includes('Maya')) mayaEventIds.add(event_id)
    }
    page.on('response', (answer) => {
      // Errors are ignored, because the end of the test cancels responses that are still being read.
      if (answer.url().endsWith('/backend/event/history')) answer.json().then(collectEvents, () => undefined)
    })
    const historyRequest = page.waitForRequest((request) => request.url().endsWith('/backend/event/history'))
    await page.goto('/events')
    await historyRequest
    await expect(eventCards(page).first()).toBeVisible()
    await findMenuButton(page, 'More').click()
    await expect(findMenuButton(page, 'Face')).toBeVisible()
    await findMenuButton(page, 'People').click()
    await page.getByRole('dialog', { name: 'People' }).getByRole('checkbox', { name: 'Maya' }).check()
    await expect(page).toHaveURL(/person=Maya/)
    const listOtherPeopleEvents = async () => {
      const visibleIds = await readEventIds(page)
      return visibleIds.length > 0 && visibleIds.filter((id) => !mayaEventIds.has(id))
    }
    await expect.poll(listOtherPeopleEvents).toEqual([])
  })
})

test.describe('event filter without a plan', () => {
  test.use({ storageState: SIGNED_IN_STATES.free })

  test('EVENT-04 EVENT-29 the free view requests the list, offers free kinds and shows only free events', async ({
    page,
  }) => {
    // Visits another page first, so that the browser has stored that the account has no plan.
    await page.goto('/live')
    await expect(page.getByRole('link', { name: /plans/i }).first()).toBeVisible()
    const readEvents = async (answer: Response) =>
      ((await answer.json()) as { data: { event_list: { tags: string[] }[] } }).data.event_list
    // Shortly after midnight, the first response is empty, and the page then requests older events. A response to the
    // previous page can be unreadable and then counts as empty.
    const listResponse = page.waitForResponse(
      async (answer) =>
        answer.url().endsWith('/get-event-list') && (await readEvents(answer).catch(() => [])).length > 0,
    )
    await page.goto('/events')
    await expect(eventCards(page).first()).toBeVisible()
    expect((await readEvents(await listResponse)).filter((event) => !isFreeEvent(event))).toEqual([])
    await findMenuButton(page, 'More').click()
    await expect(findMenuButton(page, 'Motion')).toBeVisible()
    await expect(findMenuButton(page, 'Face')).toHaveCount(0)
  })
})

test.describe('event list without a connection', () => {
  test.use({ storageState: SIGNED_IN_STATES.owner })
  const DEFERRED_SCRIPTS = /\/_astro\/ListStates\./

  test(
    'shows an error and reappears as soon as the connection returns',
    { tag: '@all' },
    async ({ page, context, problems }) => {
      // The error message must not depend on scripts that load later.
      await page.route(DEFERRED_SCRIPTS, (route) => route.abort())
      // Aborts HEAD requests: if the server responded to them, the page would reload to get the missing scripts.
      await page.route(/\/events(\?|$)/, (route) =>
        route.request().method() === 'HEAD' ? route.abort() : route.fallback(),
      )
      const errorScript = page.waitForResponse((answer) => answer.url().includes('/list-parts-chunk.'))
      await page.goto('/events')
      await expect(eventCards(page).first()).toBeVisible()
      await page.evaluate((address) => import(address), (await errorScript).url())
      await context.setOffline(true)
      await findMenuButton(page, '60 days').click()
      await expect(page.getByRole('main').getByRole('alert').first()).toBeVisible()
      await context.setOffline(false)
      await expect(eventCards(page).first()).toBeVisible()
      // The page may retry these scripts and its HEAD request at any time, so the browser may report more failures.
      const aborted = [DEFERRED_SCRIPTS, /^\/events$/].map((path) => ({ network: /ERR_FAILED/, path }))
      ignoreProblemsUntilEnd(problems, { network: /ERR_INTERNET_DISCONNECTED/ }, ...aborted)
    },
  )
})

test.describe('retention limit of the free plan', () => {
  test.use({ storageState: SIGNED_IN_STATES.free })
  const RETENTION_TEXT = /\b1 day\b.*Explore plans/

  test(
    'OPEN-67 the end of the list names the retention period and links to the plans',
    { tag: '@all' },
    async ({ page }) => {
      await page.goto('/events?days=60')
      const line = page.getByRole('region', { name: 'Events' }).getByText(RETENTION_TEXT)
      await expect(line).toBeVisible()
      await line.getByRole('link', { name: 'Explore plans' }).click()
      await expect(page).toHaveURL('/account/products/choose')
    },
  )

  test(
    'OPEN-67 days beyond the retention period show the limit instead of events',
    { tag: '@all' },
    async ({ page }) => {
      await page.goto(`/events?from=${formatDayBefore(9)}&to=${formatDayBefore(8)}`)
      await expect(page.getByText(RETENTION_TEXT)).toBeVisible()
    },
  )
})
