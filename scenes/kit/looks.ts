import { createMaterial } from './mesh.ts'
import type { PersonLook } from './person-types.ts'

const lightSkin = createMaterial(0.72, 0.47, 0.35, { ir: 0.62 }),
  tanSkin = createMaterial(0.52, 0.32, 0.21, { ir: 0.6 }),
  brownSkin = createMaterial(0.27, 0.15, 0.09, { ir: 0.56 })
const denim = createMaterial(0.07, 0.11, 0.21, { ir: 0.34 }),
  black = createMaterial(0.03, 0.03, 0.035, { ir: 0.2 }),
  white = createMaterial(0.8, 0.8, 0.78),
  gray = createMaterial(0.2, 0.2, 0.22),
  khaki = createMaterial(0.36, 0.28, 0.17)

const createLook = (o: Partial<PersonLook> & Pick<PersonLook, 'top'>): PersonLook => ({
  height: 1.76,
  build: 1,
  skin: lightSkin,
  hair: createMaterial(0.07, 0.04, 0.025),
  style: 'short',
  sleeve: o.top,
  trousers: denim,
  shoes: black,
  ...o,
})

export const courierLook = createLook({
  top: createMaterial(0.035, 0.12, 0.4, { ir: 0.4 }),
  trousers: createMaterial(0.05, 0.055, 0.08),
  style: 'cap',
  cap: createMaterial(0.03, 0.1, 0.36, { ir: 0.4 }),
  stripe: createMaterial(0.75, 0.78, 0.72, { ir: 1.1 }),
  skin: tanSkin,
  height: 1.8,
  build: 1.05,
})
export const mayaLook = createLook({
  top: createMaterial(0.68, 0.36, 0.04, { ir: 0.6 }),
  style: 'long',
  hair: createMaterial(0.045, 0.025, 0.018),
  skin: tanSkin,
  height: 1.68,
  build: 0.9,
  skirt: true,
  shoes: white,
  trim: createMaterial(0.12, 0.06, 0.03),
})
export const samLook = createLook({
  top: createMaterial(0.05, 0.2, 0.12, { ir: 0.45 }),
  trousers: khaki,
  hair: createMaterial(0.24, 0.1, 0.035),
  beard: true,
  glasses: true,
  height: 1.83,
  build: 1.08,
  shoes: createMaterial(0.2, 0.09, 0.04),
})
export const neighborLook = createLook({
  top: createMaterial(0.5, 0.06, 0.06, { ir: 0.5 }),
  style: 'bob',
  hair: createMaterial(0.5, 0.49, 0.48),
  trousers: gray,
  height: 1.63,
  build: 1,
  trim: white,
})
export const joggerLook = createLook({
  top: createMaterial(0.85, 0.22, 0.03, { ir: 0.7 }),
  sleeve: lightSkin,
  trousers: black,
  style: 'bun',
  hair: createMaterial(0.35, 0.2, 0.07),
  shoes: white,
  height: 1.7,
  build: 0.9,
})
export const childLook = createLook({
  top: createMaterial(0.75, 0.12, 0.28, { ir: 0.6 }),
  style: 'helmet',
  cap: createMaterial(0.9, 0.75, 0.1),
  height: 1.22,
  build: 1.02,
  shoes: white,
  trousers: denim,
})
export const cyclistLook = createLook({
  top: createMaterial(0.5, 0.7, 0.06, { ir: 0.8 }),
  sleeve: brownSkin,
  skin: brownSkin,
  style: 'helmet',
  cap: createMaterial(0.12, 0.12, 0.13, { gloss: 0.3 }),
  trousers: black,
  height: 1.78,
})
export const passerbyLook = createLook({
  top: createMaterial(0.45, 0.29, 0.15, { ir: 0.5 }),
  style: 'bob',
  hair: createMaterial(0.2, 0.09, 0.04),
  trousers: black,
  skirt: true,
  height: 1.7,
  build: 0.95,
  trim: black,
})
const paleCloth = createMaterial(0.66, 0.56, 0.42)
/** Returns a look in pale clothes for nights in color, because the captions of all nights call them pale. */
export const withPaleCoat = (look: PersonLook): PersonLook => ({ ...look, top: paleCloth, sleeve: paleCloth })
export const strangerLook = createLook({
  top: createMaterial(0.12, 0.13, 0.15, { ir: 0.3 }),
  trousers: black,
  hair: createMaterial(0.03, 0.025, 0.02),
  skin: brownSkin,
  height: 1.82,
})
export const kidLook = createLook({
  top: createMaterial(0.85, 0.62, 0.05, { ir: 0.7 }),
  style: 'bob',
  hair: createMaterial(0.3, 0.17, 0.06),
  height: 1.15,
  build: 1,
  shoes: createMaterial(0.6, 0.07, 0.06),
  trousers: createMaterial(0.12, 0.2, 0.4),
})
