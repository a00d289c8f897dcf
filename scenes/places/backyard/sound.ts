import { synthesizeOutdoors } from '../../kit/sound/air.ts'
import { synthesizeBark, synthesizeMeow } from '../../kit/sound/calls.ts'
import type { Soundscape } from '../../kit/sound/track.ts'

/** Seconds of the barks; they match the movement of the dog's mouth in day.ts. */
const barkTimes = Array.from({ length: 7 }, (_, i) => 7.15 + (i * 2 * Math.PI) / 7.4)

export const sound: Soundscape = {
  background: (light) =>
    synthesizeOutdoors(0.05, light === 'day' ? 'birds' : light === 'dusk' ? 'few birds' : 'crickets', 21),
  actionSounds: {
    bark: () => barkTimes.map((at, i) => ({ kind: 'Barking', at, gain: 0.62, sound: synthesizeBark(i + 1) })),
    'fence-cat': () => [9.3, 10.9].map((at, i) => ({ kind: 'Meowing', at, gain: 0.3, sound: synthesizeMeow(i + 4) })),
  },
}
