import { createHash } from 'node:crypto'
import { DEMO_HOMES } from '../../contract/operator/operator-calls.ts'
import type { Manifest } from '../../scenes/manifest.ts'

export interface VirtualCamera {
  readonly device_id: string
  readonly home: string
  readonly scene: string
  readonly nickname: string
  readonly order: number
}

/** Display order of the scenes. Unlisted scenes follow. */
const SCENE_ORDER = ['driveway', 'front-door', 'backyard', 'living-room', 'street', 'garage']
/** Scene of the only camera in the free demo home. */
const FREE_HOME_SCENE = 'street'

/** Returns a stable camera id. `repetition`: number of earlier cameras with the same scene in the home. */
function createVirtualId(homeId: string, scene: string, repetition: number): string {
  return `PL${createHash('sha256').update(`${homeId}/${scene}/${repetition}`).digest('hex').slice(0, 10).toUpperCase()}`
}

export const isVirtualId = (deviceId: string) => /^PL[0-9A-F]{10}$/.test(deviceId)

/**
 * Returns the virtual cameras: one per scene in the demo owner's home, one in the free demo home, none in other homes.
 * `count` overrides the number in the first of `homes`; scenes repeat if necessary.
 */
export function assignVirtualCameras(
  manifest: Manifest,
  homes: readonly { home_id: string; demo: boolean }[],
  count?: number,
): VirtualCamera[] {
  const names = Object.keys(manifest.scenes)
  const rank = (name: string) => (SCENE_ORDER.includes(name) ? SCENE_ORDER.indexOf(name) : SCENE_ORDER.length)
  const scenes = names.sort((a, b) => rank(a) - rank(b))
  const freeScene = names.includes(FREE_HOME_SCENE) ? FREE_HOME_SCENE : scenes[0]
  return homes.flatMap(({ home_id: home, demo }, index) => {
    if (index === 0 && count !== undefined) return createVirtualCameras(manifest, home, scenes, count)
    if (demo && home === DEMO_HOMES.owner) return createVirtualCameras(manifest, home, scenes, scenes.length)
    if (demo && home === DEMO_HOMES.free && freeScene) return createVirtualCameras(manifest, home, [freeScene], 1)
    return []
  })
}

function createVirtualCameras(
  manifest: Manifest,
  homeId: string,
  scenes: readonly string[],
  count: number,
): VirtualCamera[] {
  return Array.from({ length: count }, (_, order) => {
    const scene = scenes[order % scenes.length] ?? ''
    const repetition = Math.floor(order / scenes.length)
    const name = manifest.scenes[scene]?.name ?? scene
    return {
      device_id: createVirtualId(homeId, scene, repetition),
      home: homeId,
      scene,
      nickname: repetition === 0 ? name : `${name} ${repetition + 1}`,
      order,
    }
  })
}
