import { expect, forgive, test } from '../support/e2e.ts'

test.describe('the home page without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('is complete: what it is, how to get in, what it costs', async ({ page }) => {
    const answer = await page.goto('/')
    expect(answer?.status()).toBe(200)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Log in' }).first()).toBeVisible()
    await page.getByRole('link', { name: 'See plans' }).click()
    await expect(page).toHaveURL('/#plans')
    for (const price of ['$2.99', '$9.99', '$19.99']) await expect(page.getByText(price, { exact: true })).toBeVisible()
    await page.getByText('Annual', { exact: true }).click()
    await expect(page.getByText('$99.99', { exact: true })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Privacy in plain words' })).toBeVisible()
    for (const image of await page.getByRole('img').all()) await expect(image).toHaveJSProperty('complete', true)
  })

  test('hydrates no island and loads no React', async ({ page }) => {
    const scripts: string[] = []
    page.on('request', (request) => request.resourceType() === 'script' && scripts.push(request.url()))
    await page.goto('/')
    expect(await page.locator('astro-island').count()).toBe(0)
    expect(scripts).toEqual([])
  })
})

test('a plan on the home page is as high as its words', async ({ page }) => {
  await page.goto('/')
  const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Camera AI' }) })
  const [fact, last] = [
    await card.getByRole('listitem').last().boundingBox(),
    await card.getByRole('link', { name: 'Choose Camera AI' }).boundingBox(),
  ]
  if (!fact || !last) throw new Error('not laid out')
  expect(last.y - fact.y - fact.height).toBeLessThan(60)
})

test('ROUTE-19 `/` is reachable without sign-in', async ({ page, problems }) => {
  await page.goto('/')
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('link', { name: 'Log in' }).first()).toBeVisible()
  problems.splice(0, problems.length, ...problems.filter((problem) => !problem.includes('401')))
})

test('an unknown address answers 404 with the way back', async ({ page, problems }) => {
  const answer = await page.goto('/no/such/page')
  expect(answer?.status()).toBe(404)
  await expect(page.getByText('Oops! The page you were trying to access could not be found.')).toBeVisible()
  for (const section of ['Cameras', 'Events', 'Account'])
    await expect(page.getByRole('main').getByRole('link', { name: section })).toBeVisible()
  forgive(problems, /40[14]/)
})
