// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { attachClip } from '../../../src/media/clip/attach-clip.ts'

const CLIP = { url: '/m/clip/a', mime: 'video/mp4' }
const load = vi.fn<() => void>()

beforeEach(() => {
  vi.useFakeTimers()
  load.mockClear()
  // jsdom does not implement playback.
  vi.spyOn(HTMLMediaElement.prototype, 'load').mockImplementation(load)
  vi.spyOn(HTMLMediaElement.prototype, 'pause').mockImplementation(() => undefined)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('a removed clip stops in the task that detaches it, and is unloaded in the next', () => {
  const video = document.createElement('video')
  const detach = attachClip(video, CLIP, () => undefined)
  detach()
  expect(video.pause).toHaveBeenCalledTimes(1)
  expect(load).not.toHaveBeenCalled()
  vi.runAllTimers()
  expect(load).toHaveBeenCalledTimes(1)
  expect(video.getAttribute('src')).toBeNull()
})

test('a clip that another player has taken over is not unloaded', () => {
  const video = document.createElement('video')
  attachClip(video, CLIP, () => undefined)()
  document.body.append(video)
  vi.runAllTimers()
  expect(load).not.toHaveBeenCalled()
  expect(video.getAttribute('src')).toBe(CLIP.url)
})
