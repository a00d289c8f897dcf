import { describe, expect, test } from 'vitest'
import type { Action } from '../../../scenes/kit/place.ts'
import type { Shot } from '../../../scenes/kit/shot.ts'
import { FPS } from '../../../scenes/kit/encode.ts'
import { scene as driveway } from '../../../scenes/places/driveway/place.ts'
import { scene as frontDoor } from '../../../scenes/places/front-door/place.ts'
import { scene as garage } from '../../../scenes/places/garage/place.ts'
import { scene as street } from '../../../scenes/places/street/place.ts'

/** Maximum turn of a car between two frames, radians. The tightest real turn is 0.3. */
const MAX_TURN = 0.5

/** Returns the headings of the cars that an action draws at second `t`. */
function listCarHeadings(draw: Action['draw'], t: number, isNight: boolean): number[] {
  const headings: number[] = []
  let lastHeading = 0
  const recorder: Pick<Shot, 'isNight' | 'addActor' | 'addContactShadow' | 'addHeadlight' | 'addLightGlow'> = {
    isNight,
    addContactShadow: (_p, _rx, _ry, heading) => void (lastHeading = heading),
    addActor: (kind) => void (kind === 'vehicle' && headings.push(lastHeading)),
    addHeadlight: () => {},
    addLightGlow: () => {},
  }
  draw(recorder as Shot, t)
  return headings
}

const getTurn = (a: number, b: number) => Math.abs(Math.atan2(Math.sin(a - b), Math.cos(a - b)))

function listJumps({ draw, seconds }: Action, isNight: boolean): number[] {
  const jumps: number[] = []
  let last: number[] = []
  for (let frame = 0; frame < seconds * FPS; frame++) {
    const headings = listCarHeadings(draw, frame / FPS, isNight)
    if (
      headings.length === last.length &&
      headings.some((heading, i) => getTurn(heading, last[i] ?? heading) > MAX_TURN)
    )
      jumps.push(frame)
    last = headings
  }
  return jumps
}

describe.each([driveway, frontDoor, garage, street])('cars of $id', ({ dayActions, nightActions }) => {
  test('never turn around between two frames', () => {
    for (const action of dayActions) expect([action.id, listJumps(action, false)]).toEqual([action.id, []])
    for (const action of nightActions) expect([action.id, listJumps(action, true)]).toEqual([action.id, []])
  })
})
