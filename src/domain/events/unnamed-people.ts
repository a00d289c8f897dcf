import type { Event } from '../../../contract/events/events.ts'
import { UNNAMED } from '../../../contract/events/people.ts'
import { listPeople } from './event-filter.ts'

/** Returns the first name on the clip that the owner has not given: "Person 3". Null if there is none. */
export const unnamedOn = (event: Pick<Event, 'tags' | 'event_values'>): string | null =>
  listPeople(event).find((name) => UNNAMED.test(name)) ?? null
