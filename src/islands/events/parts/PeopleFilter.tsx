import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { $eventFilter, togglePerson } from '../../../stores/events/event-url.ts'
import { $eventTags } from '../../../stores/events/event-tags.ts'
import { $peopleInEvents } from '../../../stores/events/events.ts'
import { loadKnownPeople } from '../../../stores/events/known-people.ts'
import { PeoplePanel } from '../../../ui/PeoplePanel.tsx'

/** People filter: names in the loaded events, selected names, and names of people known to the cameras. */
export function PeopleFilterList() {
  const { people } = useStore($eventFilter)
  const named = useStore($peopleInEvents)
  const { face } = useStore($eventTags)
  useEffect(() => void loadKnownPeople(), [])
  const names = [...named, ...people, ...face.map(({ name }) => name)]
  return <PeoplePanel names={names} selectedNames={people} onToggle={togglePerson} />
}
