// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CLIP_FPS, ClipPlayer } from '../../../src/media/clip/clip-player.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['requestAnimationFrame', 'cancelAnimationFrame'] }))
afterEach(() => vi.useRealTimers())

test('a player publishes its state once per frame, and only if the state changed', () => {
  const player = new ClipPlayer()
  const video = document.createElement('video')
  const onChange = vi.fn<() => void>()
  player.subscribe(onChange)
  const detach = player.attach(video)
  onChange.mockClear()
  vi.advanceTimersToNextFrame()

  video.loop = true
  for (const name of ['play', 'waiting', 'durationchange', 'loadeddata', 'playing'])
    video.dispatchEvent(new Event(name))
  expect(onChange).not.toHaveBeenCalled()
  vi.advanceTimersToNextFrame()
  expect(onChange).toHaveBeenCalledTimes(1)
  expect(player.state.loop).toBe(true)

  video.dispatchEvent(new Event('progress'))
  vi.advanceTimersToNextFrame()
  expect(onChange).toHaveBeenCalledTimes(1)
  detach()
})

test('a player publishes the time of a playing clip once per frame of the clip', () => {
  const player = new ClipPlayer()
  const video = document.createElement('video')
  const clock = { currentTime: 0 }
  Object.defineProperty(video, 'paused', { value: false })
  Object.defineProperty(video, 'currentTime', { get: () => clock.currentTime })
  const onChange = vi.fn<() => void>()
  player.subscribe(onChange)
  const detach = player.attach(video)
  onChange.mockClear()
  for (let frame = 1; frame <= 60; frame++) {
    clock.currentTime = frame / 60
    vi.advanceTimersToNextFrame()
  }
  expect(onChange).toHaveBeenCalledTimes(CLIP_FPS)
  clock.currentTime = 0.99
  video.dispatchEvent(new Event('pause'))
  vi.advanceTimersToNextFrame()
  expect(player.state.time).toBe(0.99)
  detach()
})
