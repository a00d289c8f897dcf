import {
  transformPoint,
  composeAll,
  clamp,
  translation,
  placeFigure,
  rotationX,
  rotationZ,
  type Mat,
  type Vec3,
} from './math.ts'
import type { Mesh } from './mesh.ts'
import { addHead } from './person-head.ts'
import { addArm, getFootPosition, addLeg } from './person-limbs.ts'
import type { PersonLook, PersonPose } from './person-types.ts'
import { addBall, addLoft, addTube } from './shapes.ts'

function addTorso(m: Mesh, look: PersonLook): void {
  const b = look.build,
    r = (z: number, x: number, y: number, f = 0): { c: Vec3; x: Vec3; y: Vec3; e: number } => ({
      c: [0, f, z],
      x: [x * b, 0, 0],
      y: [0, y * b, 0],
      e: 2.35,
    })
  const low = look.skirt ? [r(-0.28, 0.22, 0.215), r(-0.1, 0.195, 0.155)] : [r(-0.085, 0.188, 0.135)]
  addLoft(
    m,
    look.top,
    [
      ...low,
      r(0, 0.18, 0.13),
      r(0.12, 0.152, 0.108),
      r(0.26, 0.176, 0.122, 0.008),
      r(0.38, 0.196, 0.118, 0.004),
      r(0.44, 0.186, 0.105, -0.004),
      r(0.485, 0.13, 0.085, -0.008),
      r(0.52, 0.08, 0.07, -0.008),
      r(0.535, 0.062, 0.06, -0.004),
    ],
    18,
  )
  if (look.stripe) addLoft(m, look.stripe, [r(0.2, 0.168, 0.12, 0.006), r(0.255, 0.18, 0.127, 0.008)], 18, false)
  addTube(
    m,
    look.top,
    [
      [0, -0.006, 0.5],
      [0, -0.002, 0.545],
    ],
    [0.066, 0.063],
    14,
  )
  if (look.trim)
    for (let i = 0; i < 6; i++)
      addBall(
        m,
        look.trim,
        [0, (look.skirt ? 0.134 : 0.127) * b - Math.abs(i - 2) * 0.0035, 0.43 - i * 0.1],
        [0.013, 0.008, 0.013],
        8,
      )
  addTube(
    m,
    look.skin,
    [
      [0, -0.01, 0.5],
      [0, 0.004, 0.6],
    ],
    [0.052, 0.048],
    10,
  )
}

/** Adds a person to the mesh; returns the transform from the person's local axes, for placing held objects. */
export function addPerson(m: Mesh, look: PersonLook, pose: PersonPose): Mat {
  const k = look.height / 1.76,
    st = pose.stride ?? 0,
    ph = (pose.walked ?? 0) / (1.2 * k),
    crouch = pose.crouch ?? 0
  const bob = st * 0.018 * Math.cos(ph * Math.PI * 4) + (pose.t !== undefined ? 0.003 * Math.sin(pose.t * 2.2) : 0)
  const hipZ = pose.seat ?? 0.945 - st * 0.03 - crouch * 0.42 + bob,
    twist = st * 0.12 * Math.sin(ph * Math.PI * 2)
  const root = composeAll(placeFigure(pose.at, pose.heading), new Float64Array([k, 0, 0, 0, 0, k, 0, 0, 0, 0, k, 0]))
  m.transform = root
  const sway = st * 0.012 * Math.sin(ph * Math.PI * 2)
  for (const s of [-1, 1]) {
    const f = getFootPosition(ph + (s < 0 ? 0.5 : 0), st),
      footPose = pose.feet?.[s < 0 ? 0 : 1]
    addLeg(
      m,
      look,
      s,
      [s * 0.085 * look.build + sway, -crouch * 0.1, hipZ - 0.02],
      footPose ?? [s * 0.095, f.y + s * 0.05 * crouch, f.z],
      footPose ? 0.1 : f.tip,
    )
  }
  const lean = (pose.lean ?? 0) + st * 0.04 + crouch * 0.55
  const body = composeAll(root, translation([sway, -crouch * 0.12, hipZ]), rotationX(-lean), rotationZ(twist))
  m.transform = body
  addTorso(m, look)
  for (const s of [-1, 1]) {
    const sh: Vec3 = [s * 0.168 * look.build, 0, 0.402],
      a = -st * 0.52 * Math.cos(ph * Math.PI * 2 + 0.3) * s,
      handPose = pose.hands?.[s < 0 ? 0 : 1]
    let hand: Vec3 = [
      s * (0.245 + 0.015 * look.build),
      0.03 + Math.sin(a) * 0.46 + Math.max(0, a) * 0.06,
      0.402 - Math.cos(a) * 0.515 + Math.abs(a) * 0.06,
    ]
    if (handPose) {
      const inv = composeAll(rotationZ(-twist), rotationX(lean), translation([-sway, crouch * 0.12, -hipZ]))
      hand = transformPoint(inv, handPose)
    }
    addArm(m, look, s, sh, hand)
  }
  m.transform = composeAll(
    body,
    translation([0, 0.012, 0.655]),
    rotationZ(clamp(pose.look ?? 0, -1.3, 1.3) - twist),
    rotationX(lean * 0.75 - (pose.nod ?? 0)),
  )
  addHead(m, look)
  m.transform = null
  return root
}
