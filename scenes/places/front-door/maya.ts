import { mayaLook, withPaleCoat } from '../../kit/looks.ts'
import { composeAll, translation, placeFigure } from '../../kit/math.ts'
import { addBox, createMaterial, type Mesh } from '../../kit/mesh.ts'
import { getWalkPose } from '../../kit/moves.ts'
import { addPerson } from '../../kit/person.ts'
import { addBall } from '../../kit/shapes.ts'
import type { Shot } from '../../kit/shot.ts'
import { approachPath, enterPath, getWavingHands } from './calling.ts'
import { getFloorHeight } from './view.ts'

const EVENING_LOOK = withPaleCoat(mayaLook)

function addPaperBag(m: Mesh, root: ReturnType<typeof placeFigure>): void {
  m.transform = composeAll(root, translation([-0.12, 0.24, 1.0]))
  addBox(m, createMaterial(0.48, 0.33, 0.19), [-0.14, -0.09, 0], [0.14, 0.09, 0.36], 0.1)
  for (let i = 0; i < 5; i++)
    addBall(m, createMaterial(0.1, 0.32, 0.06), [-0.08 + i * 0.04, 0.02 * (i % 2), 0.37], [0.04, 0.04, 0.08], 7)
  m.transform = null
}

export function drawMayaComingHome(s: Shot, t: number): void {
  if (t < 0.5 || t > 16) return
  const p = getWalkPose(
      [
        { way: approachPath, from: 0.6, to: 9 },
        { way: enterPath, from: 13.2, to: 15.6, easeOut: 0.1 },
      ],
      t,
      getFloorHeight,
    ),
    w = getWavingHands(t, 9.6, 12)
  p.hands = [[-0.08, 0.36, 1.05], w[1]]
  p.look = t > 9 && t < 12.4 ? -0.12 * Math.sin(t) : 0
  s.addContactShadow(p.at, 0.34, 0.3, p.heading, 0.5)
  s.addActor('person', (m) => addPaperBag(m, addPerson(m, s.isNight ? EVENING_LOOK : mayaLook, p)))
}
