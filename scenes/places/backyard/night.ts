import { fox } from '../../kit/animals.ts'
import { beast } from '../../kit/beast.ts'
import { smooth } from '../../kit/math.ts'
import { stepping, travel, turnTo, way } from '../../kit/path.ts'
import type { Action } from '../../kit/place.ts'
import type { Shot } from '../../kit/shot.ts'
import { WHITECAT, at2, rex } from './pets.ts'
import { FENCE } from './view.ts'

const foxWay = way([-8.4, 7.4], [-5, 6.6], [-2.6, 6.2], [-1.4, 9.2], [0.8, 7.6], [3.6, 5.6], [6.4, 3.6], [9.2, 2.6])
function foxNight(s: Shot, t: number): void {
  if (t < 0.6 || t > 18.8) return
  const k = 8.9,
    first = t < 10.8,
    d = first ? travel(t, 0.7, 7.4, k, 0.3, 0.9) : k + travel(t, 11, 18.7, foxWay.length - k, 0.8, 0.2),
    rest = smooth(7.2, 8, t) * (1 - smooth(10.4, 11.2, t)),
    up = t > 9.4 ? smooth(9.4, 9.8, t) : 0,
    w = at2(foxWay, d)
  s.contact(w.at, 0.42, 0.16, w.heading, 0.5)
  s.actor('pet', (m) =>
    fox(m, {
      ...w,
      walked: d,
      gait: Math.max(stepping(t, 0.5, 7.4), stepping(t, 10.9, 40)),
      nod: rest * (-1.3 + up * 1.9) - 0.15,
      look: rest * up * 0.9,
      t,
    }),
  )
}

function fenceCat(s: Shot, t: number): void {
  if (t < 0.5 || t > 18.6) return
  const stop = smooth(8, 8.6, t) * (1 - smooth(11.6, 12.4, t)),
    d = t < 10 ? travel(t, 0.6, 8.4, 9.4, 0.2, 0.7) : 9.4 + travel(t, 12, 18.5, 9.6, 0.7, 0.2)
  s.actor('pet', (m) =>
    beast(m, WHITECAT, {
      at: [4.2 - d * 0.5, 12.6, FENCE],
      heading: Math.PI,
      walked: d * 0.5,
      gait: Math.max(stepping(t, 0.4, 8.2), stepping(t, 12.2, 40)),
      sit: stop,
      look: stop * (1.1 + 0.3 * Math.sin(t * 2)),
      nod: 0.15,
      t,
    }),
  )
}

const nosing = way([-4.4, -1], [-2.2, 2.2], [-0.2, 4.6], [1.2, 7.4], [-0.4, 9], [-1.25, 9.3]),
  toBedWay = way([-1.25, 9.3], [-0.2, 7.4], [-0.8, 4.6], [-2.6, 2], [-5, -1.2])
function dogNight(s: Shot, t: number): void {
  if (t < 0.6 || t > 19) return
  const out = t < 12.6,
    d = out ? travel(t, 0.7, 8.2, nosing.length, 0.3, 0.9) : travel(t, 13, 18.9, toBedWay.length, 0.8, 0.1),
    w = at2(out ? nosing : toBedWay, d),
    drink = smooth(8.2, 9, t) * (1 - smooth(11, 11.8, t))
  if (t > 12 && t < 14) w.heading = turnTo(nosing.at(99).heading, toBedWay.at(0.4).heading, smooth(12, 13.2, t))
  rex(s, {
    ...w,
    walked: d,
    gait: Math.max(stepping(t, 0.5, 8.2), stepping(t, 12.8, 40)),
    nod: -drink * (1.7 + 0.08 * Math.sin(t * 14)) - 0.1,
    wag: 0.5,
    mouth: drink * 0.2,
    t,
  })
}
export const nightActions: Action[] = [
  {
    id: 'fox',
    label: 'Animal',
    summary: 'A fox noses about by the kennel and looks up.',
    seconds: 20,
    best: 10,
    tags: ['motion', 'pet'],
    draw: foxNight,
  },
  {
    id: 'fence-cat',
    label: 'Pet',
    summary: 'A cat walks along the top of the fence and sits down to look around.',
    seconds: 20,
    best: 10,
    tags: ['motion', 'pet', 'sound'],
    sounds: ['Meowing'],
    draw: fenceCat,
  },
  {
    id: 'dog',
    label: 'Dog',
    summary: 'The dog comes out for a last drink of water.',
    seconds: 20,
    best: 9.6,
    tags: ['motion', 'pet'],
    draw: dogNight,
  },
]
