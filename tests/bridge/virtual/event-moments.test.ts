import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { buildVirtualEvent } from '../../../bridge/virtual/virtual-clip.ts'
import { SceneLibrary } from '../../../bridge/virtual/scene-library.ts'
import { moment } from '../../../contract/bridge/bridge-protocol.ts'
import type { TimeOfDay } from '../../../scenes/manifest.ts'

let library: SceneLibrary
beforeAll(async () => {
  library = await SceneLibrary.open(fileURLToPath(new URL('../../../scenes', import.meta.url)))
})

const buildEvent = (scene: string, light: TimeOfDay, action: string) =>
  buildVirtualEvent(library, { device_id: 'cam', scene, light, action, at: 1_790_000_000_000 })

describe('moments of a virtual camera event', () => {
  test('describe the images and sounds of the clip and the time of day, in clip seconds', () => {
    /*
     * A clip starts at the keyframe before the pre-roll of 3 s. Here the first movement is at 0.87 s, so the clip
     * starts with the segment.
     */
    expect(buildEvent('backyard', 'day', 'bark').moments).toEqual([
      {
        at_s: 5.2,
        text: 'A golden dog trots across the lawn while a white cat walks along the top of the wooden fence, in daylight.',
      },
      {
        at_s: 10.4,
        text: 'A golden dog by the kennel barks up at a white cat on the fence until it jumps down, in daylight.',
      },
      { at_s: 9.2, text: 'The dog barks at a white cat on the fence until it jumps down, in daylight.' },
      { at_s: 7.15, text: 'Barking is heard, in daylight.' },
    ])
    /*
     * This clip starts at 3 s of the segment: the movement starts at 6.47 s, the pre-roll at 3.47 s, and the keyframe
     * before the pre-roll is at 3 s.
     */
    expect(buildEvent('street', 'night', 'cars').moments).toEqual([
      {
        at_s: 4.9,
        text: 'A pale car with dazzling headlights drives past the parked cars and down the snowy road, at night.',
      },
      {
        at_s: 6.8,
        text: 'A pale car and a dark car pass each other, their headlights sweeping over the snow, at night.',
      },
      { at_s: 6, text: 'Two cars meet, their headlights sweep over the snow, at night.' },
    ])
  })

  test('come with the position of the thumbnail in the clip', () => {
    // `best` is 9.2 s in a clip that starts with the segment, and 9 s in a clip that starts at 3 s.
    expect(buildEvent('backyard', 'day', 'bark').thumb_at_s).toBe(9.2)
    expect(buildEvent('street', 'night', 'cars').thumb_at_s).toBe(6)
  })

  test('lie within the clip, for every action', () => {
    for (const [scene, { lights }] of Object.entries(library.manifest.scenes))
      for (const [light, { actions }] of Object.entries(lights))
        for (const { id } of actions) {
          const {
            moments,
            event_resources: [clip],
          } = buildEvent(scene, light as TimeOfDay, id)
          const seconds = clip ? (clip.end_time - clip.begin_time) / 1000 : 0
          expect(moments.length, `${scene} ${light} ${id}`).toBeGreaterThan(0)
          for (const entry of moments) expect(v.parse(moment, entry).at_s).toBeLessThan(seconds)
        }
  })
})
