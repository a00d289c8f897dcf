import type { Journey, JourneyPage } from '../journey.ts'
import {
  expectUrl,
  assert,
  clickOn,
  waitForElement,
  expectNoOverflow,
  isElementVisible,
  pressKey,
  expectVideoPlaying,
  press,
  signIn,
  waitUntil,
} from '../page-helpers.ts'

const SEARCH_FIELD_LABEL = 'Describe what happened'
const RESULT_LINK_SELECTOR = '[role=dialog] a[data-result], dialog a[data-result]'
const CLIP_VIDEO_SELECTOR = 'video[aria-label^="Clip: "]'

export const searchJourney: Journey = {
  name: 'search',
  summary:
    'A query found clips with their reasons, a clip opened at its matching second, and Back returned to the results.',
  async run({ page, origin, isPhone }) {
    await page.goto(`${origin}/events`)
    await signIn(page)
    await expectUrl(page, '/events')
    await press(page, 'button', isPhone ? 'Search' : SEARCH_FIELD_LABEL)
    await openSearch(page)
    await page.keyboard.type('person with a box')
    await pressKey(page, 'Enter')
    await expectUrl(page, '/events?search=person+with+a+box')
    const first = await waitUntil('Nothing was found.', () => page.$(RESULT_LINK_SELECTOR))
    await waitUntil('No result shows why it matches.', () => page.$('dialog li mark'))
    await expectNoOverflow(page)
    const count = (await page.$$(RESULT_LINK_SELECTOR)).length
    const id = await first.evaluate((link) => link.getAttribute('data-result'))
    await clickOn(page, first)
    await expectUrl(page, new RegExp(`event=${id}.*&t=\\d+`))
    const second = Number(new URL(await page.url()).searchParams.get('t'))
    await waitUntil(`The clip does not begin at second ${second}.`, () =>
      page.$$eval(
        CLIP_VIDEO_SELECTOR,
        (all, from) => all.some((element) => (element as HTMLVideoElement).currentTime >= from),
        second,
      ),
    )
    await expectVideoPlaying(page, CLIP_VIDEO_SELECTOR)
    await page.goBack()
    await expectUrl(page, '/events?search=person+with+a+box')
    await waitUntil(
      'Back does not lead to the results.',
      async () => (await page.$$(RESULT_LINK_SELECTOR)).length >= count,
    )
    const resultId = await page.$eval(RESULT_LINK_SELECTOR, (link) => link.getAttribute('data-result'))
    assert(resultId === id, 'Back leads to other results.')
    await pressKey(page, 'Escape')
    await expectUrl(page, '/events')
  },
}

async function openSearch(page: JourneyPage): Promise<void> {
  await expectUrl(page, '/events?search=')
  await waitUntil(
    'The search does not open.',
    async () =>
      (await isElementVisible(page, 'button', 'Turn on search')) ||
      (await isElementVisible(page, 'combobox', SEARCH_FIELD_LABEL)),
  )
  if (await isElementVisible(page, 'button', 'Turn on search')) await press(page, 'button', 'Turn on search')
  await (await waitForElement(page, 'combobox', SEARCH_FIELD_LABEL)).focus()
}
