import type { Event } from '../../../contract/events/events.ts'
import { DEFAULT_PERSON_NAME } from '../../../contract/events/people.ts'
import { listPeople } from './event-filter.ts'

/** Returns the generated name of an unnamed person on the clip, such as "Person 3"; null if there is none. */
export const findGeneratedName = (event: Pick<Event, 'tags' | 'event_values'>): string | null =>
  listPeople(event).find((name) => DEFAULT_PERSON_NAME.test(name)) ?? null
