import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { splitPictures } from '../../bridge/h264/annex-b.ts'
import { SceneLibrary } from '../../bridge/virtual/scene-library.ts'

/** The rendered scenes of the repository. */
const SCENES = fileURLToPath(new URL('../../scenes/', import.meta.url))
export const library = await SceneLibrary.open(SCENES)

/** An action of the driveway, as the file holds it. */
export const ACTION = library.action('driveway', 'day', library.scene('driveway').lights.day.actions[0]?.id ?? '')
export const STREAM = readFileSync(`${SCENES}${ACTION.files['360'] ?? ''}`)
export const PICTURES = splitPictures(STREAM)

/** Annex-B bytes of NAL units. */
export function annexB(nals: readonly Buffer[], startCode = [0, 0, 0, 1]): Buffer {
  return Buffer.concat(nals.flatMap((nal) => [Buffer.from(startCode), nal]))
}
