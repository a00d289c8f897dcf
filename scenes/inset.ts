import { listActions, getLightSetup, type Scene } from './kit/place.ts'
import { Shot } from './kit/shot.ts'
import { bakeStaticImage } from './kit/stage.ts'
import type { TimeOfDay, LightManifest, Segment } from './manifest.ts'
import { getBasePath, selectBoxes, renderSegment } from './segment.ts'

/**
 * Renders the view of a camera's second lens, with the same actors at the same times. Returns the manifest with the
 * insets added; unchanged if the camera has one lens. `onlySegmentId`: if given, renders only the segment with this id
 * and keeps the insets of all other segments.
 */
export async function renderInset(
  scene: Scene,
  timeOfDay: TimeOfDay,
  onlySegmentId: string | undefined,
  manifest: LightManifest,
) {
  const shot = createInsetShot(scene, timeOfDay)
  if (!shot) return manifest
  const actions = listActions(scene, timeOfDay)
  const renderSegmentInset = async (
    id: string,
    seconds: number,
    best: number,
    draw: Scene['quiet'],
    oldSegment: Segment,
  ) => {
    if (onlySegmentId && onlySegmentId !== id) return oldSegment.inset
    const files = { inset: `${getBasePath(scene, timeOfDay, id)}.inset.h264` }
    const boxes = await renderSegment(shot, scene, files, seconds, draw)
    console.log(`${scene.id} ${timeOfDay} ${id} inset`)
    return { files: { 360: files.inset }, boxes: selectBoxes(boxes, best) }
  }
  const quiet = await renderSegmentInset('quiet', manifest.quiet.frames / 15, 0, scene.quiet, manifest.quiet)
  const result: LightManifest = {
    ...manifest,
    quiet: { ...manifest.quiet, ...(quiet && { inset: quiet }) },
    actions: [],
  }
  for (const a of manifest.actions) {
    const action = actions.find(({ id }) => id === a.id)
    const inset = action ? await renderSegmentInset(a.id, action.seconds, action.best, action.draw, a) : a.inset
    result.actions.push({ ...a, ...(inset && { inset }) })
  }
  return result
}

/** Returns the `Shot` of the second lens, with its static image; undefined if the camera has one lens. */
export function createInsetShot(scene: Scene, timeOfDay: TimeOfDay): Shot | undefined {
  if (!scene.inset) return undefined
  const setup = getLightSetup(scene, timeOfDay)!
  const shot = new Shot(bakeStaticImage(scene.build(), scene.inset, setup, scene.center, scene.radius), scene.wind)
  shot.skyShare = scene.skyShare
  return shot
}
