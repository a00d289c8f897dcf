import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SIGNED_CLIPS_MAX } from '../../../contract/media/media-urls.ts'
import { dropSignedUrl, requestSignedUrl, requestSignedUrls } from '../../../src/media/clip/signed-urls.ts'

const listUrls = (count: number) => Array.from({ length: count }, (_, i) => `/m/clip/test${testCount}-${i}`)
const sign = (id: string | undefined) => `https://provider.example/media/clip/${id}`

let requests: string[]
let testCount = 0
let respond: (ids: readonly string[]) => Promise<Response>
beforeEach(() => {
  vi.useFakeTimers()
  requests = []
  // The module keeps the URLs.
  testCount += 1
  respond = (ids) => Promise.resolve(Response.json({ urls: ids.map(sign) }))
  vi.stubGlobal('fetch', (path: string) => {
    requests.push(path)
    return respond(path.replace('/m/clips/', '').split(','))
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('one request signs several URLs, each of which is requested once', async () => {
  const [a = '', b = '', c = ''] = listUrls(3)
  requestSignedUrls([a, b])
  requestSignedUrls([b, c])
  expect(requests).toEqual([`/m/clips/test${testCount}-0,test${testCount}-1`, `/m/clips/test${testCount}-2`])
  const signedUrls = await Promise.all([a, b, c].map(requestSignedUrl))
  expect(signedUrls).toEqual([0, 1, 2].map((i) => sign(`test${testCount}-${i}`)))
  expect(requests).toHaveLength(2)
})

test('a request never exceeds the maximum', () => {
  const urls = listUrls(SIGNED_CLIPS_MAX + 1)
  requestSignedUrls(urls)
  expect(requests[0]?.split(',')).toHaveLength(SIGNED_CLIPS_MAX)
  void requestSignedUrl(urls.at(-1) ?? '')
  expect(requests).toHaveLength(2)
})

test('a URL is requested again after two minutes, and after its clip has failed', () => {
  const urls = listUrls(1)
  requestSignedUrls(urls)
  vi.advanceTimersByTime(119_999)
  requestSignedUrls(urls)
  expect(requests).toHaveLength(1)
  vi.advanceTimersByTime(1)
  requestSignedUrls(urls)
  expect(requests).toHaveLength(2)
  dropSignedUrl(urls[0] ?? '')
  requestSignedUrls(urls)
  expect(requests).toHaveLength(3)
})

test.each([
  ['is rejected', () => Promise.resolve(new Response('{}', { status: 401 }))],
  ['fails', () => Promise.reject(new TypeError('offline'))],
])(
  'if the request %s, the clip loads from the portal, and listed clips wait before the next request',
  async (_, fail) => {
    const [url = '', listed = ''] = listUrls(2)
    const answer = respond
    respond = fail
    expect(await requestSignedUrl(url)).toBe(url)
    respond = answer
    vi.advanceTimersByTime(9999)
    requestSignedUrls([listed])
    expect(requests).toHaveLength(1)
    vi.advanceTimersByTime(1)
    requestSignedUrls([listed])
    expect(requests).toHaveLength(2)
    expect(await requestSignedUrl(url)).toBe(sign(`test${testCount}-0`))
  },
)

test('an opened clip does not wait after a failure, and a success ends the wait', async () => {
  const [url = '', listed = ''] = listUrls(2)
  const answer = respond
  respond = () => Promise.reject(new TypeError('offline'))
  await requestSignedUrl(url)
  respond = answer
  expect(await requestSignedUrl(url)).toBe(sign(`test${testCount}-0`))
  requestSignedUrls([listed])
  expect(requests).toHaveLength(3)
})
