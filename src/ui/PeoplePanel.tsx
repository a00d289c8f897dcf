import { CheckRow, toggled } from './CheckRow.tsx'

interface PeopleChoice {
  /** Names of selectable people. Selected people are offered even if they are not in this list. */
  readonly names: readonly string[]
  readonly chosen: readonly string[]
  readonly onChange: (chosen: string[]) => void
}

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
