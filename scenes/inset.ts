import { listActions, getLightSetup, type Place } from './kit/place.ts'
import { Shot } from './kit/shot.ts'
import { bakeStaticImage } from './kit/stage.ts'
import type { TimeOfDay, LightManifest, Segment } from './manifest.ts'
import { getBasePath, selectBoxes, renderSegment } from './segment.ts'

/**
 * Renders the view of a camera's second lens, with the same actors at the same times. Returns the manifest with the
 * insets added; unchanged if the camera has one lens. `only`: if given, renders only the segment with this id and keeps
 * the insets of all other segments.
 */
export async function renderInset(place: Place, light: TimeOfDay, only: string | undefined, manifest: LightManifest) {
  const shot = createInsetShot(place, light)
  if (!shot) return manifest
  const actions = listActions(place, light)
  const segment = async (id: string, seconds: number, best: number, draw: Place['quiet'], old: Segment) => {
    if (only && only !== id) return old.inset
    const files = { inset: `${getBasePath(place, light, id)}.inset.h264` }
    const boxes = await renderSegment(shot, place, files, seconds, draw)
    console.log(`${place.id} ${light} ${id} inset`)
    return { files: { 360: files.inset }, boxes: selectBoxes(boxes, best) }
  }
  const quiet = await segment('quiet', manifest.quiet.frames / 15, 0, place.quiet, manifest.quiet)
  const out: LightManifest = { ...manifest, quiet: { ...manifest.quiet, ...(quiet && { inset: quiet }) }, actions: [] }
  for (const a of manifest.actions) {
    const action = actions.find(({ id }) => id === a.id)
    const inset = action ? await segment(a.id, action.seconds, action.best, action.draw, a) : a.inset
    out.actions.push({ ...a, ...(inset && { inset }) })
  }
  return out
}

/** Returns the view of the second lens, ready for actors; undefined if the camera has one lens. */
export function createInsetShot(place: Place, light: TimeOfDay): Shot | undefined {
  if (!place.inset) return undefined
  const setup = getLightSetup(place, light)!
  const shot = new Shot(bakeStaticImage(place.build(), place.inset, setup, place.center, place.radius), place.wind)
  shot.skyShare = place.skyShare
  return shot
}
