import { addGround } from '../../kit/building.ts'
import { fbm, rng, type Vec3 } from '../../kit/math.ts'
import { Mesh, addBox, createMaterial, addQuad, type Material } from '../../kit/mesh.ts'
import { addBush, addCrown, createLeafMaterials } from '../../kit/nature.ts'
import { addLoft, addTube } from '../../kit/shapes.ts'
import { createPlanks } from '../../kit/textures.ts'
import { addBookcase, addLamp, addPictures, addTable } from './furniture.ts'
import { addSofa } from './sofa.ts'
import { SILL_HEIGHT } from './view.ts'
import { addCurtains, addOutsideView } from './window.ts'

function addRoom(m: Mesh): void {
  const wall = createMaterial(0.56, 0.56, 0.5),
    trim = createMaterial(0.74, 0.73, 0.7),
    paper: Material = {
      color: [0.2, 0.3, 0.29],
      texture: (p) => {
        const k = 0.92 + 0.14 * fbm(p[0] * 0.8, p[2] * 0.8, 2)
        return [0.2 * k, 0.3 * k, 0.29 * k]
      },
    }
  addGround(m, createPlanks([0.36, 0.22, 0.12]), -3, -0.5, 3.3, 5, 0, 0.25)
  addQuad(m, paper, [-3, 5, 0], [3.3, 5, 0], [3.3, 5, 2.6], [-3, 5, 2.6], 12, 8)
  addQuad(m, wall, [3.3, 5, 0], [3.3, -0.5, 0], [3.3, -0.5, 2.6], [3.3, 5, 2.6], 12, 8)
  addQuad(m, createMaterial(0.8, 0.8, 0.78), [-3, 5, 2.6], [3.3, 5, 2.6], [3.3, -0.5, 2.6], [-3, -0.5, 2.6], 12, 12)
  const w = (y0: number, z0: number, y1: number, z1: number): void => addBox(m, wall, [-3.2, y0, z0], [-3, y1, z1], 0.4)
  w(-0.5, 0, 1.5, 2.6)
  w(3.7, 0, 5.2, 2.6)
  w(1.5, 0, 3.7, 0.85)
  w(1.5, 2.2, 3.7, 2.6)
  addBox(m, trim, [-3.02, 1.35, 0.78], [-2.66, 3.85, 0.85])
  for (const y of [1.42, 3.7]) addBox(m, trim, [-3.1, y - 0.04, 0.85], [-2.95, y + 0.08, 2.24])
  addBox(m, trim, [-3.1, 1.4, 2.2], [-2.95, 3.8, 2.28])
  addBox(m, trim, [-3.12, 2.58, 0.85], [-3.06, 2.64, 2.2])
  addBox(m, trim, [-3.12, 1.5, 1.72], [-3.06, 3.7, 1.76])
  addBox(m, trim, [-3, 4.97, 0], [3.3, 5, 0.1])
  addBox(m, trim, [-3, -0.5, 0], [-2.98, 5, 0.1])
}

function addPlants(m: Mesh): void {
  const pot = createMaterial(0.62, 0.6, 0.56),
    g = createLeafMaterials([0.09, 0.24, 0.07], 0.35),
    r = rng(6)
  addLoft(
    m,
    pot,
    [
      { c: [-2.55, 0.75, 0], x: [0.17, 0, 0], y: [0, 0.17, 0] },
      { c: [-2.55, 0.75, 0.4], x: [0.22, 0, 0], y: [0, 0.22, 0] },
    ],
    20,
  )
  for (let i = 0; i < 9; i++) {
    const a = i * 2.4,
      k = 0.25 + 0.1 * (i % 3),
      p: Vec3 = [-2.55 + Math.cos(a) * k, 0.75 + Math.sin(a) * k, 0.95 + 0.14 * (i % 4)]
    addTube(
      m,
      createMaterial(0.1, 0.2, 0.06),
      [[-2.55, 0.75, 0.4], [-2.55 + Math.cos(a) * k * 0.4, 0.75 + Math.sin(a) * k * 0.4, 0.85], p],
      [0.012, 0.01, 0.008],
      5,
    )
    addCrown(m, g, p, [0.16, 0.16, 0.1], 46, 0.12, r)
  }
  addLoft(
    m,
    createMaterial(0.5, 0.25, 0.16),
    [
      { c: [-2.84, 3.5, SILL_HEIGHT], x: [0.07, 0, 0], y: [0, 0.07, 0] },
      { c: [-2.84, 3.5, SILL_HEIGHT + 0.13], x: [0.09, 0, 0], y: [0, 0.09, 0] },
    ],
    16,
  )
  addBush(m, createLeafMaterials([0.16, 0.32, 0.1], 0.3), [-2.84, 3.5, SILL_HEIGHT + 0.1], 0.11, 3, 160, 0.04)
}

export function build(): Mesh {
  const m = new Mesh()
  addRoom(m)
  addCurtains(m)
  addSofa(m)
  addTable(m)
  addBookcase(m)
  addPictures(m)
  addLamp(m)
  addPlants(m)
  addOutsideView(m)
  return m
}
