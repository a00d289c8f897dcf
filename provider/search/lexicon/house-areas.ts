import type { CameraPlace } from '../../../contract/cameras/camera-areas.ts'
import file from './data/house-areas.json' with { type: 'json' }
import { parseWordList } from './parse-lexicon.ts'

/** Camera area: no camera is named after it, but several may look at it. */
export interface Area {
  readonly id: CameraPlace
  /** Words that a query uses for it. */
  readonly words: readonly string[]
  /** Words in the names of its cameras. */
  readonly names: readonly string[]
}

/** Camera areas. Longer phrases are tried before shorter ones. */
export const AREAS: readonly Area[] = file.areas.map(({ id, words, names }) => ({
  id: id as CameraPlace,
  words: parseWordList(words),
  names: parseWordList(names, file.lists),
}))
