import type { HomePeople, HomePerson } from '../../contract/events/people.ts'

export const createPerson = (person_id: string, name: string, more: Partial<HomePerson> = {}): HomePerson => ({
  person_id,
  name,
  named: !/^Person \d+$/.test(name),
  hidden: false,
  events: 7,
  first_seen: Date.UTC(2026, 10, 12, 9),
  last_seen: Date.UTC(2026, 10, 20, 9),
  example: { event_id: `event-${person_id}`, device_id: 'a' },
  ...more,
})

export const createHomePeople = (people: HomePerson[], more: Partial<HomePeople> = {}): HomePeople => ({
  home_id: 'h1',
  name: 'Home',
  recognition: true,
  guests: false,
  cameras: ['a'],
  people,
  suggestions: [],
  ...more,
})

export const createHomesResponse = (...all: HomePeople[]) => ({ code: 200, data: { homes: all } })
