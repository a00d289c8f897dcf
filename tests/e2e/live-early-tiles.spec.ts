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
