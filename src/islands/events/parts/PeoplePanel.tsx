import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { $address, changeFilter } from '../../../stores/events/event-address.ts'
import { $eventTags } from '../../../stores/events/event-tags.ts'
import { loadFaces } from '../../../stores/events/faces.ts'
import { CheckRow, toggled } from './CheckRow.tsx'

/** The people whom the events of these days name, and those whom the cameras know besides. */
export function PeoplePanel({ names }: { names: readonly string[] }) {
  const { people } = useStore($address).filter
  const { face } = useStore($eventTags)
  useEffect(() => void loadFaces(), [])
  const all = [...new Set([...names, ...people, ...face.map(({ name }) => name)])]
  return (
    <fieldset>
      <legend className="sr-only">People</legend>
      {all.map((name) => (
        <CheckRow
          key={name}
          checked={people.includes(name)}
          onChange={() => changeFilter({ people: toggled(people, name) })}
        >
          {name}
        </CheckRow>
      ))}
    </fieldset>
  )
}
