import { composeAll, translation, smoothstep, rotationX } from '../../kit/math.ts'
import { addBox, createMaterial, type Mesh } from '../../kit/mesh.ts'
import type { Shot } from '../../kit/shot.ts'
import { STEEL } from './paints.ts'
import { DOOR_SIZE } from './view.ts'

const PANEL = createMaterial(0.56, 0.57, 0.56),
  GROOVE = createMaterial(0.4, 0.41, 0.41)
/** Adds the sectional garage door. `u`: openness, from 0 (closed) to 1 (open). */
function addGarageDoor(m: Mesh, u: number): void {
  for (let k = 0; k < 4; k++) {
    const s = k * 0.55 + 0.275 + u * 2.3,
      bend = smoothstep(DOOR_SIZE.top - 0.2, DOOR_SIZE.top + 0.25, s),
      y = 0.06 + Math.max(0, s - DOOR_SIZE.top) * 0.98,
      z = s < DOOR_SIZE.top ? s : DOOR_SIZE.top + 0.16
    m.transform = composeAll(translation([0, y, Math.min(z, DOOR_SIZE.top + 0.16)]), rotationX(-bend * 1.53))
    addBox(m, PANEL, [-2.44, -0.02, -0.272], [2.44, 0.02, 0.272], 0.4)
    for (let i = 0; i < 6; i++) {
      const x = -2.2 + i * 0.8
      addBox(m, GROOVE, [x - 0.32, 0.02, -0.18], [x + 0.32, 0.024, 0.18])
      addBox(m, PANEL, [x - 0.29, 0.022, -0.15], [x + 0.29, 0.03, 0.15])
    }
    addBox(m, STEEL, [-2.44, 0.02, -0.274], [2.44, 0.032, -0.25])
  }
  m.transform = null
}

/**
 * Draws the garage door. The door starts to open at second `openAt` and to close at second `closeAt`. Each movement
 * takes four seconds. `maxOpenness`: maximum opening, 0 to 1.
 */
export function drawGarageDoor(s: Shot, t: number, openAt: number, closeAt: number, maxOpenness = 1): void {
  const u = maxOpenness * smoothstep(openAt, openAt + 4, t) * (1 - smoothstep(closeAt, closeAt + 4, t))
  s.doorOpenness = u
  s.addActor('', (m) => addGarageDoor(m, u))
}
