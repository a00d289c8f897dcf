// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  acquireClipVideo,
  hasClipUrl,
  preloadClip,
  prepareVideo,
  preloadPressedClip,
  releasePreloadedClip,
  requestSignedUrl,
} from '../../../src/media/clip/clip-video.ts'

const SIGNED_URL = 'https://provider.example/media/clip'
const readSource = (video: HTMLVideoElement) => video.getAttribute('src')
const expectSource = (video: HTMLVideoElement, source: string) => expect.poll(() => readSource(video)).toBe(source)

let requests: string[]
let [a, b, testCount] = ['', '', 0]
let respond: (url: string) => Promise<Response>
beforeEach(() => {
  // jsdom does not implement loading.
  vi.spyOn(HTMLMediaElement.prototype, 'load').mockImplementation(() => undefined)
  requests = []
  // The module keeps the last URL.
  testCount += 1
  ;[a, b] = [`/m/clip/a${testCount}`, `/m/clip/b${testCount}`]
  respond = (url) => Promise.resolve(Response.json({ url: SIGNED_URL + url }))
  vi.stubGlobal('fetch', (url: string) => {
    requests.push(url)
    return respond(url)
  })
})
afterEach(() => {
  releasePreloadedClip()
  vi.unstubAllGlobals()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('a preloaded clip', () => {
  test('requests its signed URL in the task of the press, and loads from there without a redirect', async () => {
    const video = preloadClip(a)
    expect(requests).toEqual([a])
    await expectSource(video, SIGNED_URL + a)
    expect([video.muted, video.preload]).toEqual([true, 'auto'])
  })

  test.each([
    ['is rejected', () => Promise.resolve(new Response('{}', { status: 401 }))],
    ['fails', () => Promise.reject(new TypeError('offline'))],
  ])('loads from the portal if the request for the URL %s', async (_, fail) => {
    respond = fail
    await expectSource(preloadClip(a), a)
  })

  test('goes to the first player of its URL, and only to that one', () => {
    const video = preloadClip(a)
    expect(hasClipUrl(acquireClipVideo(b), b)).toBe(false)
    expect(acquireClipVideo(a)).toBe(video)
    expect(hasClipUrl(acquireClipVideo(a), a)).toBe(false)
  })

  test('stops loading when another clip is preloaded', async () => {
    const first = preloadClip(a)
    const second = preloadClip(b)
    await expectSource(second, SIGNED_URL + b)
    expect(readSource(first)).toBeNull()
    expect(acquireClipVideo(a)).not.toBe(first)
  })

  test('stops loading if no click follows the press', () => {
    vi.useFakeTimers()
    const pressed = preloadPressedClip(a)
    vi.runAllTimers()
    expect(acquireClipVideo(a)).not.toBe(pressed)
    const clicked = preloadPressedClip(a)
    preloadClip(a)
    vi.runAllTimers()
    expect(acquireClipVideo(a)).toBe(clicked)
  })
})

describe('the signed URL of a clip', () => {
  test('is requested once for the card, the preview and the player', async () => {
    await requestSignedUrl(a)
    await requestSignedUrl(a)
    await expectSource(preloadClip(a), SIGNED_URL + a)
    expect(requests).toEqual([a])
  })

  test('is requested again after a minute, and after the clip has failed', () => {
    vi.useFakeTimers()
    void requestSignedUrl(a)
    vi.advanceTimersByTime(60_000)
    preloadClip(a).dispatchEvent(new Event('error'))
    expect(requests).toHaveLength(2)
    preloadClip(b)
    preloadClip(b).dispatchEvent(new Event('error'))
    releasePreloadedClip()
    preloadClip(b)
    expect(requests).toHaveLength(4)
  })
})

test('an empty video prepares the page for its first clip, and requests nothing', () => {
  const remove = prepareVideo()
  const video = document.querySelector('video')
  expect([video?.hidden, video?.src, requests]).toEqual([true, '', []])
  remove()
  expect(document.querySelector('video')).toBeNull()
})
