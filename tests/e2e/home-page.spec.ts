import { expect, removeExpectedProblems, test, SIGNED_OUT_401 } from '../support/e2e.ts'

test.describe('the home page without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('is complete with heading, sign-in link and prices, hydrates no island and loads no script', async ({
    page,
  }) => {
    const scripts: string[] = []
    page.on('request', (request) => request.resourceType() === 'script' && scripts.push(request.url()))
    const answer = await page.goto('/')
    expect(answer?.status()).toBe(200)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Log in' }).first()).toBeVisible()
    await page.getByRole('link', { name: 'See plans' }).click()
    await expect(page).toHaveURL('/#plans')
    for (const price of ['$2.99', '$9.99', '$19.99']) await expect(page.getByText(price, { exact: true })).toBeVisible()
    await page.getByText('Annual', { exact: true }).click()
    await expect(page.getByText('$99.99', { exact: true })).toBeVisible()
    for (const image of await page.getByRole('img').all()) await expect(image).toHaveJSProperty('complete', true)
    await expect(page.locator('astro-island')).toHaveCount(0)
    expect(scripts).toEqual([])
  })
})

test('ROUTE-19 `/` is reachable without sign-in, and a plan card is as tall as its text', async ({
  page,
  problems,
}) => {
  await page.goto('/')
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('link', { name: 'Log in' }).first()).toBeVisible()
  const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Camera AI' }) })
  const measureGap = async () => {
    const lastFactBox = await card.getByRole('listitem').last().boundingBox()
    const buttonBox = await card.getByRole('link', { name: 'Choose Camera AI' }).boundingBox()
    return lastFactBox && buttonBox ? buttonBox.y - lastFactBox.y - lastFactBox.height : Infinity
  }
  await expect.poll(measureGap).toBeLessThan(60)
  removeExpectedProblems(problems, SIGNED_OUT_401)
})

test('ERROR-05 an unknown URL returns 404 with links back into the portal', async ({ page, problems }) => {
  const answer = await page.goto('/no/such/page')
  expect(answer?.status()).toBe(404)
  await expect(page.getByText('Oops! The page you were trying to access could not be found.')).toBeVisible()
  for (const section of ['Cameras', 'Events', 'Account'])
    await expect(page.getByRole('main').getByRole('link', { name: section })).toBeVisible()
  removeExpectedProblems(problems, SIGNED_OUT_401, { status: 404, path: /^\/no\/such\/page$/ })
})
