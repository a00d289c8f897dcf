import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'puppeteer-core'
import type { Journey, Stage } from '../journey.ts'
import { address, assert, find, fits, isThere, key, moves, press, says, signIn, until } from '../looks.ts'

const TILE = '[aria-label="Cameras"] > li'
const CAMERA = 'Driveway'

export const live: Journey = {
  name: 'live',
  says: 'Five cameras played, one click opened one of them, a snapshot was saved, Back and every layout worked.',
  async go(stage) {
    const { page, origin, isPhone } = stage
    await page.goto(`${origin}/live`)
    await signIn(page)
    await address(page, '/live')
    await play(page)
    await fits(page)
    await (isPhone ? columns(page) : layouts(page))
    await open(stage)
  },
}

/** Checks that the last camera is asleep, and that every other camera is live and its video plays. */
async function play(page: Page): Promise<void> {
  const tiles = await until('There are no six cameras.', async () => {
    const all = await page.$$(TILE)
    return all.length === 6 && all
  })
  for (const [at, tile] of tiles.entries()) {
    await tile.scrollIntoView()
    const pattern = at < 5 ? /, live$/ : /^Garage, asleep$/
    const says = () => tile.evaluate((element) => element.getAttribute('aria-label') ?? '')
    await until(`Camera ${at + 1} is not ${at < 5 ? 'live' : 'asleep'}.`, async () => pattern.test(await says()))
    if (at < 5) await moves(page, `${TILE}:nth-child(${at + 1}) video`)
  }
}

const widths = (page: Page) => page.$$eval(TILE, (all) => all.map((tile) => tile.getBoundingClientRect().width))

async function spread(page: Page): Promise<number> {
  const all = await widths(page)
  return Math.max(...all) / Math.min(...all)
}

const isChosen = async (page: Page, name: string) =>
  (await find(page, 'button', name)).evaluate((button) => button.getAttribute('aria-pressed') === 'true')

async function layouts(page: Page): Promise<void> {
  const byKeys = async (name: string) => {
    await (await find(page, 'button', name)).focus()
    await key(page, 'Enter')
  }
  for (const choose of [(name: string) => press(page, 'button', name), byKeys]) {
    await choose('Focus')
    await until('Focus does not make the first picture large.', async () => (await spread(page)) >= 1.8)
    await choose('Grid')
    await until('A grid has pictures of different sizes.', async () => (await spread(page)) <= 1.55)
    await choose('Automatic')
    await until('The layout is not automatic again.', () => isChosen(page, 'Automatic'))
    await choose('One')
    await address(page, /^\/live\?camera=/)
    await key(page, 'Escape')
    await address(page, '/live')
    await find(page, 'button', `Open ${CAMERA}`)
  }
}

/** Checks the two layouts that a phone offers: one column and two columns. */
async function columns(page: Page): Promise<void> {
  for (const name of ['Focus', 'One']) assert(!(await isThere(page, 'button', name)), `A phone offers ${name}.`)
  await until('One column is not as wide as the window.', async () => Number((await widths(page))[0]) > 340)
  await press(page, 'button', 'Grid')
  const row = () => page.$$eval(TILE, (all) => all.slice(0, 2).map((tile) => tile.getBoundingClientRect().y))
  await until('Two columns do not stand beside each other.', async () => {
    const [first, second] = await row()
    return first === second && (await widths(page))[0]! < 200
  })
  await fits(page)
  await press(page, 'button', 'Automatic')
  await until('There is no single column again.', async () => Number((await widths(page))[0]) > 340)
}

const SNAPSHOT = /^Driveway \d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d.*\.jpg$/

const isJpeg = (bytes: Buffer): boolean =>
  bytes.length > 5000 && bytes.readUInt16BE(0) === 0xffd8 && bytes.readUInt16BE(bytes.length - 2) === 0xffd9

async function open({ page, downloads, isPhone }: Stage): Promise<void> {
  await press(page, 'button', `Open ${CAMERA}`)
  await address(page, /^\/live\?camera=\w+$/)
  await says(page, 'h1', CAMERA)
  await moves(page, '.one-frame video')
  await fits(page)
  const before = readdirSync(downloads)
  await press(page, 'button', 'Snapshot')
  const name = await until('The snapshot is not saved as a file.', () =>
    readdirSync(downloads).find((file) => !before.includes(file) && SNAPSHOT.test(file)),
  )
  await says(page, 'body', 'Saved as “Driveway ')
  await until('The snapshot is no whole JPEG.', () => isJpeg(readFileSync(join(downloads, name))))
  await page.goBack()
  await address(page, '/live')
  await find(page, 'button', `Open ${CAMERA}`)
  await play(page)
  if (isPhone) return
  await (await find(page, 'button', `Open ${CAMERA}`)).focus()
  await key(page, 'Enter')
  await says(page, 'h1', CAMERA)
  await key(page, 'Escape')
  await address(page, '/live')
}
