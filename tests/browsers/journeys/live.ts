import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Journey, JourneyEnvironment, JourneyPage } from '../journey.ts'
import {
  expectUrl,
  assert,
  waitForElement,
  expectNoOverflow,
  isElementVisible,
  pressKey,
  expectVideoPlaying,
  press,
  expectText,
  signIn,
  waitUntil,
} from '../page-helpers.ts'

const TILE_SELECTOR = '[aria-label="Cameras"] > li'
const CAMERA_NAME = 'Driveway'

export const liveJourney: Journey = {
  name: 'live',
  summary: 'Five cameras played, one click opened one of them, a snapshot was saved, Back and every layout worked.',
  async run(deployment) {
    const { page, origin, isPhone } = deployment
    await page.goto(`${origin}/live`)
    await signIn(page)
    await expectUrl(page, '/live')
    await checkTiles(page)
    await expectNoOverflow(page)
    await (isPhone ? checkColumns(page) : checkLayouts(page))
    await checkOpenCamera(deployment)
  },
}

async function checkTiles(page: JourneyPage): Promise<void> {
  const tiles = await waitUntil('The page does not show six cameras.', async () => {
    const all = await page.$$(TILE_SELECTOR)
    return all.length === 6 && all
  })
  for (const [index, tile] of tiles.entries()) {
    await tile.scrollIntoView()
    const pattern = index < 5 ? /, live$/ : /^Garage, asleep$/
    const readLabel = () => tile.evaluate((element) => element.getAttribute('aria-label') ?? '')
    await waitUntil(`Camera ${index + 1} is not ${index < 5 ? 'live' : 'asleep'}.`, async () =>
      pattern.test(await readLabel()),
    )
    if (index < 5) await expectVideoPlaying(page, `${TILE_SELECTOR}:nth-child(${index + 1}) video`)
  }
}

const readTileWidths = (page: JourneyPage) =>
  page.$$eval(TILE_SELECTOR, (all) => all.map((tile) => tile.getBoundingClientRect().width))

async function readWidthRatio(page: JourneyPage): Promise<number> {
  const all = await readTileWidths(page)
  return Math.max(...all) / Math.min(...all)
}

const isLayoutPressed = async (page: JourneyPage, name: string) =>
  (await waitForElement(page, 'button', name)).evaluate((button) => button.getAttribute('aria-pressed') === 'true')

async function checkLayouts(page: JourneyPage): Promise<void> {
  const chooseByKeyboard = async (name: string) => {
    await (await waitForElement(page, 'button', name)).focus()
    await pressKey(page, 'Enter')
  }
  for (const choose of [(name: string) => press(page, 'button', name), chooseByKeyboard]) {
    await choose('Focus')
    await waitUntil('Focus does not enlarge the first video.', async () => (await readWidthRatio(page)) >= 1.8)
    await choose('Grid')
    await waitUntil('The grid has videos of different sizes.', async () => (await readWidthRatio(page)) <= 1.55)
    await choose('Automatic')
    await waitUntil('The layout is not automatic again.', () => isLayoutPressed(page, 'Automatic'))
    await choose('One')
    await expectUrl(page, /^\/live\?camera=/)
    await pressKey(page, 'Escape')
    await expectUrl(page, '/live')
    await waitForElement(page, 'button', `Open ${CAMERA_NAME}`)
  }
}

/** Checks the two layouts that a phone offers: one column and two columns. */
async function checkColumns(page: JourneyPage): Promise<void> {
  for (const name of ['Focus', 'One'])
    assert(!(await isElementVisible(page, 'button', name)), `A phone offers ${name}.`)
  await waitUntil('One column is not as wide as the window.', async () => Number((await readTileWidths(page))[0]) > 340)
  await press(page, 'button', 'Grid')
  const readTileTops = () =>
    page.$$eval(TILE_SELECTOR, (all) => all.slice(0, 2).map((tile) => tile.getBoundingClientRect().y))
  await waitUntil('The grid does not have two columns.', async () => {
    const [first, second] = await readTileTops()
    return first === second && (await readTileWidths(page))[0]! < 200
  })
  await expectNoOverflow(page)
  await press(page, 'button', 'Automatic')
  await waitUntil(
    'The layout does not return to one column.',
    async () => Number((await readTileWidths(page))[0]) > 340,
  )
}

const SNAPSHOT_FILE_PATTERN = /^Driveway \d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d.*\.jpg$/

/** Presses "Snapshot" and checks the saved file, unless the browser saves no files (`downloads` is null). */
async function saveSnapshot(page: JourneyPage, downloads: string | null): Promise<void> {
  const before = downloads === null ? [] : readdirSync(downloads)
  await press(page, 'button', 'Snapshot')
  await expectText(page, 'body', 'Saved as “Driveway ')
  if (downloads === null) return
  const name = await waitUntil('The snapshot is not saved as a file.', () =>
    readdirSync(downloads).find((file) => !before.includes(file) && SNAPSHOT_FILE_PATTERN.test(file)),
  )
  await waitUntil('The snapshot is not a complete JPEG.', () => isJpeg(readFileSync(join(downloads, name))))
}

const isJpeg = (bytes: Buffer): boolean =>
  bytes.length > 5000 && bytes.readUInt16BE(0) === 0xffd8 && bytes.readUInt16BE(bytes.length - 2) === 0xffd9

async function checkOpenCamera({ page, downloads, isPhone }: JourneyEnvironment): Promise<void> {
  await press(page, 'button', `Open ${CAMERA_NAME}`)
  await expectUrl(page, /^\/live\?camera=\w+$/)
  await expectText(page, 'h1', CAMERA_NAME)
  await expectVideoPlaying(page, '.one-frame video')
  await expectNoOverflow(page)
  await saveSnapshot(page, downloads)
  await page.goBack()
  await expectUrl(page, '/live')
  await waitForElement(page, 'button', `Open ${CAMERA_NAME}`)
  await checkTiles(page)
  if (isPhone) return
  await (await waitForElement(page, 'button', `Open ${CAMERA_NAME}`)).focus()
  await pressKey(page, 'Enter')
  await expectText(page, 'h1', CAMERA_NAME)
  await pressKey(page, 'Escape')
  await expectUrl(page, '/live')
}
