import type { Locator, Page } from 'playwright/test'
import { hourSpan } from '../../src/domain/events/clip-hour.ts'
import { findings } from '../support/axe.ts'
import { expect, SIGNED_IN, test } from '../support/e2e.ts'
import { parseEventTime, cards } from '../support/events.ts'
import { findFold } from '../support/folds.ts'

test.use({ storageState: SIGNED_IN.owner })

const clip = (page: Page) => page.getByRole('region', { name: 'Clip' })
const player = (page: Page) => page.locator('video[aria-label^=Recording]')
const position = (page: Page) => page.getByRole('slider', { name: 'Position in the clip' })
const outline = (page: Page, kind: string) => page.locator(`[data-found=${kind}]:not([hidden])`)

/** Opens a clip in which a person brings a box, and pauses it. */
async function openClip(page: Page): Promise<void> {
  await page.goto('/events?days=60&tags=104')
  await cards(page)
    .getByRole('link', { name: /^Person with a box/ })
    .first()
    .click()
  await stop(page)
}

async function stop(page: Page): Promise<void> {
  await expect.poll(() => player(page).evaluate((video: HTMLVideoElement) => video.readyState)).toBeGreaterThan(1)
  await player(page).evaluate((video: HTMLVideoElement) => video.pause())
}

async function seek(page: Page, second: number): Promise<void> {
  await player(page).evaluate((video: HTMLVideoElement, to) => void (video.currentTime = to), second)
  await expect.poll(() => player(page).evaluate((video: HTMLVideoElement) => video.seeking)).toBe(false)
}

const measureBox = async (place: Locator) => {
  const box = await place.boundingBox()
  if (!box) throw new Error('It has no place.')
  return box
}

test('detections are outlined in place, move with the video and can be switched off permanently', async ({ page }) => {
  await openClip(page)
  const person = outline(page, 'person')
  await seek(page, 8)
  await expect(person).toHaveCount(1)
  await expect(page.getByRole('img', { name: /^Outlined: .*person/ })).toBeVisible()
  const measureLeft = async (place: Locator) => (await measureBox(place)).x
  const measureRight = async (place: Locator) => (await measureLeft(place)) + (await measureBox(place)).width
  await expect
    .poll(async () => (await measureLeft(person)) - (await measureLeft(player(page))))
    .toBeGreaterThanOrEqual(-8)
  await expect
    .poll(async () => (await measureRight(person)) - (await measureRight(player(page))))
    .toBeLessThanOrEqual(8)
  const there = await measureBox(person)
  await seek(page, 4)
  const moved = async () => {
    const here = await measureBox(person)
    return Math.hypot(here.x - there.x, here.y - there.y, here.height - there.height)
  }
  await expect.poll(moved).toBeGreaterThan(8)

  const toggle = page.getByRole('switch', { name: 'Show what was found' })
  await toggle.click()
  await expect(page.locator('[data-found]')).toHaveCount(0)
  await page.reload()
  await expect(toggle).toHaveAttribute('aria-checked', 'false')
  await toggle.click()
  await stop(page)
  await seek(page, 8)
  await expect(person).toHaveCount(1)
})

test('the outline stays aligned with the video when bars appear beside it', { tag: '@all' }, async ({ page }) => {
  await openClip(page)
  await seek(page, 8)
  // Measures both boxes in one evaluation: the outline is aligned in an animation frame of its own, so two evaluations
  // could see different layouts.
  const share = () =>
    outline(page, 'person').evaluate((element) => {
      const [box, picture] = [element.getBoundingClientRect(), element.parentElement!.getBoundingClientRect()]
      return (box.x + box.width / 2 - picture.x) / picture.width
    })
  const before = await share()
  await player(page).evaluate((video) => {
    const frame = video.parentElement
    if (frame) frame.style.aspectRatio = '3'
  })
  await expect
    .poll(async () => (await measureBox(player(page))).width / (await measureBox(player(page))).height)
    .toBeGreaterThan(2.5)
  const outlined = page.getByRole('img', { name: /^Outlined/ })
  await expect
    .poll(async () => (await measureBox(outlined)).width / (await measureBox(player(page))).width)
    .toBeLessThan(0.8)
  const aspectRatio = async () => {
    const { width, height } = await measureBox(outlined)
    return width / height
  }
  await expect.poll(aspectRatio).toBeCloseTo(16 / 9, 1)
  await expect.poll(share).toBeCloseTo(before, 1)
})

test(
  'hovering over the scrubber shows the frame of that second, and arrow keys announce their position',
  { tag: '@all' },
  async ({ page }) => {
    await openClip(page)
    const track = await measureBox(position(page))
    const picture = page.locator('canvas[data-second]')
    await expect(page.locator('.scrub-picture')).toHaveCount(0)
    await page.mouse.move(track.x + track.width / 2, track.y + track.height / 2)
    const length = await player(page).evaluate((video: HTMLVideoElement) => video.duration)
    const second = async () => Number(await picture.getAttribute('data-second'))
    await expect.poll(async () => Math.abs((await second()) - length / 2)).toBeLessThan(1)
    await page.mouse.move(track.x + track.width / 4, track.y + track.height / 2, { steps: 8 })
    await expect.poll(async () => Math.abs((await second()) - length / 4)).toBeLessThan(1)
    await expect(picture).toBeVisible()
    await page.mouse.move(track.x + 10, track.y - 200)
    await expect(picture).toBeHidden()
    await position(page).focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowRight')
    await expect(position(page)).toHaveAttribute('aria-valuetext', /^0:01 of 0:\d\d$/)
  },
)

/** Fakes a browser that shares files; the first `late` attempts fail because the tap was too long ago. */
const withShare = (page: Page, late: number) =>
  page.addInitScript((left) => {
    const sharedFiles: unknown[] = []
    let refusals = left
    Object.assign(window, { told: sharedFiles })
    Object.assign(navigator, {
      canShare: ({ files }: { files?: File[] }) => files?.[0]?.type === 'video/mp4',
      share: async ({ files, title }: { files: File[]; title: string }) => {
        if (refusals-- > 0) throw new DOMException('A tap is needed.', 'NotAllowedError')
        const bytes = new Uint8Array(await files[0]!.arrayBuffer())
        sharedFiles.push({ name: files[0]!.name, title, isMp4: String.fromCharCode(...bytes.slice(4, 8)) === 'ftyp' })
      },
    })
  }, late)
const readSharedFiles = (page: Page) => page.evaluate(() => (window as unknown as { told: unknown[] }).told)

test('the system share sheet gets the clip as a file, after a second tap if it loads late', async ({ page }) => {
  await withShare(page, 1)
  await openClip(page)
  const share = page.getByRole('button', { name: 'Share', exact: true })
  await share.click()
  await page.getByRole('button', { name: 'Ready: share' }).click()
  const file = {
    name: expect.stringMatching(/^.+ \d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d\.mp4$/),
    title: expect.any(String),
    isMp4: true,
  }
  await expect.poll(() => readSharedFiles(page)).toEqual([file])
  await share.click()
  await expect.poll(() => readSharedFiles(page)).toEqual([file, file])
})

test('a browser that rejects every share is reported after the second tap', { tag: '@all' }, async ({ page }) => {
  await withShare(page, 99)
  await openClip(page)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await page.getByRole('button', { name: 'Ready: share' }).click()
  await expect(clip(page).getByText(/cannot hand files to other apps/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Share', exact: true })).toBeVisible()
})

test(
  'a browser that cannot share files is reported, with the download offered beside it',
  { tag: '@all' },
  async ({ page }) => {
    await page.addInitScript(() => Object.assign(navigator, { canShare: () => false }))
    await openClip(page)
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download' }).click()
    expect((await download).suggestedFilename()).toMatch(/\.mp4$/)
  },
)

test(
  'the clip shows one question and one row of actions, however many clips were opened',
  { tag: '@all' },
  async ({ page }) => {
    await openClip(page)
    // A clip with an unnamed person asks for the name instead.
    const nameForm = page.getByRole('form', { name: 'Who is this?' })
    const questions = page.getByRole('group', { name: 'Is this label right?' }).or(nameForm)
    const actions = page.getByRole('group', { name: 'Clip actions' })
    const links = actions.getByRole('link', { name: 'Download' })
    for (let opened = 0; opened < 4; opened += 1) {
      const before = new URL(page.url()).searchParams.get('event')
      await page.keyboard.press('p')
      await expect.poll(() => new URL(page.url()).searchParams.get('event')).not.toBe(before)
      await expect(links).toHaveCount(1)
      await expect(questions).toHaveCount(1)
      await expect(actions).toHaveCount(1)
    }
    await expect(actions.getByRole('button').last()).toHaveAccessibleName('Delete')
  },
)

test.describe('clip on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

  test('shows small actions in one row, with the camera’s hour one tap away', { tag: '@all' }, async ({ page }) => {
    await openClip(page)
    const actions = page.getByRole('group', { name: 'Clip actions' })
    await expect(actions.getByRole('link')).toHaveCount(1)
    await expect(actions.getByRole('button').last()).toHaveAccessibleName('Delete')
    const places = await Promise.all(
      (await actions.getByRole('link').or(actions.getByRole('button')).all()).map((action) => measureBox(action)),
    )
    expect(new Set(places.map(({ y }) => y)).size).toBe(1)
    for (const { height, width } of places) expect(Math.min(height, width)).toBeGreaterThanOrEqual(44)

    const hour = clip(page).getByRole('region', { name: /, this hour$/ })
    await expect(hour.getByText(/^\d\d:00 – \d\d:00$/)).toBeVisible()
    expect(await findings(page, 'clip')).toEqual([])
  })

  test('lists the camera’s events of the same hour and opens the tapped one', { tag: '@all' }, async ({ page }) => {
    const { fold, link } = await findFold(page)
    await page.goto(link)
    const newest = fold.first.event_id
    await cards(page)
      .getByRole('link')
      .and(page.locator(`[data-event="${newest}"]`))
      .tap()
    const hour = clip(page).getByRole('region', { name: /, this hour$/ })
    await expect(hour.locator('[aria-current]')).toHaveCount(1)
    const other = hour.getByRole('link').and(page.locator(':not([aria-current])')).first()
    await other.tap()
    await expect.poll(() => new URL(page.url()).searchParams.get('event')).not.toBe(newest)
    await expect(hour.locator('[aria-current]')).toHaveCount(1)
  })

  test('opens the event tapped on the hour strip, and nothing on a right-click', { tag: '@all' }, async ({ page }) => {
    const { fold, link } = await findFold(page)
    await page.goto(link)
    const newest = fold.first.event_id
    await page.locator(`[data-event="${newest}"]`).tap()
    const hour = clip(page).getByRole('region', { name: /, this hour$/ })
    const links = hour.getByRole('link')
    await expect(hour.locator('[aria-current]')).toHaveCount(1)
    const addresses = await links.evaluateAll((all) => all.map((anchor) => (anchor as HTMLAnchorElement).href))
    const ids = addresses.map((address) => new URL(address).searchParams.get('event') ?? '')
    const far = (id: string) => Math.abs(parseEventTime(id) - fold.first.event_ts)
    const farthest = ids.toSorted((a, b) => far(b) - far(a))[0] ?? ''
    const { begin, end } = hourSpan(fold.first.event_ts)
    const strip = hour.locator('.clip-hour-strip')
    const { width } = await measureBox(strip)
    const position = { x: ((parseEventTime(farthest) - begin) / (end - begin)) * width, y: 40 }
    await strip.click({ button: 'right', position })
    expect(new URL(page.url()).searchParams.get('event')).toBe(newest)
    await strip.tap({ position })
    await expect.poll(() => new URL(page.url()).searchParams.get('event')).not.toBe(newest)
  })
})
