import { expect, test } from 'vitest'
import { makeClip } from '../../../bridge/virtual/virtual-clip.ts'
import { library } from '../../support/bridge-streams.ts'

const PACKETS_A_SECOND = 50

function sampleSizes(file: Buffer): number[][] {
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
    const action = library.scene(scene).lights.day.actions.find(({ sound }) => sound !== undefined)
    if (action?.sound === undefined) throw new RangeError(`nothing is heard in ${scene}`)
    const file = await makeClip(library, scene, 'day', action.id)
    const [pictures = [], sounds = []] = sampleSizes(file)
    expect(sounds.length / PACKETS_A_SECOND).toBeCloseTo(pictures.length / library.manifest.fps, 1)
    const { fps, gop } = library.manifest
    const first = Math.floor((Math.max(0, action.from - 3) * fps) / gop) * (gop / fps) * PACKETS_A_SECOND
    const packets = await library.sound(action.sound)
    const [from, to] = [sounds.length - 100, sounds.length - 60]
    expect(sounds.slice(from, to)).toEqual(packets.slice(first + from, first + to).map(({ length }) => length))
    for (const packet of packets.slice(first + from, first + to)) expect(file.includes(packet)).toBe(true)
  },
)

test('a clip of a scene without audio has only video', async () => {
  const [action] = library.scene('street').lights.day.actions
  expect(sampleSizes(await makeClip(library, 'street', 'day', action?.id ?? ''))).toHaveLength(1)
})
