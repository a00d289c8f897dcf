import { synthesizeRoom } from '../../kit/sound/air.ts'
import { synthesizeBreakingGlass, synthesizeMeow, synthesizeTalk } from '../../kit/sound/calls.ts'
import type { Soundscape } from '../../kit/sound/track.ts'

const createMeows = (...times: number[]) =>
  times.map((at, i) => ({ kind: 'Meowing', at, gain: 0.42, sound: synthesizeMeow(i + Math.round(at)) }))

export const sound: Soundscape = {
  background: () => synthesizeRoom(7),
  actionSounds: {
    nap: () => createMeows(11.2, 13.6),
    sill: () => createMeows(9.6, 12.2),
    company: () => [
      { kind: 'Talking', at: 18.2, gain: 0.4, sound: synthesizeTalk(2.6, 112, 5) },
      { kind: 'Talking', at: 21.2, gain: 0.4, sound: synthesizeTalk(2.2, 112, 9) },
      ...createMeows(24.2),
    ],
    dash: () => [{ kind: 'Glass Breaking', at: 6.5, gain: 0.7, sound: synthesizeBreakingGlass(3) }],
  },
}
