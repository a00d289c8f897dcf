import { useStore } from '@nanostores/react'
import { $address, changeFilter } from '../../../stores/event-address.ts'
import { CheckRow, toggled } from './CheckRow.tsx'

/** The people whom the events of these days name. */
export function PeoplePanel({ names }: { names: readonly string[] }) {
  const { people } = useStore($address).filter
  const all = [...new Set([...names, ...people])]
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
