// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  acquireClipVideo,
  hasClipUrl,
  preloadClip,
  prepareVideo,
  preloadPressedClip,
  releasePreloadedClip,
} from '../../../src/media/clip/clip-video.ts'

const SIGNED_URL = 'https://provider.example/media/clip'
const toRequest = (url: string) => url.replace('/clip/', '/clips/')
const readSource = (video: HTMLVideoElement) => video.getAttribute('src')
const expectSource = (video: HTMLVideoElement, source: string) => expect.poll(() => readSource(video)).toBe(source)

let requests: string[]
let [a, b, testCount] = ['', '', 0]
let respond: (url: string) => Promise<Response>
beforeEach(() => {
  // jsdom does not implement loading.
  vi.spyOn(HTMLMediaElement.prototype, 'load').mockImplementation(() => undefined)
  requests = []
  // The module of signed URLs keeps them.
  testCount += 1
  ;[a, b] = [`/m/clip/a${testCount}`, `/m/clip/b${testCount}`]
  respond = (url) => Promise.resolve(Response.json({ urls: [SIGNED_URL + url] }))
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
    expect(requests).toEqual([toRequest(a)])
    await expectSource(video, SIGNED_URL + toRequest(a))
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
    await expectSource(second, SIGNED_URL + toRequest(b))
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

test('after a clip has failed, its signed URL is requested again', () => {
  preloadClip(a).dispatchEvent(new Event('error'))
  releasePreloadedClip()
  preloadClip(a)
  expect(requests).toEqual([toRequest(a), toRequest(a)])
})

test('an empty video prepares the page for its first clip, and requests nothing', () => {
  const remove = prepareVideo()
  const video = document.querySelector('video')
  expect([video?.hidden, video?.src, requests]).toEqual([true, '', []])
  remove()
  expect(document.querySelector('video')).toBeNull()
})
