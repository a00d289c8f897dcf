import type { Locator, Page } from 'playwright/test'
import { expect, forgive, SIGNED_IN, test } from '../support/e2e.ts'
import { ready } from '../support/live.ts'

test.use({ storageState: SIGNED_IN.owner })

const tileOf = (page: Page, name: string) => page.getByRole('listitem', { name: new RegExp(`^${name}, `) })
const front = (page: Page) => tileOf(page, 'Front door')
const main = (page: Page) => front(page).getByLabel('Front door, live picture')
const small = (page: Page) => front(page).getByLabel('Front door, second live picture')
const swap = (page: Page) => front(page).getByRole('button', { name: 'Front door: swap the two pictures' })

/** A picture in 16 × 9 grey values, as far from each other as the picture allows. */
const greys = (video: Locator) =>
  video.evaluate((element: HTMLVideoElement) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 16, height: 9 })
    const pen = canvas.getContext('2d')
    pen?.drawImage(element, 0, 0, 16, 9)
    const { data } = pen?.getImageData(0, 0, 16, 9) ?? { data: new Uint8ClampedArray() }
    const values = Array.from({ length: 16 * 9 }, (_, i) => data[i * 4 + 1] ?? 0)
    const mean = values.reduce((sum, one) => sum + one, 0) / values.length
    const spread = Math.hypot(...values.map((one) => one - mean)) || 1
    return values.map((one) => (one - mean) / spread)
  })

/** 1 for the same picture, about 0 for two that have nothing in common. */
const likeness = (one: readonly number[], other: readonly number[]) =>
  one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0)

/** The picture shows what `lens` saw, not what `other` saw. Somebody who walks through it makes it less like either, never more like the other. */
const shows = async (video: Locator, lens: readonly number[], other: readonly number[]) => {
  const now = await greys(video)
  return likeness(now, lens) > likeness(now, other)
}

async function open(page: Page): Promise<void> {
  await page.goto('/live')
  await expect(small(page)).toBeVisible()
  // Both pictures come over the same connection from then on.
  await expect.poll(() => main(page).evaluate((video: HTMLVideoElement) => video.srcObject !== null)).toBe(true)
  for (const one of [main(page), small(page)])
    await expect.poll(async () => likeness(await greys(one), await greys(one))).toBeGreaterThan(0.95)
}

test('LIVE-06 a dual camera shows both pictures, and its button swaps them for all who watch', async ({
  page,
  context,
}) => {
  const other = await context.newPage()
  await open(other)
  await page.bringToFront()
  await open(page)
  const [large, inset] = [await greys(main(page)), await greys(small(page))]
  expect(likeness(large, inset)).toBeLessThan(0.7)

  const asked = page.waitForRequest((request) => request.postData()?.includes('exchange_pip') === true)
  await swap(page).click()
  expect((await asked).postDataJSON()).toMatchObject({ action: 'exchange_pip' })
  for (const one of [page, other]) {
    await one.bringToFront()
    await expect.poll(() => shows(main(one), inset, large)).toBe(true)
    await expect.poll(() => shows(small(one), large, inset)).toBe(true)
  }
  await swap(other).click()
  for (const one of [other, page]) {
    await one.bringToFront()
    await expect.poll(() => shows(main(one), large, inset)).toBe(true)
  }
})

test('LIVE-07 the swap is offered on the dual camera only', async ({ page }) => {
  await open(page)
  await expect(page.getByRole('listitem', { name: /, live$/ })).toHaveCount(5)
  await expect(swap(page)).toBeVisible()
  await expect(page.getByRole('button', { name: /swap the two pictures/ })).toHaveCount(1)
})

test('LIVE-16 a swap that fails leaves no message and the pictures where they were', async ({ page, problems }) => {
  await open(page)
  const [large, inset] = [await greys(main(page)), await greys(small(page))]
  await page.route('**/*', (route) =>
    route.request().postData()?.includes('exchange_pip') ? route.abort() : route.fallback(),
  )
  const failed = page.waitForEvent('requestfailed', (request) => Boolean(request.postData()?.includes('exchange_pip')))
  await swap(page).click()
  await failed
  await expect(page.getByRole('alert')).toHaveCount(0)
  expect(await shows(main(page), large, inset)).toBe(true)
  await expect(swap(page)).toBeEnabled()
  forgive(problems, /ERR_FAILED/)
})

test('at every size a dual camera shows its name whole, outside of its second picture', async ({ page }) => {
  await open(page)
  await ready(page)
  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 900 })
    for (const layout of ['Grid', 'Automatic']) {
      const choice = page.getByRole('button', { name: layout, exact: true })
      await choice.click()
      await expect(choice).toHaveAttribute('aria-pressed', 'true')
      await page.mouse.move(2, 2)
      const heading = front(page).getByRole('heading')
      await expect(heading).toBeVisible()
      const cut = () => heading.evaluate((element) => element.scrollWidth - element.clientWidth)
      await expect.poll(cut, `${layout} at ${width} px`).toBeLessThanOrEqual(0)
      const isOutside = async () => {
        const [name, inset] = await Promise.all([heading.boundingBox(), small(page).boundingBox()])
        if (!name || !inset) throw new Error('no name, or no second picture')
        return name.x + name.width <= inset.x || name.y >= inset.y + inset.height
      }
      await expect.poll(isOutside, `${layout} at ${width} px`).toBe(true)
    }
  }
})

/** How loud the camera is in this page, root mean square of what it plays over half a second, 0 to 1. */
const loudness = (video: Locator) =>
  video.evaluate(async (element: HTMLVideoElement) => {
    // Between two connections there is nothing to hear.
    const media = element.srcObject as MediaStream | null
    if (!media?.getAudioTracks().length) return 0
    const context = new AudioContext()
    await context.resume()
    const meter = context.createAnalyser()
    context.createMediaStreamSource(media).connect(meter)
    const values = new Float32Array(meter.fftSize)
    let loudest = 0
    const until = context.currentTime + 0.5
    while (context.currentTime < until) {
      meter.getFloatTimeDomainData(values)
      loudest = Math.max(loudest, Math.hypot(...values) / Math.sqrt(values.length))
      await new Promise(requestAnimationFrame)
    }
    await context.close()
    return loudest
  })

for (const name of ['Backyard', 'Living room', 'Front door']) {
  test(`the ${name.toLowerCase()} is silent until its button or m turns its sound on, and then is heard`, async ({
    page,
  }) => {
    await page.goto('/live')
    const tile = tileOf(page, name)
    const video = tile.getByLabel(`${name}, live picture`)
    await expect.poll(() => video.evaluate((one: HTMLVideoElement) => one.srcObject !== null)).toBe(true)
    const isMuted = () => video.evaluate((one: HTMLVideoElement) => one.muted)
    expect(await isMuted()).toBe(true)
    await tile.hover()
    await tile.getByRole('button', { name: 'Sound on' }).click()
    await expect(tile.getByRole('button', { name: 'Sound off' })).toBeVisible()
    await expect.poll(isMuted).toBe(false)
    await expect.poll(() => loudness(video)).toBeGreaterThan(0.001)
    await page.keyboard.press('m')
    await expect(tile.getByRole('button', { name: 'Sound on' })).toBeVisible()
    await expect.poll(isMuted).toBe(true)
  })
}

test('sound is not offered where a camera has none', async ({ page }) => {
  await page.goto('/live')
  const street = tileOf(page, 'Street')
  await expect(street).toHaveAccessibleName('Street, live')
  await street.hover()
  await expect(street.getByRole('button', { name: 'Full screen' })).toBeVisible()
  await expect(street.getByRole('button', { name: /^Sound/ })).toHaveCount(0)
})
