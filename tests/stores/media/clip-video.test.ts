// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  preloadClip,
  preloadPressedClip,
  releasePreloadedClip,
  acquireClipVideo,
  startClipRequest,
} from '../../../src/media/clip/clip-video.ts'

// jsdom does not implement loading.
beforeEach(() => vi.spyOn(HTMLMediaElement.prototype, 'load').mockImplementation(() => undefined))
afterEach(() => {
  releasePreloadedClip()
  vi.useRealTimers()
  vi.restoreAllMocks()
})
const readSource = (video: HTMLVideoElement) => video.getAttribute('src')

describe('a preloaded clip', () => {
  test('goes to the first player of its URL, and only to that one', () => {
    preloadClip('/m/clip/a')
    expect(readSource(acquireClipVideo('/m/clip/b'))).toBeNull()
    const video = acquireClipVideo('/m/clip/a')
    expect([readSource(video), video.muted, video.preload]).toEqual(['/m/clip/a', true, 'auto'])
    expect(readSource(acquireClipVideo('/m/clip/a'))).toBeNull()
  })

  test('stops loading when another clip is preloaded', () => {
    preloadClip('/m/clip/a')
    preloadClip('/m/clip/b')
    expect(readSource(acquireClipVideo('/m/clip/a'))).toBeNull()
    expect(readSource(acquireClipVideo('/m/clip/b'))).toBe('/m/clip/b')
  })

  test('stops loading if no click follows the press', () => {
    vi.useFakeTimers()
    preloadPressedClip('/m/clip/a')
    vi.runAllTimers()
    expect(readSource(acquireClipVideo('/m/clip/a'))).toBeNull()
    preloadPressedClip('/m/clip/a')
    preloadClip('/m/clip/a')
    vi.runAllTimers()
    expect(readSource(acquireClipVideo('/m/clip/a'))).toBe('/m/clip/a')
  })
})

describe('the start of a clip request', () => {
  const setNetworkState = (state: number) =>
    vi.spyOn(HTMLMediaElement.prototype, 'networkState', 'get').mockReturnValue(state)

  test('is awaited until the browser has selected the source', async () => {
    setNetworkState(HTMLMediaElement.NETWORK_NO_SOURCE)
    let isStarted = false
    const started = startClipRequest('/m/clip/a')?.then(() => (isStarted = true))
    await Promise.resolve()
    expect(isStarted).toBe(false)
    acquireClipVideo('/m/clip/a').dispatchEvent(new Event('loadstart'))
    expect(await started).toBe(true)
  })

  test('is awaited for a limited time, and not for a clip that already loads', async () => {
    vi.useFakeTimers()
    setNetworkState(HTMLMediaElement.NETWORK_NO_SOURCE)
    const started = startClipRequest('/m/clip/a')
    vi.runAllTimers()
    await started
    setNetworkState(HTMLMediaElement.NETWORK_LOADING)
    expect(startClipRequest('/m/clip/b')).toBeNull()
  })
})
