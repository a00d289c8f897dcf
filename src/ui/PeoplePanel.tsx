import { CheckRow, toggled } from './CheckRow.tsx'

interface PeopleChoice {
  /** Who can be chosen, by name; whoever is chosen is offered in any case. */
  readonly names: readonly string[]
  readonly chosen: readonly string[]
  readonly onChange: (chosen: string[]) => void
}

/** A check box for each person. */
export function PeoplePanel({ names, chosen, onChange }: PeopleChoice) {
  return (
    <fieldset>
      <legend className="sr-only">People</legend>
      {[...new Set([...names, ...chosen])].map((name) => (
        <CheckRow key={name} checked={chosen.includes(name)} onChange={() => onChange(toggled(chosen, name))}>
          {name}
        </CheckRow>
      ))}
    </fieldset>
  )
}
