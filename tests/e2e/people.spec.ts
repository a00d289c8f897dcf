import type { Page } from 'playwright/test'
import { expect, SIGNED_IN_STATES, test } from '../support/e2e.ts'
import { eventCards } from '../support/events.ts'

test.use({ storageState: SIGNED_IN_STATES.owner })

const findUnnamedPeople = (page: Page) => page.getByRole('list', { name: 'Not named yet' }).getByRole('listitem')
const findUndoGroup = (page: Page) => page.getByRole('group', { name: 'Undo' })

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
