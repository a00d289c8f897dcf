import { GRAYCAT } from '../../kit/animals.ts'
import { beast } from '../../kit/beast.ts'
import { sam } from '../../kit/looks.ts'
import { smooth } from '../../kit/math.ts'
import { someone, walkLegs } from '../../kit/moves.ts'
import { stepping, travel, turnTo, way } from '../../kit/path.ts'
import type { Action } from '../../kit/place.ts'
import type { Shot } from '../../kit/shot.ts'
import { IN, leaveLeft, out, wave } from './calling.ts'
import { courierCalls } from './courier.ts'
import { mayaHome } from './maya.ts'
import { floor } from './view.ts'

function samLeaves(s: Shot, t: number): void {
  if (t < 0.6 || t > 18.6) return
  const p = walkLegs(
    [
      { way: out, from: 0.7, to: 3, easeIn: 0.1 },
      { way: leaveLeft, from: 8.2, to: 18.4, easeOut: 0.2 },
    ],
    t,
    floor,
  )
  if (t > 2.8 && t < 8.2)
    p.heading =
      t < 7.2 ? turnTo(out.at(9).heading, IN - 0.1, smooth(2.8, 3.8, t)) : turnTo(IN - 0.1, -IN, smooth(7.2, 8.2, t))
  p.hands = wave(t, 4.4, 6.8)
  p.nod = t > 3.6 && t < 4.6 ? 0.12 * Math.sin((t - 3.6) * 6) : 0
  someone(s, sam, p)
}

const prowl = way([-1.9, 10.2], [-0.6, 9.6], [-0.15, 7], [0.2, 4.4], [0.1, 2.6], [0.16, 2.05]),
  slink = way([0.16, 2.05], [0.5, 2.2], [0.5, 3.4], [0.6, 6], [0.4, 9.2], [2.5, 10.2], [9, 10.3])
function catCalls(s: Shot, t: number): void {
  if (t < 0.6 || t > 19) return
  const first = t < 11.6,
    d = first ? travel(t, 0.7, 8, prowl.length, 0.1, 0.8) : travel(t, 12.6, 18.9, slink.length, 0.8, 0.1),
    w = (first ? prowl : slink).at(d),
    sit = smooth(8, 8.9, t) * (1 - smooth(11.4, 12.3, t))
  const heading =
    t > 11.4 && t < 13 ? turnTo(prowl.at(99).heading, slink.at(0.3).heading, smooth(11.5, 12.8, t)) : w.heading
  s.contact([w.p[0], w.p[1], floor(0, w.p[1])], 0.28, 0.14, heading, 0.55)
  s.actor('pet', (m) =>
    beast(
      m,
      { ...GRAYCAT, size: 0.38 },
      {
        at: [w.p[0], w.p[1], floor(0, w.p[1])],
        heading,
        walked: d,
        gait: Math.max(stepping(t, 0.5, 8), stepping(t, 12.4, 40)),
        sit,
        nod: 0.2 + sit * 0.5,
        look: sit * 0.5 * Math.sin(t * 1.6),
        t,
      },
    ),
  )
}

export const dayActions: Action[] = [
  {
    id: 'maya',
    label: 'Maya',
    summary: 'Maya comes home with the shopping and waves.',
    seconds: 20,
    best: 10.6,
    tags: ['motion', 'person', 'face'],
    people: ['Maya'],
    draw: mayaHome,
  },
  {
    id: 'courier',
    label: 'Person with a box',
    summary: 'A courier leaves a parcel on the mat and rings; Sam takes it in.',
    seconds: 40,
    best: 9.4,
    tags: ['motion', 'person', 'package', 'face'],
    people: ['Sam', 'face:courier'],
    draw: courierCalls,
  },
  {
    id: 'sam',
    label: 'Sam',
    summary: 'Sam comes out, waves and walks off to the left.',
    seconds: 20,
    best: 5.2,
    tags: ['motion', 'person', 'face'],
    people: ['Sam'],
    draw: samLeaves,
  },
  {
    id: 'cat',
    label: 'Pet',
    summary: 'A grey cat climbs the steps, sits on the mat and looks up.',
    seconds: 20,
    best: 10.2,
    tags: ['motion', 'pet', 'sound'],
    sounds: ['Meowing'],
    draw: catCalls,
  },
]
