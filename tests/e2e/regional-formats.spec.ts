import { expect, SIGNED_IN_STATES, test } from '../support/e2e.ts'

/** Camera and time of an event in the list. */
const CLOCK_12 = / · \d{1,2}:\d\d:\d\d\s(AM|PM)$/
const CLOCK_24 = / · \d\d:\d\d:\d\d$/

test.use({ storageState: SIGNED_IN_STATES.owner })

test.describe('in the United States', () => {
  test.use({ locale: 'en-US' })

  test('OPEN-168 events show a 12-hour clock', async ({ page }) => {
    await page.goto('/events')
    await expect(page.getByText(CLOCK_12).first()).toBeVisible()
  })

  test('OPEN-168 the owner can choose other formats for this browser, which the next page uses', async ({ page }) => {
    await page.goto('/account')
    const formats = page.getByRole('combobox', { name: 'Format in this browser' })
    await formats.selectOption('en-GB')
    await expect(formats).toHaveValue('en-GB')
    await page.goto('/events')
    await expect(page.getByText(CLOCK_24).first()).toBeVisible()
    await page.goto('/account')
    await formats.selectOption('')
    await page.goto('/events')
    await expect(page.getByText(CLOCK_12).first()).toBeVisible()
  })
})

test.describe('in Germany', () => {
  test.use({ locale: 'de-DE' })

  test('OPEN-168 events show a 24-hour clock and English names', async ({ page }) => {
    await page.goto('/events')
    await expect(page.getByText(CLOCK_24).first()).toBeVisible()
  })
})

test.describe('in a time zone that is not the home’s', () => {
  test.use({ timezoneId: 'Asia/Tokyo' })

  test('OPEN-168 pages say that their times are not those of the home', async ({ page }) => {
    await page.goto('/account')
    await expect(page.getByText('This browser uses Tokyo time.')).toBeVisible()
    // While the window changes its width, a hidden column can contain a second note.
    const note = page
      .getByText(/^Times are in the Tokyo time zone, not your home’s \(.+\)\.$/)
      .filter({ visible: true })
    for (const path of ['/live', '/events']) {
      await page.goto(path)
      await expect(note).toBeVisible()
    }
    await page.setViewportSize({ width: 390, height: 844 })
    await expect(note).toBeVisible()
  })
})
