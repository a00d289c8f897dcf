import { expect, test, vi } from 'vitest'
import { parseReason } from '../../support/camera-reasons.ts'
import { CAMERA_WAIT_OPTIONS, startCamera, startWatchedSource } from '../../support/watched-camera.ts'
import { ACTION_STREAM } from '../../support/bridge-streams.ts'

test('a camera that freezes with an open socket is detected within the promised time and reconnected', async () => {
  const server = await startCamera({ stream: ACTION_STREAM, framesUntilFreeze: 60 })
  const { states, units } = startWatchedSource(server.url(), { silenceMs: 4000 })
  await vi.waitUntil(() => states.length >= 2, CAMERA_WAIT_OPTIONS)
  const silentMs = Date.now() - units.at(-1)!.pts
  expect(states.slice(0, 2).map(parseReason)).toEqual(['live', 'froze'])
  expect(silentMs).toBeLessThan(3 * 4000)
  await vi.waitUntil(() => states[2] === 'live', CAMERA_WAIT_OPTIONS)
  expect(server.playCount).toBe(2)
})

test('a camera that loses packets keeps playing on the same connection', async () => {
  const server = await startCamera({ stream: ACTION_STREAM, lossInterval: 25 })
  const { states, units } = startWatchedSource(server.url())
  await vi.waitUntil(() => units.filter((unit) => unit.keyframe).length > 4, CAMERA_WAIT_OPTIONS)
  expect([states, server.playCount]).toEqual([['live'], 1])
})

test('a camera that announces H.264 but sends something else is reported as such', async () => {
  const server = await startCamera({ stream: ACTION_STREAM, sendsH265: true })
  const { states } = startWatchedSource(server.url(), { silenceMs: 4000 })
  await vi.waitUntil(() => states.length > 0, CAMERA_WAIT_OPTIONS)
  expect(parseReason(states[0])).toBe('says H.264, sends something else')
})

test('a camera that leaves its parameter sets out of the description plays', async () => {
  const server = await startCamera({ stream: ACTION_STREAM, omitsParameterSets: true })
  const { states } = startWatchedSource(server.url())
  await vi.waitUntil(() => states.length > 0, CAMERA_WAIT_OPTIONS)
  expect(states).toEqual(['live'])
})

test('a camera without described parameter sets is reported and awaited after 30 seconds of video without a keyframe', async () => {
  const server = await startCamera({
    stream: ACTION_STREAM,
    omitsParameterSets: true,
    keyframelessFrameCount: 450,
    speedFactor: 8,
  })
  const { states } = startWatchedSource(server.url(), { silenceMs: 2500, firstMs: 2500 })
  await vi.waitUntil(() => states.includes('live'), CAMERA_WAIT_OPTIONS)
  expect([...new Set(states.map(parseReason))]).toEqual(['no keyframe', 'live'])
  expect(server.playCount).toBe(2)
})
