import activityVerbs from './data/english/activity-verbs.json' with { type: 'json' }
import animals from './data/english/animals.json' with { type: 'json' }
import appearance from './data/english/appearance.json' with { type: 'json' }
import household from './data/english/household.json' with { type: 'json' }
import light from './data/english/light.json' with { type: 'json' }
import movementVerbs from './data/english/movement-verbs.json' with { type: 'json' }
import objects from './data/english/objects.json' with { type: 'json' }
import outdoors from './data/english/outdoors.json' with { type: 'json' }
import people from './data/english/people.json' with { type: 'json' }
import sounds from './data/english/sounds.json' with { type: 'json' }
import german from './data/languages/de.json' with { type: 'json' }
import spanish from './data/languages/es.json' with { type: 'json' }
import french from './data/languages/fr.json' with { type: 'json' }
import hindi from './data/languages/hi.json' with { type: 'json' }
import locations from './data/locations.json' with { type: 'json' }
import { parseGroups, parseWordList, type SynonymFile, type SynonymGroup } from './parse-lexicon.ts'

/**
 * English data files in order of precedence. A phrase that is in several groups belongs to the first of these groups.
 */
const ENGLISH_FILES: readonly SynonymFile[] = [
  people,
  animals,
  objects,
  household,
  outdoors,
  appearance,
  sounds,
  movementVerbs,
  activityVerbs,
  light,
]

export const SYNONYM_GROUPS: readonly SynonymGroup[] = ENGLISH_FILES.flatMap(parseGroups)

/** Groups of words for locations. A query word matches every camera whose name contains a word of the same group. */
export const LOCATION_GROUPS: readonly (readonly string[])[] = locations.map((words) => parseWordList(words))

/** Lines of the translation files, by ISO 639-1 language code. Line format: `English phrase: translations`. */
export const TRANSLATIONS: Readonly<Record<string, readonly string[]>> = {
  de: german,
  es: spanish,
  fr: french,
  hi: hindi,
}
