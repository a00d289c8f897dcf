import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildVirtualEvent, buildClip } from '../../../bridge/virtual/virtual-clip.ts'
import { buildDetectionTracks } from '../../../bridge/virtual/detections.ts'
import { SceneLibrary } from '../../../bridge/virtual/scene-library.ts'
import { clipDetections, type DetectionTrack } from '../../../contract/events/detections.ts'
import type { TimedBox, TimeOfDay } from '../../../scenes/manifest.ts'
import { interpolateBox } from '../../../src/domain/events/detection-boxes.ts'

let library: SceneLibrary
beforeAll(async () => {
  library = await SceneLibrary.open(fileURLToPath(new URL('../../../scenes', import.meta.url)))
})

const box = (t: number, x: number, kind = 'person'): TimedBox => ({ t, kind, x, y: 0.4, w: 0.1, h: 0.2 })

describe('tracks of a clip', () => {
  test('start with the clip and omit intermediate boxes on a straight path', () => {
    const walk = [0, 0.5, 1, 1.5, 2].map((t) => box(10 + t, 0.1 + t / 10))
    expect(buildDetectionTracks(walk, 10, 20)).toEqual([
      {
        kind: 'person',
        boxes: [
          [0, 100, 400, 100, 200],
          [200, 300, 400, 100, 200],
        ],
      },
    ])
  })

  test('separate two objects of one kind by their positions', () => {
    const two = [0, 0.5, 1].flatMap((t) =>
      t === 0.5 ? [box(t, 0.75), box(t, 0.15)] : [box(t, 0.1 + t / 10), box(t, 0.8 - t / 10)],
    )
    expect(buildDetectionTracks(two, 0, 9).map(({ boxes }) => boxes.map(([, x]) => x))).toEqual([
      [100, 200],
      [800, 700],
    ])
  })

  test('end when an object disappears, and start again when it returns', () => {
    const seen = [0, 0.5, 1, 3, 3.5].map((t) => box(t, 0.1))
    expect(buildDetectionTracks(seen, 0, 9).map(({ boxes }) => boxes.map(([at]) => at))).toEqual([
      [0, 100],
      [300, 350],
    ])
  })

  test('contain nothing from outside the clip', () => {
    expect(buildDetectionTracks([box(1, 0.1), box(1.5, 0.1)], 2, 9)).toEqual([])
  })
})

describe('tracks of every virtual camera action', () => {
  test('match the contract, lie within the clip and use few bytes', () => {
    let bytes = 0
    for (const [scene, { lights }] of Object.entries(library.manifest.scenes))
      for (const [light, { actions }] of Object.entries(lights))
        for (const { id } of actions) {
          const event = buildVirtualEvent(library, {
            device_id: 'cam',
            scene,
            light: light as TimeOfDay,
            action: id,
            at: 1_790_000_000_000,
          })
          const clip = event.event_resources[0]
          const last = clip ? (clip.end_time - clip.begin_time) / 10 : 0
          const tracks = v.parse(clipDetections, event.found)
          expect(tracks.length, `${scene} ${light} ${id}`).toBeGreaterThan(0)
          for (const { boxes } of tracks) expect(boxes.at(-1)?.[0]).toBeLessThanOrEqual(last)
          bytes = Math.max(bytes, JSON.stringify(tracks).length)
        }
    expect(bytes).toBeLessThan(2048)
  })

  test('match the ground truth to within two hundredths of the frame', () => {
    const { boxes, from } = library.getAction('street', 'day', 'dog-walk')
    const begin = Math.floor(Math.max(0, from - 3))
    const { found: tracks } = buildVirtualEvent(library, {
      device_id: 'cam',
      scene: 'street',
      light: 'day',
      action: 'dog-walk',
      at: 0,
    })
    const deviations = boxes.map(({ t, kind, x, y }) => {
      const distances = tracks
        .filter((track: DetectionTrack) => track.kind === kind)
        .map((track) => interpolateBox(track, t - begin))
        .map((position) => (position ? Math.max(Math.abs(position.x - x), Math.abs(position.y - y)) : 1))
      return Math.min(...distances)
    })
    expect(Math.max(...deviations)).toBeLessThan(0.02)
  })

  test('follow the timing of the clip that is sent', async () => {
    const clip = await buildClip(library, 'garage', 'day', 'bike')
    const [resource] = buildVirtualEvent(library, {
      device_id: 'cam',
      scene: 'garage',
      light: 'day',
      action: 'bike',
      at: 0,
    }).event_resources
    // The mvhd box holds the timescale and the duration, 32 bits each.
    const header = clip.indexOf('mvhd')
    const seconds = clip.readUInt32BE(header + 20) / clip.readUInt32BE(header + 16)
    expect(seconds * 1000).toBeCloseTo((resource?.end_time ?? 0) - (resource?.begin_time ?? 0), -2)
  })
})
