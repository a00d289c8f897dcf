import type { CameraPlace } from '../../../contract/cameras/camera-areas.ts'
import file from './data/house-areas.json' with { type: 'json' }
import { parseWordList } from './parse-lexicon.ts'

/** Part of a house that several cameras may look at, such as the front. The term is not the name of a camera. */
export interface Area {
  readonly id: CameraPlace
  /** Words with which a query names the area. */
  readonly words: readonly string[]
  /** Words in the names of cameras that look at the area. */
  readonly names: readonly string[]
}

/** Camera areas. Longer phrases are tried before shorter ones. */
export const AREAS: readonly Area[] = file.areas.map(({ id, words, names }) => ({
  id: id as CameraPlace,
  words: parseWordList(words),
  names: parseWordList(names, file.lists),
}))
