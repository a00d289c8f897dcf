import { expect, test, vi } from 'vitest'
import { diagnoseAddress } from '../../../bridge/diagnostics/doctor.ts'
import { CAMERA_WAIT_OPTIONS, startCamera, startWatchedSource } from '../../support/watched-camera.ts'
import { ACTION_PICTURES, ACTION_STREAM } from '../../support/bridge-streams.ts'
import { parseReason } from '../../support/camera-reasons.ts'

test('a UDP-only camera connects over UDP, its frames arrive intact, and the transport is remembered', async () => {
  const server = await startCamera({ stream: ACTION_STREAM, isUdpOnly: true, sound: 'tone' })
  const { states, units } = startWatchedSource(server.url(), { sound: true })
  await vi.waitUntil(() => units.length >= 20, CAMERA_WAIT_OPTIONS)
  expect(states).toEqual(['live'])
  // A busy machine may lose datagrams, but every received frame equals a sent one.
  const sent = new Set(ACTION_PICTURES.map(({ nals }) => nals.at(-1)!.toString('hex')))
  expect(units.filter(({ nals }) => !sent.has(nals.at(-1)!.toString('hex')))).toEqual([])
  const refusedSetups = server.rejectedTransportCount
  server.closeConnections()
  await vi.waitUntil(() => states.length === 3, CAMERA_WAIT_OPTIONS)
  expect(states.map(parseReason)).toEqual(['live', 'hung up', 'live'])
  expect([refusedSetups, server.rejectedTransportCount]).toEqual([1, 1])
})

test('if UDP delivers nothing, the owner is informed and TCP is tried again', async () => {
  const server = await startCamera({ stream: ACTION_STREAM, isUdpOnly: true, isSilent: true })
  const { states } = startWatchedSource(server.url(), { silenceMs: 4000, firstMs: 4000 })
  await vi.waitUntil(() => states.some((state) => parseReason(state) === 'nothing by UDP'), CAMERA_WAIT_OPTIONS)
  await vi.waitUntil(() => server.rejectedTransportCount === 2, CAMERA_WAIT_OPTIONS)
  expect(server.playCount).toBeGreaterThan(0)
})

test('the doctor reports that a camera sends over UDP only', async () => {
  const { wrong, lines } = await diagnoseAddress(
    (await startCamera({ stream: ACTION_STREAM, isUdpOnly: true, fps: 60 })).url(),
  )
  expect(wrong).toBe(false)
  expect(lines[1]).toMatch(/\bUDP\b.*\bTCP\b/)
})
