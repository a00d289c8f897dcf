import { describe, expect, test, vi } from 'vitest'
import { readFrameHeight } from '../../../bridge/media/h264/sps.ts'
import type { AudioPacket } from '../../../bridge/media/audio/audio-clock.ts'
import { GstCamera, gstreamerProblem, type GstMode } from '../../support/gst-camera.ts'
import { addTestCleanup, CAMERA_WAIT_OPTIONS, startWatchedSource } from '../../support/watched-camera.ts'
import { parseReason } from '../../support/camera-reasons.ts'

async function startCamera(mode: GstMode, port?: number): Promise<GstCamera> {
  const started = await GstCamera.start(mode, port)
  addTestCleanup(() => started.close())
  return started
}

const skipReason = gstreamerProblem === undefined ? '' : ` (skipped: ${gstreamerProblem})`

describe.skipIf(gstreamerProblem !== undefined)(`a camera on GStreamer's RTSP server${skipReason}`, () => {
  test.each(['pcma', 'pcmu', 'aac'] as const)('plays with audio in %s', async (mode) => {
    const { source, states } = startWatchedSource((await startCamera(mode)).url, { sound: true })
    await vi.waitUntil(() => source.watchAudio !== undefined, CAMERA_WAIT_OPTIONS)
    const packets: AudioPacket[] = []
    source.watchAudio?.((packet) => void packets.push(packet))
    await vi.waitUntil(() => packets.length >= 50 && states.length > 0, CAMERA_WAIT_OPTIONS)
    expect(states).toEqual(['live'])
    expect(packets.slice(1).every(({ pts }, i) => pts - packets[i]!.pts >= 20)).toBe(true)
  })

  test('keeps playing while three of a hundred packets are lost', async () => {
    const { states, units } = startWatchedSource((await startCamera('loss')).url)
    await vi.waitUntil(() => units.filter((unit) => unit.keyframe).length > 4, CAMERA_WAIT_OPTIONS)
    expect(states).toEqual(['live'])
  })

  test('is reported when it freezes', async () => {
    const frozen = await startCamera('plain')
    const { states } = startWatchedSource(frozen.url, { silenceMs: 2500 })
    await vi.waitUntil(() => states.includes('live'), CAMERA_WAIT_OPTIONS)
    frozen.freeze()
    await vi.waitUntil(() => states.length >= 2, CAMERA_WAIT_OPTIONS)
    expect(parseReason(states[1])).toBe('froze')
  })

  test('is reported when it announces H.264 but sends something else', async () => {
    const { states } = startWatchedSource((await startCamera('lies')).url, { silenceMs: 5000 })
    await vi.waitUntil(() => states.length > 0, CAMERA_WAIT_OPTIONS)
    expect(parseReason(states[0])).toBe('says H.264, sends something else')
  })

  test('plays as H.264 when it sends H.265', async () => {
    const { states, units } = startWatchedSource((await startCamera('h265')).url)
    await vi.waitUntil(() => units.length > 5, CAMERA_WAIT_OPTIONS)
    expect(states).toEqual(['live'])
    expect(readFrameHeight(units[0])).toBe(360)
  })

  test('is reported for a keyframe every eight seconds, and plays once the keyframe arrives', async () => {
    const rare = await startCamera('rare')
    const first = startWatchedSource(rare.url)
    await vi.waitUntil(() => first.states.includes('live'), CAMERA_WAIT_OPTIONS)
    const { states } = startWatchedSource(rare.url, { silenceMs: 2000 })
    await vi.waitUntil(() => states.includes('live'), CAMERA_WAIT_OPTIONS)
    expect(parseReason(states[0])).toBe('no keyframe')
    expect(states.at(-1)).toBe('live')
  })

  test('returns with larger frames after a restart', async () => {
    const before = await startCamera('plain')
    const { source, states } = startWatchedSource(before.url)
    await vi.waitUntil(() => readFrameHeight(source.getGop()[0]) === 360, CAMERA_WAIT_OPTIONS)
    await before.close()
    await startCamera('large', before.port)
    await vi.waitUntil(() => readFrameHeight(source.getGop()[0]) === 720, CAMERA_WAIT_OPTIONS)
    expect(parseReason(states[1])).toBe('hung up')
  })
})
