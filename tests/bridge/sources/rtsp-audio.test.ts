import { spawnSync } from 'node:child_process'
import { expect, test, vi } from 'vitest'
import { OggReader } from '../../../bridge/media/audio/ogg-reader.ts'
import { AudioClock, type AudioPacket } from '../../../bridge/media/audio/audio-clock.ts'
import type { AccessUnit } from '../../../bridge/media/h264/annex-b.ts'
import { muxWithTimes } from '../../../bridge/media/mp4/muxer.ts'
import {
  CAMERA_WAIT_OPTIONS,
  startCamera,
  startWatchedSource,
  type WatchedSource,
} from '../../support/watched-camera.ts'
import { ACTION_STREAM } from '../../support/bridge-streams.ts'

async function collectPackets({ source }: WatchedSource, count: number): Promise<AudioPacket[]> {
  await vi.waitUntil(() => source.watchAudio !== undefined, CAMERA_WAIT_OPTIONS)
  const packets: AudioPacket[] = []
  source.watchAudio?.((packet) => void packets.push(packet))
  await vi.waitUntil(() => packets.length >= count, CAMERA_WAIT_OPTIONS)
  return packets
}

/**
 * Measures the pitch of the audio packets in Hz, by counting zero crossings over half a second.
 * Skips the first half second, in which the decoder settles.
 */
function measurePitch(units: readonly AccessUnit[], sound: readonly AudioPacket[]): number {
  const from = units.findIndex((unit) => unit.keyframe && unit.pts >= sound[0]!.pts)
  const clip = Buffer.concat(muxWithTimes([{ ...units[from]!, sound }, ...units.slice(from + 1)]).parts)
  const raw = ['-map', '0:a', '-ss', '0.5', '-f', 's16le', '-ac', '1', '-ar', '48000', 'pipe:1']
  const { stdout } = spawnSync('ffmpeg', ['-loglevel', 'error', '-i', 'pipe:0', ...raw], { input: clip })
  const samples = Array.from({ length: 24_000 }, (_, i) => stdout.readInt16LE(2 * i))
  return samples.filter((sample, i) => i > 0 && sample < 0 !== samples[i - 1]! < 0).length
}

test.each([
  ['G.711', 'tone', 500],
  ['G.726', 'g726', 440],
] as const)('%s audio plays as it was sent, in 20 ms Opus packets on the video clock', async (_, sound, pitch) => {
  const server = await startCamera({ stream: ACTION_STREAM, sound })
  const camera = startWatchedSource(server.url(), { sound: true })
  const packets = await collectPackets(camera, 100)
  expect(camera.states).toEqual(['live'])
  expect(camera.audioStates).toEqual(['heard'])
  // Packets hold one mono frame of 20 ms, so the low three bits of their first byte are 0 (RFC 6716, section 3.1).
  for (const { data } of packets) expect([data[0]! & 7, data.length < 400]).toEqual([0, true])
  const steps = packets.slice(1).map(({ pts }, i) => pts - packets[i]!.pts)
  expect(steps.filter((step) => step < 20)).toEqual([])
  expect(steps.filter((step) => step === 20).length).toBeGreaterThan(80)
  expect(Math.abs(packets.at(-1)!.pts - camera.units.at(-1)!.pts)).toBeLessThan(1000)
  expect(server.playCount).toBe(1)
  expect(Math.abs(measurePitch(camera.units, packets) - pitch)).toBeLessThan(pitch / 20)
})

test('a camera without audio plays on its first connection and reports the missing audio', async () => {
  const server = await startCamera({ stream: ACTION_STREAM })
  const camera = startWatchedSource(server.url(), { sound: true })
  await vi.waitUntil(() => camera.states.length > 0, CAMERA_WAIT_OPTIONS)
  expect([camera.states, camera.audioStates, camera.source.watchAudio]).toEqual([['live'], ['none'], undefined])
  expect(server.playCount).toBe(1)
})

test('a camera with unreadable audio keeps its video and reports the missing audio', async () => {
  const server = await startCamera({ stream: ACTION_STREAM, sound: 'unreadable' })
  const camera = startWatchedSource(server.url(), { sound: true })
  await vi.waitUntil(() => camera.units.length > 20, CAMERA_WAIT_OPTIONS)
  expect([camera.states, camera.audioStates, camera.source.watchAudio]).toEqual([['live'], ['broken'], undefined])
})

test('an ffmpeg that cannot encode Opus still shows the video and reports the missing audio', async () => {
  const server = await startCamera({ stream: ACTION_STREAM, sound: 'tone' })
  const camera = startWatchedSource(server.url(), {
    sound: true,
    ffmpeg: new URL('../../support/ffmpeg-without-opus.mjs', import.meta.url).pathname,
  })
  await vi.waitUntil(() => camera.states.length > 0 && camera.audioStates.length > 0, CAMERA_WAIT_OPTIONS)
  expect([camera.states, camera.audioStates]).toEqual([['live'], ['broken']])
})

/**
 * Encodes a tone of half a second as Ogg Opus, as the ffmpeg process of a camera does. `pageMs`: length of an Ogg page.
 */
function encodeOggTone(pageMs: number): Buffer {
  const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=0.5', '-c:a', 'libopus', '-ac', '1', '-ar', '48000']
  const page = ['-page_duration', String(pageMs * 1000), '-f', 'ogg', 'pipe:1']
  return spawnSync('ffmpeg', ['-loglevel', 'error', ...tone, ...page]).stdout
}

test('an Ogg stream yields the same packets, however its bytes and pages are split', () => {
  const smallPagePackets = new OggReader().push(encodeOggTone(20))
  expect(smallPagePackets.length).toBeGreaterThanOrEqual(25)
  const reader = new OggReader()
  const largePageStream = encodeOggTone(1000)
  const packets = Array.from({ length: Math.ceil(largePageStream.length / 7) }, (_, i) =>
    reader.push(largePageStream.subarray(i * 7, i * 7 + 7)),
  ).flat()
  expect(packets).toEqual(smallPagePackets)
})

test('bytes that are not Ogg are rejected', () => {
  expect(() => new OggReader().push(Buffer.alloc(100, 1))).toThrow(RangeError)
})

test('audio that arrives in bursts gets even timestamps, and an interruption stays a gap', () => {
  const clock = new AudioClock()
  const bursts = [0, 128, 256].flatMap((at) => Array.from({ length: 6 }, () => clock.stamp(at)))
  expect(bursts).toEqual(Array.from({ length: 18 }, (_, i) => i * 20))
  expect(clock.stamp(2000)).toBe(2000)
})

test('audio that accumulated before the first frame catches up with real time', () => {
  const clock = new AudioClock()
  for (let i = 0; i < 60; i++) clock.stamp(0)
  const ahead = Array.from({ length: 300 }, (_, i) => (clock.stamp((i + 1) * 20) ?? Infinity) - (i + 1) * 20)
  expect(ahead[0]).toBeGreaterThan(200)
  expect(ahead.at(-1)).toBeLessThanOrEqual(60)
})
