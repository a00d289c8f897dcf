import { outdoors } from '../../kit/sound/air.ts'
import { bark, meow } from '../../kit/sound/calls.ts'
import type { Soundscape } from '../../kit/sound/track.ts'

/** Times of the barks, which match the opening of the dog's mouth. */
const barks = Array.from({ length: 7 }, (_, i) => 7.15 + (i * 2 * Math.PI) / 7.4)

export const sound: Soundscape = {
  air: (light) => outdoors(0.05, light === 'day' ? 'birds' : light === 'dusk' ? 'few birds' : 'crickets', 21),
  calls: {
    bark: () => barks.map((at, i) => ({ kind: 'Barking', at, gain: 0.62, sound: bark(i + 1) })),
    'fence-cat': () => [9.3, 10.9].map((at, i) => ({ kind: 'Meowing', at, gain: 0.3, sound: meow(i + 4) })),
  },
}
