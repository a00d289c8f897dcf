import { listActions, getLightSetup, type Place } from './kit/place.ts'
import { Shot } from './kit/shot.ts'
import { bake } from './kit/stage.ts'
import type { Light, LightManifest, Segment } from './manifest.ts'
import { getBasePath, listed, renderSegment } from './segment.ts'

/**
 * Renders the view of a camera's second lens, with the same actors at the same seconds. Returns the manifest with the
 * inset added. `only`: id of the only segment to render again.
 */
export async function renderInset(place: Place, light: Light, only: string | undefined, part: LightManifest) {
  const shot = insetShot(place, light)
  if (!shot) return part
  const actions = listActions(place, light)
  const segment = async (id: string, seconds: number, best: number, draw: Place['quiet'], old: Segment) => {
    if (only && only !== id) return old.inset
    const files = { inset: `${getBasePath(place, light, id)}.inset.h264` }
    const boxes = await renderSegment(shot, place, files, seconds, draw)
    console.log(`${place.id} ${light} ${id} inset`)
    return { files: { 360: files.inset }, boxes: listed(boxes, best) }
  }
  const quiet = await segment('quiet', part.quiet.frames / 15, 0, place.quiet, part.quiet)
  const out: LightManifest = { ...part, quiet: { ...part.quiet, ...(quiet && { inset: quiet }) }, actions: [] }
  for (const a of part.actions) {
    const action = actions.find(({ id }) => id === a.id)
    const inset = action ? await segment(a.id, action.seconds, action.best, action.draw, a) : a.inset
    out.actions.push({ ...a, ...(inset && { inset }) })
  }
  return out
}

/** Returns the view of the second lens, ready for actors; undefined if the camera has one lens. */
export function insetShot(place: Place, light: Light): Shot | undefined {
  if (!place.inset) return undefined
  const setup = getLightSetup(place, light)!
  const shot = new Shot(bake(place.build(), place.inset, setup, place.centre, place.radius), place.wind)
  shot.skyShare = place.skyShare
  return shot
}
