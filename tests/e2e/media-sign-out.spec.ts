import type { Page } from 'playwright/test'
import { signInContext } from '../support/browser-account.ts'
import { expect, forgive, logOut, test, VISITOR } from '../support/e2e.ts'
import { cards, eventIds } from '../support/events.ts'

/** Collects the URLs of images and clips that returned successfully. */
function watchMedia(page: Page): Set<string> {
  const seen = new Set<string>()
  page.on('response', (answer) => {
    const { pathname } = new URL(answer.url())
    if (/^\/(?:m|media)\//.test(pathname) && answer.status() < 400) seen.add(answer.url())
  })
  return seen
}

/** Returns the URLs that are still readable: from the cache or the network, as data or as an image. */
const readable = (page: Page, addresses: readonly string[]) =>
  page.evaluate(async (all) => {
    const isRead = async (address: string) => {
      const own = new URL(address).origin === location.origin
      const ways: RequestInit[] = [
        { cache: 'force-cache' },
        ...(own ? [{ cache: 'only-if-cached', mode: 'same-origin' } as const] : []),
      ]
      const answers = await Promise.all(
        ways.map((way) =>
          fetch(address, way).then(
            async (answer) => answer.ok && (await answer.blob()).size > 0,
            () => false,
          ),
        ),
      )
      const picture = new Image()
      picture.src = address
      return (
        answers.includes(true) ||
        picture.decode().then(
          () => true,
          () => false,
        )
      )
    }
    const read = await Promise.all(all.map(isRead))
    return all.filter((_, i) => read[i])
  }, addresses)

const countImages = (page: Page) =>
  page.evaluate(
    () => [...document.images].filter((image) => image.currentSrc.includes('/m/') && image.naturalWidth > 0).length,
  )

test('after sign-out, no image or clip is readable by its URL, from the cache or with the Back button', async ({
  page,
  context,
  problems,
}) => {
  const seen = watchMedia(page)
  await signInContext(context, 'owner@example.com')
  await page.goto('/account/services')
  const ofKind = (kind: string) => [...seen].filter((address) => address.includes(kind))
  await expect.poll(() => ofKind('/m/last/')).not.toEqual([])
  await page.goto('/events')
  // The page loads the newest day first, which may have a single event, so wait for older days.
  await expect(cards(page).nth(3)).toBeVisible()
  await expect.poll(() => countImages(page)).toBeGreaterThan(0)
  // Use the last event in the list: the newest event may be listed before its clip is stored.
  const id = (await eventIds(page)).at(-1) ?? ''
  const clip = await page.evaluate((event) => fetch(`/m/clip/${event}`).then((answer) => answer.status), id)
  expect(clip).toBe(200)
  for (const kind of ['/m/last/', '/m/thumb/', '/m/clip/', '/media/clip/'])
    await expect.poll(() => ofKind(kind)).not.toEqual([])
  const addresses = [...seen]
  // Settled: each of the addresses has been answered.
  expect(await readable(page, ofKind('/m/thumb/'))).not.toEqual([])

  await logOut(page)
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('link', { name: 'Log in' })).toBeVisible()
  expect(await readable(page, addresses)).toEqual([])
  await page.goBack()
  // Settled: a page that the browser had kept as a whole would show them immediately; one that leads away has none.
  expect(await countImages(page).catch(() => 0)).toBe(0)
  await expect(page.getByLabel('E-mail')).toBeVisible()

  await signInContext(context, 'free@example.com')
  await page.goto('/account/billing')
  await expect(page.getByRole('heading', { name: 'Account' })).toBeVisible()
  expect(await readable(page, addresses)).toEqual([])
  const media = /^\/(m|media)\//
  forgive(problems, VISITOR, { status: [401, 403, 404], path: media })
  forgive(problems, { network: /ERR_CACHE_MISS|ERR_FAILED/, path: media })
})
