import { spawnSync } from 'node:child_process'
import { expect, test, vi } from 'vitest'
import { OggReader } from '../../bridge/audio/ogg.ts'
import { SoundClock } from '../../bridge/audio/sound-clock.ts'
import type { AudioPacket } from '../../bridge/sources/source.ts'
import { patience, switchOn, watch, type Watched } from '../support/watched-camera.ts'
import { STREAM } from './streams.ts'

async function heard({ source }: Watched, count: number): Promise<AudioPacket[]> {
  await vi.waitUntil(() => source.watchAudio !== undefined, patience)
  const packets: AudioPacket[] = []
  source.watchAudio?.((packet) => void packets.push(packet))
  await vi.waitUntil(() => packets.length >= count, patience)
  return packets
}

test('the sound of a camera comes as Opus packets of 20 ms, on the clock of its pictures', async () => {
  const server = await switchOn({ stream: STREAM, sound: 'tone' })
  const camera = watch(server.url(), { sound: true })
  const packets = await heard(camera, 100)
  expect(camera.states).toEqual(['live'])
  expect(camera.sound).toEqual(['heard'])
  // One frame of 20 ms, mono (RFC 6716 §3.1).
  for (const { data } of packets) expect([data[0]! & 7, data.length < 400]).toEqual([0, true])
  const steps = packets.slice(1).map(({ pts }, i) => pts - packets[i]!.pts)
  expect(steps.filter((step) => step < 20)).toEqual([])
  expect(steps.filter((step) => step === 20).length).toBeGreaterThan(80)
  expect(Math.abs(packets.at(-1)!.pts - camera.units.at(-1)!.pts)).toBeLessThan(1000)
  expect(server.plays).toBe(1)
})

test('a camera without sound plays, and what is left out is known', async () => {
  const server = await switchOn({ stream: STREAM })
  const camera = watch(server.url(), { sound: true })
  await vi.waitUntil(() => camera.states.length > 0, patience)
  expect([camera.states, camera.sound, camera.source.watchAudio]).toEqual([['live'], ['none'], undefined])
})

test('a camera whose sound nobody can read keeps its picture', async () => {
  const server = await switchOn({ stream: STREAM, sound: 'unreadable' })
  const camera = watch(server.url(), { sound: true })
  await vi.waitUntil(() => camera.units.length > 20, patience)
  expect(camera.states).toEqual(['live'])
  expect(camera.source.watchAudio).toBeUndefined()
})

test('an ffmpeg that cannot make Opus still shows the picture, and says what it leaves out', async () => {
  const server = await switchOn({ stream: STREAM, sound: 'tone' })
  const camera = watch(server.url(), {
    sound: true,
    ffmpeg: new URL('../support/ffmpeg-without-opus.mjs', import.meta.url).pathname,
  })
  await vi.waitUntil(() => camera.states.length > 0 && camera.sound.length > 0, patience)
  expect([camera.states, camera.sound]).toEqual([['live'], ['broken']])
})

/** Half a second of a tone from ffmpeg, as the camera's process writes it. */
function ogg(pageMs: number): Buffer {
  const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=0.5', '-c:a', 'libopus', '-ac', '1', '-ar', '48000']
  const page = ['-page_duration', String(pageMs * 1000), '-f', 'ogg', 'pipe:1']
  return spawnSync('ffmpeg', ['-loglevel', 'error', ...tone, ...page]).stdout
}

test('an Ogg stream gives the same packets however it is cut and paged', () => {
  const whole = new OggReader().push(ogg(20))
  expect(whole.length).toBeGreaterThanOrEqual(25)
  const reader = new OggReader()
  const paged = ogg(1000)
  const packets = Array.from({ length: Math.ceil(paged.length / 7) }, (_, i) =>
    reader.push(paged.subarray(i * 7, i * 7 + 7)),
  ).flat()
  expect(packets).toEqual(whole)
})

test('bytes that are no Ogg are refused', () => {
  expect(() => new OggReader().push(Buffer.alloc(100, 1))).toThrow(RangeError)
})

test('sound that comes in bursts has even times, and an interruption is a gap', () => {
  const clock = new SoundClock()
  const bursts = [0, 128, 256].flatMap((at) => Array.from({ length: 6 }, () => clock.stamp(at)))
  expect(bursts).toEqual(Array.from({ length: 18 }, (_, i) => i * 20))
  expect(clock.stamp(2000)).toBe(2000)
})

test('sound that has piled up before the first picture does not stay behind the present', () => {
  const clock = new SoundClock()
  for (let i = 0; i < 60; i++) clock.stamp(0)
  const ahead = Array.from({ length: 300 }, (_, i) => (clock.stamp((i + 1) * 20) ?? Infinity) - (i + 1) * 20)
  expect(ahead[0]).toBeGreaterThan(200)
  expect(ahead.at(-1)).toBeLessThanOrEqual(60)
})
