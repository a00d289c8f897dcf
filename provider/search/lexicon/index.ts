import { ANIMALS } from './animals.ts'
import { BEINGS } from './people.ts'
import { COMINGS } from './movement-verbs.ts'
import { DOINGS } from './activity-verbs.ts'
import type { SynonymGroup } from './synonym-group.ts'
import { HOUSEHOLD } from './household.ts'
import { LOOKS } from './appearance.ts'
import { OUTDOORS } from './outdoors.ts'
import { SETTINGS } from './light-and-locations.ts'
import { SOUNDS } from './sounds.ts'
import { THINGS } from './objects.ts'

/** All synonym groups of English. A phrase in several groups belongs to the first. */
export const GROUPS: readonly SynonymGroup[] = [
  ...BEINGS,
  ...ANIMALS,
  ...THINGS,
  ...HOUSEHOLD,
  ...OUTDOORS,
  ...LOOKS,
  ...SOUNDS,
  ...COMINGS,
  ...DOINGS,
  ...SETTINGS,
]
