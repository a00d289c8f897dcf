import type { AnimalSpecies, AnimalPose } from './beast-types.ts'
import { addAnimal } from './beast.ts'
import type { Mat } from './math.ts'
import { createMaterial, type Mesh } from './mesh.ts'

const BLACK = createMaterial(0.02, 0.018, 0.016, { ir: 0.06, gloss: 0.3 }),
  CREAM = createMaterial(0.72, 0.6, 0.42, { ir: 0.85 }),
  EYE_SHINE = createMaterial(0.05, 0.04, 0.03, { gloss: 0.4, nightGlow: 1.6 })
const GOLD = createMaterial(0.52, 0.29, 0.1, { ir: 0.62 }),
  RUST = createMaterial(0.5, 0.17, 0.04, { ir: 0.55 }),
  GRAY = createMaterial(0.2, 0.19, 0.18, { ir: 0.45 }),
  GINGER = createMaterial(0.55, 0.27, 0.08, { ir: 0.62 })

const GOLDEN_RETRIEVER: AnimalSpecies = {
  size: 0.72,
  leg: 0.5,
  thick: 0.2,
  neck: 0.24,
  muzzle: 0.1,
  ears: 'floppy',
  coat: GOLD,
  belly: CREAM,
  socks: GOLD,
  face: createMaterial(0.58, 0.36, 0.15, { ir: 0.7 }),
  nose: BLACK,
  eye: EYE_SHINE,
  tail: { len: 0.42, r: 0.045, tip: CREAM, up: 0.7 },
}
const FOX: AnimalSpecies = {
  size: 0.56,
  leg: 0.33,
  thick: 0.135,
  neck: 0.16,
  muzzle: 0.11,
  ears: 'pointed',
  coat: RUST,
  belly: CREAM,
  socks: BLACK,
  face: createMaterial(0.6, 0.3, 0.12, { ir: 0.7 }),
  nose: BLACK,
  eye: EYE_SHINE,
  tail: { len: 0.46, r: 0.06, tip: CREAM, up: -0.25 },
}
const TABBY_CAT: AnimalSpecies = {
  size: 0.42,
  leg: 0.235,
  thick: 0.12,
  neck: 0.12,
  muzzle: 0.014,
  ears: 'pointed',
  coat: GINGER,
  belly: CREAM,
  socks: CREAM,
  face: createMaterial(0.62, 0.42, 0.2, { ir: 0.7 }),
  nose: createMaterial(0.5, 0.2, 0.18),
  eye: EYE_SHINE,
  tail: { len: 0.4, r: 0.026, tip: GINGER, up: 1 },
}
export const GRAY_CAT: AnimalSpecies = {
  ...TABBY_CAT,
  coat: GRAY,
  face: createMaterial(0.28, 0.27, 0.26),
  socks: GRAY,
  tail: { len: 0.34, r: 0.022, tip: GRAY, up: 1 },
}

/** Paler animals for nights in color, because the captions of all nights call them pale. */
const PALE_FUR = createMaterial(0.62, 0.52, 0.4),
  PALE_FOX: AnimalSpecies = { ...FOX, coat: createMaterial(0.56, 0.36, 0.2), face: PALE_FUR },
  PALE_CAT: AnimalSpecies = { ...TABBY_CAT, coat: PALE_FUR, face: CREAM, tail: { ...TABBY_CAT.tail, tip: PALE_FUR } }

export const addFox = (m: Mesh, P: AnimalPose): Mat => addAnimal(m, FOX, P)
export const addDog = (m: Mesh, P: AnimalPose): Mat => addAnimal(m, GOLDEN_RETRIEVER, P)
export const addCat = (m: Mesh, P: AnimalPose): Mat => addAnimal(m, TABBY_CAT, P)
export const addPaleFox = (m: Mesh, P: AnimalPose): Mat => addAnimal(m, PALE_FOX, P)
export const addPaleCat = (m: Mesh, P: AnimalPose): Mat => addAnimal(m, PALE_CAT, P)
