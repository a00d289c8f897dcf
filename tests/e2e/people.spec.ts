import { readFileSync } from 'node:fs'
import type { Page } from 'playwright/test'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../contract/time-units.ts'
import { findViolationsInAllAppearances } from '../support/axe.ts'
import { addCardOverHttp, buyPlanOverHttp, createAccount, PASSWORD, signInContext } from '../support/browser-account.ts'
import { expect, SIGNED_IN_STATES, test } from '../support/e2e.ts'
import { eventCards } from '../support/events.ts'
import { createBridgeEvent, RECENT_TIME_MS } from '../support/home.ts'
import { addNewCameras } from '../support/new-cameras.ts'

const THUMBNAIL_URL = new URL('../../scenes/rendered/living-room/night-poster.jpg', import.meta.url)

const findUnnamedPeople = (page: Page) => page.getByRole('list', { name: 'Not named yet' }).getByRole('listitem')
const findUndoGroup = (page: Page) => page.getByRole('group', { name: 'Undo' })

test.describe('demo home', () => {
  test.use({ storageState: SIGNED_IN_STATES.owner })

  test('OPEN-166 OPEN-167 the owner names a person on a clip, another page shows the name, and undo removes it', async ({
    page,
  }) => {
    await page.goto('/account/people')
    await expect(page).toHaveTitle('People')
    const first = findUnnamedPeople(page).first()
    await expect(first).toContainText(/Person \d+/)
    const person = /Person \d+/.exec(await first.innerText())?.[0] ?? ''
    const other = await page.context().newPage()
    await other.goto('/account/people')
    await first.getByRole('link').click()
    await expect(page.getByRole('button', { name: person, exact: true })).toBeVisible()
    await eventCards(page).first().click()

    const form = page.getByRole('form', { name: 'Who is this?' })
    await form.getByRole('combobox', { name: 'Name' }).fill('Dana')
    await expect(form.getByRole('option').first()).toContainText('Add “Dana”')
    // The list of names opens between the field and the button; it must not move the button during the click.
    await form.getByRole('button', { name: 'Save name' }).click()
    await expect(findUndoGroup(page)).toContainText(/Named Dana in \d+ clips/)
    await expect(page.getByRole('list', { name: 'Tags' })).toContainText('Dana')
    await expect(page).toHaveURL(/person=Dana/)
    await expect(eventCards(page).first()).toBeVisible()
    await expect(other.getByRole('list', { name: 'Named people' })).toContainText('Dana')

    await findUndoGroup(page).getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByRole('list', { name: 'Tags' })).toContainText(person)
    await expect(other.getByRole('list', { name: 'Named people' })).not.toContainText('Dana')
    await other.close()
  })
})

/**
 * Signs in to a new account whose camera saw faces `a` and `b` within a minute of each other in three visits, and `b`
 * and `c` in two.
 */
async function openHomeWithPairs(page: Page): Promise<void> {
  const email = await createAccount('pairs')
  const { bridge, getDeviceId } = await addNewCameras(email, ['Front door'])
  await signInContext(page.context(), email, PASSWORD)
  await buyPlanOverHttp(page, await addCardOverHttp(page))
  await page.goto('/account/people')
  await page.getByRole('switch', { name: 'Recognition' }).click()
  await expect(page.getByText('No people yet')).toBeVisible()
  const camera = getDeviceId('Front door')
  const thumb_object = await bridge.upload(camera, 'thumb', camera, readFileSync(THUMBNAIL_URL))
  for (const [visit, faces] of ['ab', 'ab', 'ab', 'bc', 'bc'].entries())
    for (const [i, face] of [...faces].entries()) {
      const event_ts = RECENT_TIME_MS - HOUR_MS + visit * 10 * MINUTE_MS + i * 30 * SECOND_MS
      const report = { event_ts, event_values: ['person', `face:${face}`], thumb_object }
      const event = createBridgeEvent(camera, `${camera}-${event_ts.toString(36)}`, report)
      expect((await bridge.postEvent(event)).status).toBe(200)
    }
  await page.reload()
}

test('OPEN-166 the owner says that two people are different, another page follows, and a merge can be undone', async ({
  page,
}) => {
  await openHomeWithPairs(page)
  const findCard = (target: Page) => target.getByRole('region', { name: 'Same person?' })
  const card = findCard(page)
  await expect(card).toContainText('on Front door 3 times, but never in the same clip')
  expect(await findViolationsInAllAppearances(page, 'a suggested pair')).toEqual([])
  const other = await page.context().newPage()
  await other.goto('/account/people')
  await expect(findCard(other)).toContainText('3 times')

  await card.getByRole('button', { name: 'Different' }).press('Enter')
  await expect(card.getByRole('group', { name: 'Person 2 and Person 3' })).toBeFocused()
  await expect(card).toContainText('on Front door 2 times')
  await expect(findCard(other)).toContainText('2 times')
  await findUndoGroup(page).getByRole('button', { name: 'Undo' }).click()
  await expect(card).toContainText('3 times')
  await card.getByRole('button', { name: 'Different' }).click()

  await expect(card).toContainText('Merging puts all 7 clips under Person 2.')
  await card.getByRole('button', { name: 'Merge' }).press('Enter')
  await expect(card).toBeHidden()
  await expect(page.getByRole('heading', { name: 'People', exact: true })).toBeFocused()
  await expect(findUnnamedPeople(page)).toHaveCount(2)
  await expect(findCard(other)).toBeHidden()
  await findUndoGroup(page).getByRole('button', { name: 'Undo' }).click()
  await expect(card).toContainText('Merging puts all 7 clips under Person 2.')
  await other.close()
})
