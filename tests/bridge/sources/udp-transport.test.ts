import { expect, test, vi } from 'vitest'
import { examineOne } from '../../../bridge/diagnostics/doctor.ts'
import { patience, switchOn, watch } from '../../support/watched-camera.ts'
import { PICTURES, STREAM } from '../../support/bridge-streams.ts'
import { parseReason } from '../../support/camera-reasons.ts'

test('a UDP-only camera connects over UDP, its frames arrive intact, and the transport is remembered', async () => {
  const server = await switchOn({ stream: STREAM, udpOnly: true, sound: 'tone' })
  const { states, units } = watch(server.url(), { sound: true })
  await vi.waitUntil(() => units.length >= 20, patience)
  expect(states).toEqual(['live'])
  // A busy machine may lose datagrams, but every received frame equals a sent one.
  const sent = new Set(PICTURES.map(({ nals }) => nals.at(-1)!.toString('hex')))
  expect(units.filter(({ nals }) => !sent.has(nals.at(-1)!.toString('hex')))).toEqual([])
  const setups = server.refused
  server.drop()
  await vi.waitUntil(() => states.length === 3, patience)
  expect(states.map(parseReason)).toEqual(['live', 'hung up', 'live'])
  expect([setups, server.refused]).toEqual([1, 1])
})

test('if UDP delivers nothing, the owner is informed and TCP is tried again', async () => {
  const server = await switchOn({ stream: STREAM, udpOnly: true, silent: true })
  const { states } = watch(server.url(), { silenceMs: 4000, firstMs: 4000 })
  await vi.waitUntil(() => states.some((state) => parseReason(state) === 'nothing by UDP'), patience)
  await vi.waitUntil(() => server.refused === 2, patience)
  expect(server.plays).toBeGreaterThan(0)
})

test('the doctor reports that a camera sends over UDP only', async () => {
  const { wrong, lines } = await examineOne((await switchOn({ stream: STREAM, udpOnly: true, fps: 60 })).url())
  expect(wrong).toBe(false)
  expect(lines[1]).toMatch(/\bUDP\b.*\bTCP\b/)
})
