import { describe, expect, test, vi } from 'vitest'
import { readPictureHeight } from '../../../bridge/media/h264/sps.ts'
import type { AudioPacket } from '../../../bridge/media/audio/audio-clock.ts'
import { GstCamera, gstreamerMissing, type GstMode } from '../../support/gst-camera.ts'
import { atEnd, patience, watch } from '../../support/watched-camera.ts'
import { parseReason } from '../../support/camera-reasons.ts'

async function camera(mode: GstMode, port?: number): Promise<GstCamera> {
  const started = await GstCamera.start(mode, port)
  atEnd(() => started.close())
  return started
}

const why = gstreamerMissing === undefined ? '' : ` (skipped: ${gstreamerMissing})`

describe.skipIf(gstreamerMissing !== undefined)(`a camera on GStreamer's RTSP server${why}`, () => {
  test.each(['pcma', 'pcmu', 'aac'] as const)('plays with audio in %s', async (mode) => {
    const { source, states } = watch((await camera(mode)).url, { sound: true })
    await vi.waitUntil(() => source.watchAudio !== undefined, patience)
    const packets: AudioPacket[] = []
    source.watchAudio?.((packet) => void packets.push(packet))
    await vi.waitUntil(() => packets.length >= 50 && states.length > 0, patience)
    expect(states).toEqual(['live'])
    expect(packets.slice(1).every(({ pts }, i) => pts - packets[i]!.pts >= 20)).toBe(true)
  })

  test('keeps playing while three of a hundred packets are lost', async () => {
    const { states, units } = watch((await camera('loss')).url)
    await vi.waitUntil(() => units.filter((unit) => unit.keyframe).length > 4, patience)
    expect(states).toEqual(['live'])
  })

  test('is reported when it freezes', async () => {
    const frozen = await camera('plain')
    const { states } = watch(frozen.url, { silenceMs: 2500 })
    await vi.waitUntil(() => states.includes('live'), patience)
    frozen.freeze()
    await vi.waitUntil(() => states.length >= 2, patience)
    expect(parseReason(states[1])).toBe('froze')
  })

  test('is reported when it announces H.264 but sends something else', async () => {
    const { states } = watch((await camera('lies')).url, { silenceMs: 5000 })
    await vi.waitUntil(() => states.length > 0, patience)
    expect(parseReason(states[0])).toBe('says H.264, sends something else')
  })

  test('plays as H.264 when it sends H.265', async () => {
    const { states, units } = watch((await camera('h265')).url)
    await vi.waitUntil(() => units.length > 5, patience)
    expect(states).toEqual(['live'])
    expect(readPictureHeight(units[0])).toBe(360)
  })

  test('is reported for a keyframe every eight seconds, and plays once the keyframe arrives', async () => {
    const rare = await camera('rare')
    const first = watch(rare.url)
    await vi.waitUntil(() => first.states.includes('live'), patience)
    const { states } = watch(rare.url, { silenceMs: 2000 })
    await vi.waitUntil(() => states.includes('live'), patience)
    expect(parseReason(states[0])).toBe('no keyframe')
    expect(states.at(-1)).toBe('live')
  })

  test('returns with larger frames after a restart', async () => {
    const before = await camera('plain')
    const { source, states } = watch(before.url)
    await vi.waitUntil(() => readPictureHeight(source.group()[0]) === 360, patience)
    await before.close()
    await camera('large', before.port)
    await vi.waitUntil(() => readPictureHeight(source.group()[0]) === 720, patience)
    expect(parseReason(states[1])).toBe('hung up')
  })
})
