import { expect, test } from 'vitest'
import { buildClip } from '../../../bridge/virtual/virtual-clip.ts'
import { sceneLibrary } from '../../support/bridge-streams.ts'

const PACKETS_PER_SECOND = 50

function readSampleSizes(file: Buffer): number[][] {
  const tables: number[][] = []
  for (let at = file.indexOf('stsz'); at !== -1; at = file.indexOf('stsz', at + 4)) {
    const count = file.readUInt32BE(at + 12)
    tables.push(Array.from({ length: count }, (_, i) => file.readUInt32BE(at + 16 + i * 4)))
  }
  return tables
}

test.each(['backyard', 'living-room', 'front-door'])(
  'a clip of the %s has the same audio as the live stream',
  async (scene) => {
    const action = sceneLibrary.getScene(scene).lights.day.actions.find(({ sound }) => sound !== undefined)
    if (action?.sound === undefined) throw new RangeError(`no action of ${scene} has audio`)
    const file = await buildClip(sceneLibrary, scene, 'day', action.id)
    const [videoSizes = [], audioSizes = []] = readSampleSizes(file)
    expect(audioSizes.length / PACKETS_PER_SECOND).toBeCloseTo(videoSizes.length / sceneLibrary.manifest.fps, 1)
    const { fps, gop } = sceneLibrary.manifest
    const first = Math.floor((Math.max(0, action.from - 3) * fps) / gop) * (gop / fps) * PACKETS_PER_SECOND
    const packets = await sceneLibrary.loadAudio(action.sound)
    const [from, to] = [audioSizes.length - 100, audioSizes.length - 60]
    expect(audioSizes.slice(from, to)).toEqual(packets.slice(first + from, first + to).map(({ length }) => length))
    for (const packet of packets.slice(first + from, first + to)) expect(file.includes(packet)).toBe(true)
  },
)

test('a clip of a scene without audio has only video', async () => {
  const [action] = sceneLibrary.getScene('street').lights.day.actions
  expect(readSampleSizes(await buildClip(sceneLibrary, 'street', 'day', action?.id ?? ''))).toHaveLength(1)
})
