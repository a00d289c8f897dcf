import { expect, test, vi } from 'vitest'
import { parseReason } from '../../support/camera-reasons.ts'
import { patience, switchOn, watch } from '../../support/watched-camera.ts'
import { STREAM } from '../../support/bridge-streams.ts'

test('a camera that freezes with its socket open is noticed within the promised time and called again', async () => {
  const server = await switchOn({ stream: STREAM, freezesAfter: 60 })
  const { states, units } = watch(server.url(), { silenceMs: 4000 })
  await vi.waitUntil(() => states.length >= 2, patience)
  const waited = Date.now() - units.at(-1)!.pts
  expect(states.slice(0, 2).map(parseReason)).toEqual(['live', 'froze'])
  expect(waited).toBeLessThan(3 * 4000)
  await vi.waitUntil(() => states[2] === 'live', patience)
  expect(server.plays).toBe(2)
})

test('a camera that loses packets plays on, on the same connection', async () => {
  const server = await switchOn({ stream: STREAM, loses: 25 })
  const { states, units } = watch(server.url())
  await vi.waitUntil(() => units.filter((unit) => unit.keyframe).length > 4, patience)
  expect([states, server.plays]).toEqual([['live'], 1])
})

test('a camera that says H.264 and sends something else is told so', async () => {
  const server = await switchOn({ stream: STREAM, lies: true })
  const { states } = watch(server.url(), { silenceMs: 4000 })
  await vi.waitUntil(() => states.length > 0, patience)
  expect(parseReason(states[0])).toBe('says H.264, sends something else')
})

test('a camera that keeps its parameter sets out of the description plays', async () => {
  const server = await switchOn({ stream: STREAM, bare: true })
  const { states } = watch(server.url())
  await vi.waitUntil(() => states.length > 0, patience)
  expect(states).toEqual(['live'])
})

test('such a camera that sends no keyframe for 30 seconds of its pictures is told so and waited for', async () => {
  const server = await switchOn({ stream: STREAM, bare: true, withoutKeyframes: 450, speed: 8 })
  const { states } = watch(server.url(), { silenceMs: 2500, firstMs: 2500 })
  await vi.waitUntil(() => states.includes('live'), patience)
  expect([...new Set(states.map(parseReason))]).toEqual(['no keyframe', 'live'])
  expect(server.plays).toBe(2)
})
