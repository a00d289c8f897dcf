import type { Page } from 'playwright/test'
import { signInContext } from '../support/browser-account.ts'
import { expect, removeExpectedProblems, signOut, test, SIGNED_OUT_401 } from '../support/e2e.ts'
import { eventCards, readEventIds } from '../support/events.ts'

function recordMediaUrls(page: Page): Set<string> {
  const seen = new Set<string>()
  page.on('response', (answer) => {
    const { pathname } = new URL(answer.url())
    if (/^\/(?:m|media)\//.test(pathname) && answer.status() < 400) seen.add(answer.url())
  })
  return seen
}

/** Returns the URLs that are still readable: from the cache or the network, as data or as an image. */
const listReadableUrls = (page: Page, urls: readonly string[]) =>
  page.evaluate(async (all) => {
    const isReadable = async (url: string) => {
      const isSameOrigin = new URL(url).origin === location.origin
      const requestOptions: RequestInit[] = [
        { cache: 'force-cache' },
        ...(isSameOrigin ? [{ cache: 'only-if-cached', mode: 'same-origin' } as const] : []),
      ]
      const answers = await Promise.all(
        requestOptions.map((options) =>
          fetch(url, options).then(
            async (answer) => answer.ok && (await answer.blob()).size > 0,
            () => false,
          ),
        ),
      )
      const image = new Image()
      image.src = url
      return (
        answers.includes(true) ||
        image.decode().then(
          () => true,
          () => false,
        )
      )
    }
    const read = await Promise.all(all.map(isReadable))
    return all.filter((_, i) => read[i])
  }, urls)

const countImages = (page: Page) =>
  page.evaluate(
    () => [...document.images].filter((image) => image.currentSrc.includes('/m/') && image.naturalWidth > 0).length,
  )

test('after sign-out, no image or clip is readable by its URL, from the cache or with the Back button', async ({
  page,
  context,
  problems,
}) => {
  const mediaUrls = recordMediaUrls(page)
  await signInContext(context, 'owner@example.com')
  await page.goto('/account/services')
  const listUrlsOfKind = (kind: string) => [...mediaUrls].filter((url) => url.includes(kind))
  await expect.poll(() => listUrlsOfKind('/m/last/')).not.toEqual([])
  await page.goto('/events')
  // The page loads the newest day first, which may have a single event, so wait for older days.
  await expect(eventCards(page).nth(3)).toBeVisible()
  await expect.poll(() => countImages(page)).toBeGreaterThan(0)
  // Use the last event in the list: the newest event may be listed before its clip is stored.
  const id = (await readEventIds(page)).at(-1) ?? ''
  const clipStatus = await page.evaluate((event) => fetch(`/m/clip/${event}`).then((answer) => answer.status), id)
  expect(clipStatus).toBe(200)
  for (const kind of ['/m/last/', '/m/thumb/', '/m/clip/', '/media/clip/'])
    await expect.poll(() => listUrlsOfKind(kind)).not.toEqual([])
  const urls = [...mediaUrls]
  // Settled: the server has responded to each of these URLs.
  expect(await listReadableUrls(page, listUrlsOfKind('/m/thumb/'))).not.toEqual([])

  await signOut(page)
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Log in' })).toBeVisible()
  expect(await listReadableUrls(page, urls)).toEqual([])
  await page.goBack()
  // Settled: a page from the back-forward cache would show its images immediately; a page that redirects has none.
  expect(await countImages(page).catch(() => 0)).toBe(0)
  await expect(page.getByLabel('Email')).toBeVisible()

  await signInContext(context, 'free@example.com')
  await page.goto('/account/billing')
  await expect(page.getByRole('heading', { name: 'Account', exact: true })).toBeVisible()
  expect(await listReadableUrls(page, urls)).toEqual([])
  const media = /^\/(m|media)\//
  removeExpectedProblems(problems, SIGNED_OUT_401, { status: [401, 403, 404], path: media })
  removeExpectedProblems(problems, { network: /ERR_CACHE_MISS|ERR_FAILED/, path: media })
})
