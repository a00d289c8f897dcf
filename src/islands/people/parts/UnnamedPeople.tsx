import { useState } from 'react'
import type { HomePeople, HomePerson } from '../../../../contract/events/people.ts'
import { formatClipCount } from '../../../domain/copy/counts.ts'
import { getPersonClipsUrl, formatPeopleCount } from '../../../domain/copy/people-labels.ts'
import { unhidePerson } from '../../../stores/people/people.ts'
import { Button } from '../../../ui/Button.tsx'
import { PersonPicture } from '../../../ui/PersonPicture.tsx'
import { useAction } from '../../../ui/use-action.ts'
import type { PeopleDialogState } from './PeopleDialog.tsx'

interface UnnamedPeopleProps {
  home: HomePeople
  people: readonly HomePerson[]
  hidden: readonly HomePerson[]
  open: (dialog: PeopleDialogState) => void
}

/** People without a name, and those whom the owner chose not to name. */
export function UnnamedPeople({ home, people, hidden, open }: UnnamedPeopleProps) {
  const [now] = useState(Date.now)
  const id = `unnamed-${home.home_id}`
  return (
    <section aria-labelledby={id}>
      <header className="unnamed-head">
        <h3 id={id}>Not named yet</h3>
        <small>{formatPeopleCount(people.length)}</small>
        {people.length > 0 && (
          <button type="button" className="text-action" onClick={() => open({ kind: 'forget-unnamed', people })}>
            Forget all
          </button>
        )}
      </header>
      <ul className="unnamed-people" aria-labelledby={id}>
        {people.map((person) => (
          <li key={person.person_id} className="panel unnamed-card">
            <PersonPicture person={person} />
            <b>{person.name}</b>
            {person.events > 0 ? (
              <a href={getPersonClipsUrl(person, now)}>{formatClipCount(person.events)}</a>
            ) : (
              <span>0 clips</span>
            )}
            <button
              type="button"
              className="btn btn-soft btn-sm"
              aria-label={`Add name: ${person.name}`}
              onClick={() => open({ kind: 'name', person })}
            >
              Add name
            </button>
          </li>
        ))}
      </ul>
      {hidden.length > 0 && (
        <details className="hidden-people">
          <summary>Hidden: {formatPeopleCount(hidden.length)}</summary>
          <ul aria-label="Hidden">
            {hidden.map((person) => (
              <HiddenRow key={person.person_id} home={home} person={person} />
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

function HiddenRow({ home, person }: { home: HomePeople; person: HomePerson }) {
  const { isBusy, run } = useAction()
  return (
    <li className="list-row">
      <PersonPicture person={person} size={36} />
      <span className="row-text">
        <b>{person.name}</b>
        <small>{formatClipCount(person.events)}</small>
      </span>
      <Button
        kind="outline"
        size="sm"
        isBusy={isBusy}
        aria-label={`Show again: ${person.name}`}
        onClick={() => void run(() => unhidePerson(home, person))}
      >
        Show again
      </Button>
    </li>
  )
}
