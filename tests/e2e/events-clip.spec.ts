import type { Locator, Page } from 'playwright/test'
import { clockHourSpan } from '../../src/domain/events/clip-hour.ts'
import { findViolations } from '../support/axe.ts'
import { expect, SIGNED_IN_STATES, test } from '../support/e2e.ts'
import { parseEventTime, eventCards } from '../support/events.ts'
import { findEventInSharedHour } from '../support/shared-hour.ts'

test.use({ storageState: SIGNED_IN_STATES.owner })

const findClip = (page: Page) => page.getByRole('region', { name: 'Clip' })
const findVideo = (page: Page) => page.locator('video[aria-label^=Clip]')
const position = (page: Page) => page.getByRole('slider', { name: 'Position in the clip' })
const findOutline = (page: Page, kind: string) => page.locator(`[data-found=${kind}]:not([hidden])`)

async function openClip(page: Page): Promise<void> {
  await page.goto('/events?days=60&tags=104')
  await eventCards(page)
    .getByRole('link', { name: /^Person with a box/ })
    .first()
    .click()
  await pauseVideo(page)
}

async function pauseVideo(page: Page): Promise<void> {
  await expect.poll(() => findVideo(page).evaluate((video: HTMLVideoElement) => video.readyState)).toBeGreaterThan(1)
  await findVideo(page).evaluate((video: HTMLVideoElement) => video.pause())
}

async function seekToSecond(page: Page, second: number): Promise<void> {
  await findVideo(page).evaluate((video: HTMLVideoElement, to) => void (video.currentTime = to), second)
  await expect.poll(() => findVideo(page).evaluate((video: HTMLVideoElement) => video.seeking)).toBe(false)
}

const measureBox = async (locator: Locator) => {
  const box = await locator.boundingBox()
  if (!box) throw new Error('The element has no bounding box.')
  return box
}

test('detections are outlined in place, move with the video and can be switched off permanently', async ({ page }) => {
  await openClip(page)
  const person = findOutline(page, 'person')
  await seekToSecond(page, 8)
  await expect(person).toHaveCount(1)
  await expect(page.getByRole('img', { name: /^Outlined: .*person/ })).toBeVisible()
  const measureLeft = async (locator: Locator) => (await measureBox(locator)).x
  const measureRight = async (locator: Locator) => (await measureLeft(locator)) + (await measureBox(locator)).width
  await expect
    .poll(async () => (await measureLeft(person)) - (await measureLeft(findVideo(page))))
    .toBeGreaterThanOrEqual(-8)
  await expect
    .poll(async () => (await measureRight(person)) - (await measureRight(findVideo(page))))
    .toBeLessThanOrEqual(8)
  const firstBox = await measureBox(person)
  await seekToSecond(page, 4)
  const measureMovement = async () => {
    const currentBox = await measureBox(person)
    return Math.hypot(currentBox.x - firstBox.x, currentBox.y - firstBox.y, currentBox.height - firstBox.height)
  }
  await expect.poll(measureMovement).toBeGreaterThan(8)

  const toggle = page.getByRole('switch', { name: 'Show detections' })
  await toggle.click()
  await expect(page.locator('[data-found]')).toHaveCount(0)
  await page.reload()
  await expect(toggle).toHaveAttribute('aria-checked', 'false')
  await toggle.click()
  await pauseVideo(page)
  await seekToSecond(page, 8)
  await expect(person).toHaveCount(1)
})

test('the outline stays aligned with the video when bars appear beside it', { tag: '@all' }, async ({ page }) => {
  await openClip(page)
  await seekToSecond(page, 8)
  // Measures the outline and its parent in one evaluation. The page realigns the outline in a separate animation frame,
  // so two evaluations could see different layouts.
  const share = () =>
    findOutline(page, 'person').evaluate((element) => {
      const [box, picture] = [element.getBoundingClientRect(), element.parentElement!.getBoundingClientRect()]
      return (box.x + box.width / 2 - picture.x) / picture.width
    })
  const before = await share()
  await findVideo(page).evaluate((video) => {
    const frame = video.parentElement
    if (frame) frame.style.aspectRatio = '3'
  })
  await expect
    .poll(async () => (await measureBox(findVideo(page))).width / (await measureBox(findVideo(page))).height)
    .toBeGreaterThan(2.5)
  const outlineOverlay = page.getByRole('img', { name: /^Outlined/ })
  await expect
    .poll(async () => (await measureBox(outlineOverlay)).width / (await measureBox(findVideo(page))).width)
    .toBeLessThan(0.8)
  const aspectRatio = async () => {
    const { width, height } = await measureBox(outlineOverlay)
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
    const length = await findVideo(page).evaluate((video: HTMLVideoElement) => video.duration)
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

/**
 * Fakes a browser that can share files. Rejects the first `rejectionCount` attempts, as if the tap were too long ago.
 */
const fakeShareSheet = (page: Page, rejectionCount: number) =>
  page.addInitScript((left) => {
    const sharedFiles: unknown[] = []
    let remainingRejections = left
    Object.assign(window, { sharedFiles })
    Object.assign(navigator, {
      canShare: ({ files }: { files?: File[] }) => files?.[0]?.type === 'video/mp4',
      share: async ({ files, title }: { files: File[]; title: string }) => {
        if (remainingRejections-- > 0) throw new DOMException('A tap is needed.', 'NotAllowedError')
        const bytes = new Uint8Array(await files[0]!.arrayBuffer())
        sharedFiles.push({ name: files[0]!.name, title, isMp4: String.fromCharCode(...bytes.slice(4, 8)) === 'ftyp' })
      },
    })
  }, rejectionCount)
const readSharedFiles = (page: Page) =>
  page.evaluate(() => (window as unknown as { sharedFiles: unknown[] }).sharedFiles)

test('the system share sheet gets the clip as a file, after a second tap if it loads late', async ({ page }) => {
  await fakeShareSheet(page, 1)
  await openClip(page)
  const share = page.getByRole('button', { name: 'Share', exact: true })
  await share.click()
  await page.getByRole('button', { name: 'Share now' }).click()
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
  await fakeShareSheet(page, 99)
  await openClip(page)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await page.getByRole('button', { name: 'Share now' }).click()
  await expect(findClip(page).getByText(/Sharing isn’t supported in this browser/)).toBeVisible()
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
    // For a clip with an unnamed person, the page asks for the name, not whether the label is right.
    const nameForm = page.getByRole('form', { name: 'Who is this?' })
    const questions = page.getByRole('group', { name: 'Is this label right?' }).or(nameForm)
    const actions = page.getByRole('group', { name: 'Clip actions' })
    const links = actions.getByRole('link', { name: 'Download' })
    for (let openedClips = 0; openedClips < 4; openedClips += 1) {
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
    const actionBoxes = await Promise.all(
      (await actions.getByRole('link').or(actions.getByRole('button')).all()).map((action) => measureBox(action)),
    )
    expect(new Set(actionBoxes.map(({ y }) => y)).size).toBe(1)
    for (const { height, width } of actionBoxes) expect(Math.min(height, width)).toBeGreaterThanOrEqual(44)

    const hour = findClip(page).getByRole('region', { name: /^Same hour on / })
    await expect(hour.getByText(/^\d\d:00 – \d\d:00$/)).toBeVisible()
    expect(await findViolations(page, 'clip')).toEqual([])
  })

  test('lists the camera’s events of the same hour and opens the tapped one', { tag: '@all' }, async ({ page }) => {
    const { event, link } = await findEventInSharedHour(page)
    await page.goto(link)
    const newest = event.event_id
    await eventCards(page)
      .getByRole('link')
      .and(page.locator(`[data-event="${newest}"]`))
      .tap()
    const hour = findClip(page).getByRole('region', { name: /^Same hour on / })
    await expect(hour.locator('[aria-current]')).toHaveCount(1)
    const other = hour.getByRole('link').and(page.locator(':not([aria-current])')).first()
    await other.tap()
    await expect.poll(() => new URL(page.url()).searchParams.get('event')).not.toBe(newest)
    await expect(hour.locator('[aria-current]')).toHaveCount(1)
  })

  test('opens the event tapped on the hour strip, and nothing on a right-click', { tag: '@all' }, async ({ page }) => {
    const { event, link } = await findEventInSharedHour(page)
    await page.goto(link)
    const newest = event.event_id
    await page.locator(`[data-event="${newest}"]`).tap()
    const hour = findClip(page).getByRole('region', { name: /^Same hour on / })
    const links = hour.getByRole('link')
    await expect(hour.locator('[aria-current]')).toHaveCount(1)
    const urls = await links.evaluateAll((all) => all.map((anchor) => (anchor as HTMLAnchorElement).href))
    const ids = urls.map((address) => new URL(address).searchParams.get('event') ?? '')
    const measureDistance = (id: string) => Math.abs(parseEventTime(id) - event.event_ts)
    const farthest = ids.toSorted((a, b) => measureDistance(b) - measureDistance(a))[0] ?? ''
    const { begin, end } = clockHourSpan(event.event_ts)
    const strip = hour.locator('.clip-hour-strip')
    const { width } = await measureBox(strip)
    const position = { x: ((parseEventTime(farthest) - begin) / (end - begin)) * width, y: 40 }
    await strip.click({ button: 'right', position })
    expect(new URL(page.url()).searchParams.get('event')).toBe(newest)
    await strip.tap({ position })
    await expect.poll(() => new URL(page.url()).searchParams.get('event')).not.toBe(newest)
  })
})
