import Merge from 'lucide-react/icons/merge'
import Pencil from 'lucide-react/icons/pencil'
import Play from 'lucide-react/icons/play'
import Trash2 from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import type { HomePeople, HomePerson } from '../../../../contract/events/people.ts'
import { formatClipCount } from '../../../domain/copy/counts.ts'
import { getPersonClipsUrl, lastSeenLabel } from '../../../domain/copy/people-labels.ts'
import { Menu, type MenuEntry } from '../../../ui/Menu.tsx'
import { PersonPicture } from '../../../ui/PersonPicture.tsx'
import type { PeopleDialogState } from './PeopleDialog.tsx'

interface NamedPeopleProps {
  home: HomePeople
  people: readonly HomePerson[]
  open: (dialog: PeopleDialogState) => void
}

export function NamedPeople({ home, people, open }: NamedPeopleProps) {
  const [now] = useState(Date.now)
  const canMerge = home.people.filter(({ hidden }) => !hidden).length > 1
  return (
    <ul className="named-people" aria-label="Named people">
      {people.map((person) => (
        <li key={person.person_id} className="panel person-card">
          <PersonPicture person={person} />
          <div className="person-words">
            <h3 title={person.name}>{person.name}</h3>
            <p>{formatClipCount(person.events)}</p>
            <p>{lastSeenLabel(person, now)}</p>
          </div>
          <Menu label={`Options for ${person.name}`} entries={listMenuEntries(person, canMerge, now, open)} />
        </li>
      ))}
    </ul>
  )
}

function listMenuEntries(
  person: HomePerson,
  canMerge: boolean,
  now: number,
  openDialog: NamedPeopleProps['open'],
): MenuEntry[] {
  const iconProps = { size: 18, 'aria-hidden': true }
  const clips = {
    text: `See ${formatClipCount(person.events)}`,
    icon: <Play {...iconProps} />,
    act: getPersonClipsUrl(person, now),
  }
  return [
    ...(person.events > 0 ? [clips] : []),
    { text: 'Rename', icon: <Pencil {...iconProps} />, act: () => openDialog({ kind: 'rename', person }) },
    ...(canMerge
      ? [{ text: 'Merge with…', icon: <Merge {...iconProps} />, act: () => openDialog({ kind: 'merge', person }) }]
      : []),
    {
      text: `Forget ${person.name}`,
      icon: <Trash2 {...iconProps} />,
      act: () => openDialog({ kind: 'forget', person }),
      isDangerous: true,
    },
  ]
}
