import { outdoors } from '../../kit/sound/air.ts'
import { bell, meow, talk } from '../../kit/sound/calls.ts'
import type { Soundscape } from '../../kit/sound/track.ts'

const rings = (at: number) => () => [{ kind: '', at, gain: 0.3, sound: bell() }]

export const sound: Soundscape = {
  air: (light) => outdoors(0.06, light === 'night' ? 'crickets' : 'few birds', 11),
  calls: {
    cat: () => [9.4, 10.6].map((at, i) => ({ kind: 'Meowing', at, gain: 0.4, sound: meow(i + 8) })),
    courier: rings(12.4),
    visitor: rings(9.3),
    children: () => [
      { kind: 'Talking', at: 8.9, gain: 0.42, sound: talk(1.3, 285, 3) },
      { kind: 'Talking', at: 9.9, gain: 0.36, sound: talk(1.5, 320, 6) },
      { kind: 'Talking', at: 11.2, gain: 0.4, sound: talk(0.9, 290, 12) },
    ],
  },
}
