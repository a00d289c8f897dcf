// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { waitForFirstFrame } from '../../../src/media/clip/first-frame.ts'

let showFrame: () => void
let video: HTMLVideoElement
beforeEach(() => {
  vi.useFakeTimers()
  video = document.createElement('video')
  // jsdom does not implement frame callbacks.
  video.requestVideoFrameCallback = (callback) => {
    showFrame = () => callback(0, {} as VideoFrameCallbackMetadata)
    return 1
  }
  video.cancelVideoFrameCallback = () => (showFrame = () => undefined)
})
afterEach(() => vi.useRealTimers())

test.each([
  ['shows a frame', () => showFrame()],
  ['fails', () => video.dispatchEvent(new Event('error'))],
  ['loads for long', () => vi.runAllTimers()],
])('the wait ends once if a video %s', (_, end) => {
  const onDone = vi.fn<() => void>()
  waitForFirstFrame(video, onDone)
  expect(onDone).not.toHaveBeenCalled()
  end()
  showFrame()
  video.dispatchEvent(new Event('error'))
  vi.runAllTimers()
  expect(onDone).toHaveBeenCalledTimes(1)
})

test('the work after the first frame does not delay the paint of the frame', () => {
  const onDone = vi.fn<() => void>()
  waitForFirstFrame(video, onDone)
  // Browsers paint between this callback and the next timer.
  showFrame()
  expect(onDone).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(onDone).toHaveBeenCalledTimes(1)
})

test('a canceled wait does not end', () => {
  const onDone = vi.fn<() => void>()
  waitForFirstFrame(video, onDone)()
  showFrame()
  video.dispatchEvent(new Event('error'))
  vi.runAllTimers()
  expect(onDone).not.toHaveBeenCalled()
})
