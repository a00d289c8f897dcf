import { room } from '../../kit/sound/air.ts'
import { breakingGlass, meow, talk } from '../../kit/sound/calls.ts'
import type { Soundscape } from '../../kit/sound/track.ts'

const meows = (...times: number[]) =>
  times.map((at, i) => ({ kind: 'Meowing', at, gain: 0.42, sound: meow(i + Math.round(at)) }))

export const sound: Soundscape = {
  air: () => room(7),
  calls: {
    nap: () => meows(11.2, 13.6),
    sill: () => meows(9.6, 12.2),
    company: () => [
      { kind: 'Talking', at: 18.2, gain: 0.4, sound: talk(2.6, 112, 5) },
      { kind: 'Talking', at: 21.2, gain: 0.4, sound: talk(2.2, 112, 9) },
      ...meows(24.2),
    ],
    dash: () => [{ kind: 'Glass Breaking', at: 6.5, gain: 0.7, sound: breakingGlass(3) }],
  },
}
