import type { CameraArea } from '../../../contract/cameras/camera-areas.ts'
import file from './data/house-areas.json' with { type: 'json' }
import { parseWordList } from './parse-lexicon.ts'

/** Camera area: part of a house, such as the front, that several cameras may show. */
export interface HouseArea {
  readonly id: CameraArea
  /** Words that name the area in a query. */
  readonly words: readonly string[]
  /** Words in the names of cameras that show the area. */
  readonly names: readonly string[]
}

export const HOUSE_AREAS: readonly HouseArea[] = file.areas.map(({ id, words, names }) => ({
  id: id as CameraArea,
  words: parseWordList(words),
  names: parseWordList(names, file.lists),
}))
