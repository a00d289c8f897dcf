import { addGround } from '../../kit/building.ts'
import { fbm, smoothstep, type Vec3 } from '../../kit/math.ts'
import { Mesh, addBox, createMaterial, addQuad, type Material } from '../../kit/mesh.ts'
import { addTube } from '../../kit/shapes.ts'
import { addWorkbench } from './bench.ts'
import { addOutsideView } from './beyond.ts'
import { addLadder, addShelf, addTools, addTires } from './clutter.ts'
import { STEEL, WALL } from './paints.ts'
import { DOOR_SIZE } from './view.ts'

function addShell(m: Mesh): void {
  const floor: Material = {
    color: [0.34, 0.34, 0.33],
    gloss: 0.06,
    texture: (p) => {
      const stain =
          smoothstep(0.7, 0.1, Math.hypot((p[0] - 0.2) / 1, (p[1] - 3) / 1.3)) * 0.35 * fbm(p[0] * 3, p[1] * 3, 3),
        k = 0.88 + 0.2 * fbm(p[0] * 1.2, p[1] * 1.2, 4) - stain
      return [0.34 * k, 0.34 * k, 0.33 * k]
    },
  }
  addGround(m, floor, -3.1, 0, 3.4, 6.6, 0, 0.25)
  const wall = (lo: Vec3, hi: Vec3): void => addBox(m, WALL, lo, hi, 0.4)
  wall([-3.4, -0.2, 0], [-DOOR_SIZE.half, 0, 2.7])
  wall([DOOR_SIZE.half, -0.2, 0], [3.4, 0, 2.7])
  wall([-DOOR_SIZE.half, -0.2, DOOR_SIZE.top], [DOOR_SIZE.half, 0, 2.7])
  wall([-3.3, 0, 0], [-3.1, 2.3, 2.7])
  wall([-3.3, 3.8, 0], [-3.1, 6.6, 2.7])
  wall([-3.3, 2.3, 0], [-3.1, 3.8, 1.25])
  wall([-3.3, 2.3, 2.05], [-3.1, 3.8, 2.7])
  addQuad(m, WALL, [3.4, 6.6, 0], [3.4, 0, 0], [3.4, 0, 2.7], [3.4, 6.6, 2.7], 12, 8)
  addQuad(m, createMaterial(0.62, 0.62, 0.6), [-3.1, 6.6, 2.7], [3.4, 6.6, 2.7], [3.4, 0, 2.7], [-3.1, 0, 2.7], 12, 12)
  for (const [a, b, c, d] of [
    [2.26, 1.21, 2.3, 2.09],
    [3.8, 1.21, 3.84, 2.09],
    [2.26, 2.05, 3.84, 2.09],
    [2.26, 1.21, 3.84, 1.25],
    [3.03, 1.25, 3.07, 2.05],
  ] as const)
    addBox(m, createMaterial(0.75, 0.75, 0.73), [-3.2, a, b], [-3.06, c, d])
  for (const x of [-2.5, 2.5]) {
    addTube(
      m,
      STEEL,
      [
        [x, 0.08, 0],
        [x, 0.08, 2.1],
        [x, 0.35, 2.36],
        [x, 2.7, 2.4],
      ],
      [0.03, 0.03, 0.03, 0.03],
      6,
    )
  }
  addBox(m, STEEL, [-0.06, 0.2, 2.44], [0.06, 3.4, 2.5])
  addBox(m, createMaterial(0.6, 0.6, 0.6), [-0.2, 3.2, 2.36], [0.2, 3.7, 2.6])
  for (const x of [-1.6, 1.4])
    addBox(m, createMaterial(0.95, 0.95, 0.92, { glow: 1.3, nightGlow: 0 }), [x - 0.06, 2, 2.62], [x + 0.06, 3.5, 2.68])
}

export function build(): Mesh {
  const m = new Mesh()
  addShell(m)
  addWorkbench(m)
  addTires(m)
  addShelf(m)
  addLadder(m)
  addTools(m)
  addOutsideView(m)
  return m
}
