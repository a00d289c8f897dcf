import { fbm, rng, type Vec3 } from '../../kit/math.ts'
import { addBox, createMaterial, type Material, type Mesh } from '../../kit/mesh.ts'
import { addBall, addLoft, addTube } from '../../kit/shapes.ts'
import { createBoards } from '../../kit/textures.ts'

const OAK = createBoards([0.4, 0.26, 0.14], 0.3)
export function addTable(m: Mesh): void {
  const rug: Material = {
    color: [0.5, 0.44, 0.36],
    texture: (p) => {
      const r = Math.abs((((p[0] + 0.5) * 2.2) % 1) - 0.5) + Math.abs(((p[1] * 2.2) % 1) - 0.5),
        e = Math.max(Math.abs(p[0] + 0.5) / 1.5, Math.abs(p[1] - 2.75) / 1)
      return e > 0.92 ? [0.42, 0.2, 0.14] : r < 0.28 ? [0.42, 0.22, 0.16] : [0.52, 0.46, 0.38]
    },
  }
  addBox(m, rug, [-2, 1.75, 0], [1, 3.75, 0.015], 0.12)
  addLoft(
    m,
    OAK,
    [
      { c: [-0.45, 2.95, 0.36], x: [0.62, 0, 0], y: [0, 0.34, 0], e: 3 },
      { c: [-0.45, 2.95, 0.41], x: [0.62, 0, 0], y: [0, 0.34, 0], e: 3 },
    ],
    30,
  )
  for (const [x, y] of [
    [-0.9, 2.75],
    [0, 2.75],
    [-0.9, 3.15],
    [0, 3.15],
  ] as const)
    addTube(
      m,
      OAK,
      [
        [x, y, 0.02],
        [x, y, 0.36],
      ],
      [0.018, 0.025],
      7,
    )
  addBox(m, createMaterial(0.5, 0.1, 0.08), [-0.72, 2.85, 0.41], [-0.45, 3.05, 0.44])
  addBox(m, createMaterial(0.75, 0.72, 0.65), [-0.7, 2.86, 0.44], [-0.47, 3.03, 0.465])
}

export function addBookcase(m: Mesh): void {
  const r = rng(12),
    spines = [
      createMaterial(0.5, 0.1, 0.07),
      createMaterial(0.08, 0.2, 0.34),
      createMaterial(0.6, 0.45, 0.12),
      createMaterial(0.12, 0.3, 0.2),
      createMaterial(0.6, 0.58, 0.52),
      createMaterial(0.3, 0.14, 0.22),
    ]
  addBox(m, OAK, [1.35, 4.62, 0], [1.4, 4.98, 2.1])
  addBox(m, OAK, [2.75, 4.62, 0], [2.8, 4.98, 2.1])
  addBox(m, createMaterial(0.22, 0.14, 0.08), [1.4, 4.94, 0], [2.75, 4.98, 2.1])
  for (let k = 0; k < 6; k++) {
    const z = 0.08 + k * 0.4
    addBox(m, OAK, [1.4, 4.62, z], [2.75, 4.96, z + 0.03])
    if (k === 5) continue
    for (let x = 1.43; x < 2.68;) {
      const w = 0.03 + r() * 0.035,
        h = 0.22 + r() * 0.1
      if (r() < 0.86) addBox(m, spines[Math.floor(r() * 6)]!, [x, 4.68, z + 0.03], [x + w - 0.004, 4.93, z + 0.03 + h])
      else x += 0.08
      x += w
    }
  }
}

export function addPictures(m: Mesh): void {
  for (const [x, z, w, h, c] of [
    [-1.1, 1.5, 0.5, 0.66, [0.6, 0.32, 0.16]],
    [-0.42, 1.66, 0.36, 0.36, [0.2, 0.36, 0.44]],
    [0.1, 1.48, 0.42, 0.56, [0.66, 0.56, 0.24]],
  ] as [number, number, number, number, Vec3][]) {
    addBox(m, createMaterial(0.1, 0.08, 0.06), [x, 4.955, z], [x + w, 4.995, z + h])
    addBox(m, createMaterial(0.75, 0.73, 0.68), [x + 0.03, 4.95, z + 0.03], [x + w - 0.03, 4.99, z + h - 0.03])
    addBox(
      m,
      {
        color: c,
        texture: (p) => {
          const f = fbm(p[0] * 5, p[2] * 7, 3)
          return f > 0.52 ? c : [c[2], c[0] * 0.8, c[1]]
        },
      },
      [x + 0.08, 4.945, z + 0.08],
      [x + w - 0.08, 4.985, z + h - 0.08],
    )
  }
}

export function addLamp(m: Mesh): void {
  addTube(
    m,
    createMaterial(0.08, 0.07, 0.06),
    [
      [-2.3, 4.6, 0],
      [-2.3, 4.6, 1.5],
    ],
    [0.02, 0.014],
    8,
  )
  addLoft(
    m,
    createMaterial(0.7, 0.62, 0.48, { glow: 0.12, duskGlow: 1.1, nightGlow: 1.5, glowColor: [1, 0.74, 0.42] }),
    [
      { c: [-2.3, 4.6, 1.42], x: [0.24, 0, 0], y: [0, 0.24, 0] },
      { c: [-2.3, 4.6, 1.74], x: [0.15, 0, 0], y: [0, 0.15, 0] },
    ],
    24,
  )
  addBall(m, createMaterial(0.08, 0.07, 0.06), [-2.3, 4.6, 0.0], [0.15, 0.15, 0.03], 14)
}
