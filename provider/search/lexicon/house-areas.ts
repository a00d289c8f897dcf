import type { CameraArea } from '../../../contract/cameras/camera-areas.ts'
import file from './data/house-areas.json' with { type: 'json' }
import { parseWordList } from './parse-lexicon.ts'

/** Part of a house that several cameras may look at, such as the front. An area is not the name of a camera. */
export interface HouseArea {
  readonly id: CameraArea
  /** Words with which a query names the area. */
  readonly words: readonly string[]
  /** Words that occur in the names of cameras that look at the area. */
  readonly names: readonly string[]
}

/** All house areas that a query can name. */
export const HOUSE_AREAS: readonly HouseArea[] = file.areas.map(({ id, words, names }) => ({
  id: id as CameraArea,
  words: parseWordList(words),
  names: parseWordList(names, file.lists),
}))
