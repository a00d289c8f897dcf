import { mayaLook } from '../../kit/looks.ts'
import { transformPoint, composeAll, translation, smoothstep, rotationX, type Vec3 } from '../../kit/math.ts'
import { createMaterial, type Mesh } from '../../kit/mesh.ts'
import { getWalkPose } from '../../kit/moves.ts'
import { blendHeading, createPath } from '../../kit/path.ts'
import { addPerson } from '../../kit/person.ts'
import { addBall, addLoft, addTube } from '../../kit/shapes.ts'
import type { Shot } from '../../kit/shot.ts'

const pathToBed = createPath([-4.4, -0.8], [-1.6, 2.6], [1.4, 5], [4, 6.2], [5.05, 6.3]),
  pathFromBed = createPath([5.05, 6.3], [4, 5.6], [1.4, 4.4], [-1.8, 2.2], [-4.9, -1])
function addWateringCan(m: Mesh): void {
  const tin = createMaterial(0.12, 0.3, 0.2, { gloss: 0.25 })
  addLoft(
    m,
    tin,
    [
      { c: [0, 0, 0], x: [0.11, 0, 0], y: [0, 0.11, 0] },
      { c: [0, 0, 0.22], x: [0.1, 0, 0], y: [0, 0.1, 0] },
    ],
    16,
  )
  addTube(
    m,
    tin,
    [
      [0, 0.1, 0.05],
      [0, 0.36, 0.26],
    ],
    [0.022, 0.018],
    7,
  )
  addTube(
    m,
    tin,
    [
      [0, -0.08, 0.18],
      [0, -0.04, 0.32],
      [0, 0.07, 0.24],
    ],
    [0.012, 0.012, 0.012],
    6,
  )
}

function addDrops(m: Mesh, spout: Vec3, heading: number, t: number): void {
  for (let i = 0; i < 26; i++) {
    const u = (t * 2.3 + i * 0.37) % 1,
      a = i * 2.4,
      c = Math.cos(heading),
      e = Math.sin(heading),
      k = u * 0.34
    addBall(
      m,
      createMaterial(0.6, 0.7, 0.8, { gloss: 0.4 }),
      [spout[0] + c * k + Math.cos(a) * 0.05 * u, spout[1] + e * k + Math.sin(a) * 0.05 * u, spout[2] - u * u * 0.5],
      [0.008, 0.008, 0.02],
      5,
    )
  }
}

export function drawWatering(s: Shot, t: number): void {
  if (t < 0.6 || t > 19.2) return
  const p = getWalkPose(
      [
        { way: pathToBed, from: 0.7, to: 7.4 },
        { way: pathFromBed, from: 13, to: 19.1, easeOut: 0.2 },
      ],
      t,
    ),
    pour = smoothstep(7.6, 8.4, t) * (1 - smoothstep(11.3, 12, t))
  if (t > 7 && t < 12)
    p.heading = blendHeading(pathToBed.at(99).heading, 0.25 * Math.sin((t - 7) * 1.1), smoothstep(7, 7.8, t))
  p.hands = [null, [0.24 - pour * 0.1, 0.12 + pour * 0.34, 0.8 + pour * 0.22]]
  p.lean = pour * 0.22
  p.nod = -pour * 0.3
  s.addContactShadow(p.at, 0.34, 0.3, p.heading, 0.5)
  let spout: Vec3 = [0, 0, 0]
  s.addActor('person', (m) => {
    const root = addPerson(
      m,
      { ...mayaLook, top: createMaterial(0.25, 0.4, 0.6), sleeve: createMaterial(0.25, 0.4, 0.6) },
      p,
    )
    m.transform = composeAll(
      root,
      translation([0.24 - pour * 0.1, 0.16 + pour * 0.36, 0.5 + pour * 0.28]),
      rotationX(-pour * 0.6),
    )
    spout = transformPoint(m.transform, [0, 0.38, 0.27])
    addWateringCan(m)
  })
  if (pour > 0.5) s.addActor('', (m) => addDrops(m, spout, p.heading, t))
}
