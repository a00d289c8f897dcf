import { expect, SIGNED_IN_STATES, test } from '../support/e2e.ts'

test.use({ storageState: SIGNED_IN_STATES.owner })

/** Runs in the page: returns name and position of the tiles. */
const readTiles = (tiles: (HTMLElement | SVGElement)[]) =>
  tiles.map((tile) => {
    const { left, top, width, height } = tile.getBoundingClientRect()
    return `${tile.querySelector('h2')?.textContent} ${[left, top, width, height].map(Math.round).join(' ')}`
  })

for (const width of [1440, 390])
  test(`at ${width} px, the document shows the tiles while all other modules are held back`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 })
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    await page.route(/\/_astro\/(?!wide-chunk\.).*\.js$/, async (route) => {
      await held
      await route.continue()
    })
    await page.goto('/live', { waitUntil: 'commit' })
    const early = page.locator('.live-grid > .skeleton[data-camera]')
    await expect(early.filter({ hasText: 'Front door' })).toBeVisible()
    // Settled: nothing changes the tiles while the modules are held back.
    const tiles = await early.evaluateAll(readTiles)
    release()
    const final = page.getByRole('list', { name: 'Cameras' }).getByRole('listitem')
    await expect(final).toHaveCount(tiles.length)
    await expect.poll(() => final.evaluateAll(readTiles)).toEqual(tiles)
  })

/** Runs in the page: holds back everything that waits for the first screen, until the page calls `release`. */
const holdFirstScreen = () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  Object.defineProperty(window, 'firstScreen', { get: () => promise, set: () => undefined })
  Object.assign(window, { release: resolve })
}

test('until the visible cameras play, the page loads no code except that of the video', async ({ page }) => {
  const requestedScripts: string[] = []
  page.on('request', (request) => {
    const [, chunk] = /\/_astro\/([\w-]+)\.[^/]+\.js$/.exec(new URL(request.url()).pathname) ?? []
    if (chunk) requestedScripts.push(chunk)
  })
  await page.goto('/live')
  await expect(page.getByRole('listitem', { name: /, live$/i }).first()).toBeVisible()
  // The first visit must not request the tasks during the second.
  await expect.poll(() => requestedScripts).toContain('tasks')
  requestedScripts.length = 0
  await page.addInitScript(holdFirstScreen)
  await page.reload({ waitUntil: 'load' })
  await expect(page.locator('.live-grid > .skeleton video[data-shown=true]').first()).toBeVisible()
  // With an idle main thread, a deferred task would have started.
  await page.evaluate(() => new Promise<void>((resolve) => void requestIdleCallback(() => resolve())))
  expect(requestedScripts).not.toContain('tasks')
  expect(requestedScripts).toContain('live-media')
  await page.evaluate(() => (window as unknown as { release: () => void }).release())
  await expect.poll(() => requestedScripts).toContain('tasks')
  await expect(page.getByRole('list', { name: 'Cameras' })).toBeVisible()
})

/** Runs in the page: returns the different delays of the running sweeps, ms. */
const listSweepDelays = () => {
  const sweeps = document.getAnimations().filter((item) => (item as CSSAnimation).animationName === 'sweep')
  return [...new Set(sweeps.map(({ effect }) => effect?.getTiming().delay))]
}

test('skeletons stay still for a second, because each frame of a sweep paints them again', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.route(/\/_astro\/.*\.js$/, () => undefined)
  await page.goto('/live', { waitUntil: 'commit' })
  await expect(page.locator('.live-grid > .skeleton[data-camera]').first()).toBeAttached()
  await expect.poll(() => page.evaluate(listSweepDelays)).toEqual([1000])
})
