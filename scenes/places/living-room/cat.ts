import { addCat, addPaleCat } from '../../kit/animals.ts'
import type { AnimalPose } from '../../kit/beast-types.ts'
import { getAnimalPose, type AnimalKeyframe } from '../../kit/prowl.ts'
import type { Shot } from '../../kit/shot.ts'
import { SEAT_HEIGHT, SILL_HEIGHT } from './view.ts'

export const HEADING_TO_CAMERA = -Math.PI / 2

export function drawGingerCat(s: Shot, keys: AnimalKeyframe[], t: number, overrides: Partial<AnimalPose> = {}): void {
  const g = getAnimalPose(keys, t)
  if (!g) return
  s.addContactShadow(g.at, 0.27, 0.13, g.heading, 0.5)
  s.addActor('pet', (m) => (s.isNight ? addPaleCat : addCat)(m, { ...g, wag: 0.15 * (g.sit ?? 0), ...overrides }))
}

export const SILL_KEYFRAMES: AnimalKeyframe[] = [
  { t: 0.8, at: [3.1, 2.3, 0] },
  { t: 3.6, at: [0.6, 1.7, 0] },
  { t: 6, at: [-1.7, 2.35, 0] },
  { t: 6.9, at: [-1.9, 2.4, 0], face: Math.PI },
  { t: 7.6, at: [-1.9, 2.4, 0], face: Math.PI },
  { t: 8.3, at: [-2.83, 2.45, SILL_HEIGHT], face: Math.PI * 0.75 },
  { t: 9.2, at: [-2.83, 2.46, SILL_HEIGHT], face: Math.PI * 0.8, sit: 1 },
  { t: 11, at: [-2.83, 2.46, SILL_HEIGHT], face: Math.PI * 0.8, sit: 1, look: -0.5, nod: 0.4 },
  { t: 12.6, at: [-2.83, 2.46, SILL_HEIGHT], face: Math.PI * 0.8, sit: 1, look: -1.1 },
  { t: 14, at: [-2.83, 2.46, SILL_HEIGHT], face: 0.1 },
  { t: 14.8, at: [-2.83, 2.46, SILL_HEIGHT], face: -0.1 },
  { t: 15.5, at: [-1.7, 2.3, 0] },
  { t: 19, at: [3.1, 1.9, 0] },
]

export const NAP_KEYFRAMES: AnimalKeyframe[] = [
  { t: 0.8, at: [3.1, 2.1, 0] },
  { t: 3.6, at: [1, 3.2, 0] },
  { t: 4.8, at: [0.15, 3.5, 0] },
  { t: 5.6, at: [0.15, 3.5, 0], face: Math.PI / 2 },
  { t: 6.3, at: [0.1, 4.25, SEAT_HEIGHT], face: 2.6 },
  { t: 7.6, at: [0, 4.26, SEAT_HEIGHT], face: 3.6 },
  { t: 9, at: [0.02, 4.26, SEAT_HEIGHT], face: 4.6, lie: 1, sit: 0.3 },
  { t: 11, at: [0.02, 4.26, SEAT_HEIGHT], face: 4.7, lie: 1, sit: 0.3, look: 0.7, nod: 0.5 },
  { t: 13.2, at: [0.02, 4.26, SEAT_HEIGHT], face: 4.7, lie: 1, sit: 0.3, nod: -0.5 },
  { t: 14.6, at: [0.02, 4.26, SEAT_HEIGHT], face: HEADING_TO_CAMERA },
  { t: 15.3, at: [0.05, 4.24, SEAT_HEIGHT], face: HEADING_TO_CAMERA },
  { t: 16, at: [0.3, 3.3, 0] },
  { t: 19, at: [3.1, 2, 0] },
]
export const DASH_KEYFRAMES: AnimalKeyframe[] = [
  { t: 1, at: [3.1, 2, 0], run: 1.8 },
  { t: 2.6, at: [-1.9, 1.4, 0], run: 1.8 },
  { t: 3.4, at: [-2, 3.1, 0], run: 1.6 },
  { t: 3.9, at: [-1.25, 4.2, SEAT_HEIGHT], run: 1.5 },
  { t: 4.6, at: [0.2, 4.25, SEAT_HEIGHT], run: 1.5 },
  { t: 5.2, at: [0.9, 3.3, 0], run: 1.6 },
  { t: 5.8, at: [0.6, 2.3, 0], run: 1.5 },
  { t: 6.4, at: [-0.4, 2.92, 0.415] },
  { t: 7.4, at: [-0.4, 2.93, 0.415], face: -0.9, sit: 0.9 },
  { t: 9.2, at: [-0.4, 2.93, 0.415], face: -0.9, sit: 1, look: 0.2, nod: 0.6 },
  { t: 11, at: [-0.4, 2.93, 0.415], face: -0.9, sit: 1, look: -0.9, nod: 0.2 },
  { t: 12, at: [-0.4, 2.93, 0.415], face: -0.6 },
  { t: 12.6, at: [-0.4, 2.93, 0.415], face: -0.6 },
  { t: 13.2, at: [0.6, 2.1, 0], run: 1.8 },
  { t: 14.2, at: [-1.6, 1.4, 0], run: 1.8 },
  { t: 15.2, at: [-1.4, 3.6, 0], run: 1.8 },
  { t: 16.8, at: [1.7, 3.2, 0], run: 1.8 },
  { t: 17.8, at: [3.2, 1.9, 0] },
]
