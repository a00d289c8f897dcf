import { synthesizeOutdoors } from '../../kit/sound/air.ts'
import { synthesizeBell, synthesizeMeow, synthesizeTalk } from '../../kit/sound/calls.ts'
import type { Soundscape } from '../../kit/sound/track.ts'

const ringBellAt = (at: number) => () => [{ kind: '', at, gain: 0.3, sound: synthesizeBell() }]

export const sound: Soundscape = {
  background: (light) => synthesizeOutdoors(0.06, light === 'night' ? 'crickets' : 'few birds', 11),
  actionSounds: {
    cat: () => [9.4, 10.6].map((at, i) => ({ kind: 'Meowing', at, gain: 0.4, sound: synthesizeMeow(i + 8) })),
    courier: ringBellAt(12.4),
    visitor: ringBellAt(9.3),
    children: () => [
      { kind: 'Talking', at: 8.9, gain: 0.42, sound: synthesizeTalk(1.3, 285, 3) },
      { kind: 'Talking', at: 9.9, gain: 0.36, sound: synthesizeTalk(1.5, 320, 6) },
      { kind: 'Talking', at: 11.2, gain: 0.4, sound: synthesizeTalk(0.9, 290, 12) },
    ],
  },
}
