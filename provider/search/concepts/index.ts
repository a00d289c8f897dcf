import { ANIMALS } from './animals.ts'
import { BEINGS } from './beings.ts'
import { COMINGS } from './comings.ts'
import { DOINGS } from './doings.ts'
import type { Group } from './group.ts'
import { HOUSEHOLD } from './household.ts'
import { LOOKS } from './looks.ts'
import { OUTDOORS } from './outdoors.ts'
import { SETTINGS } from './settings.ts'
import { SOUNDS } from './sounds.ts'
import { THINGS } from './things.ts'

/** What the product knows of English; a phrase that stands in several groups is of the first. */
export const GROUPS: readonly Group[] = [
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
