import { expect, test, vi } from 'vitest'
import { parseReason } from '../../support/camera-reasons.ts'
import { patience, switchOn, watch } from '../../support/watched-camera.ts'
import { STREAM } from '../../support/bridge-streams.ts'

test('a camera that freezes with an open socket is detected within the promised time and reconnected', async () => {
  const server = await switchOn({ stream: STREAM, freezesAfter: 60 })
  const { states, units } = watch(server.url(), { silenceMs: 4000 })
  await vi.waitUntil(() => states.length >= 2, patience)
  const waited = Date.now() - units.at(-1)!.pts
  expect(states.slice(0, 2).map(parseReason)).toEqual(['live', 'froze'])
  expect(waited).toBeLessThan(3 * 4000)
  await vi.waitUntil(() => states[2] === 'live', patience)
  expect(server.plays).toBe(2)
})

test('a camera that loses packets keeps playing on the same connection', async () => {
  const server = await switchOn({ stream: STREAM, loses: 25 })
  const { states, units } = watch(server.url())
  await vi.waitUntil(() => units.filter((unit) => unit.keyframe).length > 4, patience)
  expect([states, server.plays]).toEqual([['live'], 1])
})

test('a camera that announces H.264 but sends something else is reported as such', async () => {
  const server = await switchOn({ stream: STREAM, lies: true })
  const { states } = watch(server.url(), { silenceMs: 4000 })
  await vi.waitUntil(() => states.length > 0, patience)
  expect(parseReason(states[0])).toBe('says H.264, sends something else')
})

test('a camera that leaves its parameter sets out of the description plays', async () => {
  const server = await switchOn({ stream: STREAM, bare: true })
  const { states } = watch(server.url())
  await vi.waitUntil(() => states.length > 0, patience)
  expect(states).toEqual(['live'])
})

test('a camera without described parameter sets is reported and awaited after 30 seconds of video without a keyframe', async () => {
  const server = await switchOn({ stream: STREAM, bare: true, withoutKeyframes: 450, speed: 8 })
  const { states } = watch(server.url(), { silenceMs: 2500, firstMs: 2500 })
  await vi.waitUntil(() => states.includes('live'), patience)
  expect([...new Set(states.map(parseReason))]).toEqual(['no keyframe', 'live'])
  expect(server.plays).toBe(2)
})
