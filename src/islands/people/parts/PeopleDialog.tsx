import { useState } from 'react'
import type { HomePeople, HomePerson } from '../../../../contract/events/people.ts'
import { personDeletionText, formatPeopleCount, seenLabel } from '../../../domain/copy/people-labels.ts'
import { deletePeople, setPersonName, hidePersonInClips, mergeIntoPerson } from '../../../stores/people/people.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { PersonNameForm } from '../../../ui/PersonNameForm.tsx'
import { PersonPicture } from '../../../ui/PersonPicture.tsx'
import { ForgetDialog } from './ForgetDialog.tsx'
import { MergeDialog } from './MergeDialog.tsx'
import { RenameDialog } from './RenameDialog.tsx'

export type PeopleDialogState =
  | { readonly kind: 'name' | 'rename' | 'merge' | 'forget'; readonly person: HomePerson }
  | { readonly kind: 'forget-unnamed'; readonly people: readonly HomePerson[] }
  | { readonly kind: 'forget-everyone' }

interface PeopleDialogProps {
  home: HomePeople
  dialog: PeopleDialogState
  onClose: () => void
}

export function PeopleDialog({ home, dialog, onClose }: PeopleDialogProps) {
  switch (dialog.kind) {
    case 'name':
      return <NameDialog home={home} person={dialog.person} onClose={onClose} />
    case 'rename':
      return <RenameDialog home={home} person={dialog.person} onClose={onClose} />
    case 'merge':
      return <MergeDialog home={home} person={dialog.person} onClose={onClose} />
    case 'forget':
    case 'forget-unnamed':
    case 'forget-everyone': {
      const { people, done, ...texts } = deletionTexts(dialog)
      return <ForgetDialog {...texts} onForget={() => deletePeople(home, people, done)} onClose={onClose} />
    }
  }
}

interface ForgetTexts {
  readonly title: string
  readonly text: string
  readonly button: string
  readonly done: string
  /** People whose data is deleted; null for everyone. */
  readonly people: readonly HomePerson[] | null
}

function deletionTexts(dialog: PeopleDialogState): ForgetTexts {
  if (dialog.kind === 'forget-everyone')
    return {
      title: 'Forget everyone?',
      text: 'Deletes all names and face data. Your clips will be kept.',
      people: null,
      button: 'Forget everyone',
      done: 'All names and face data were deleted.',
    }
  if (dialog.kind === 'forget-unnamed') {
    const { people } = dialog
    const count = formatPeopleCount(people.length)
    return {
      title: `Forget ${count}?`,
      text: `Deletes face data for ${count}. Your clips will be kept.`,
      people,
      button: `Forget ${count}`,
      done: `Face data for ${count} was deleted.`,
    }
  }
  const { person } = dialog
  return {
    title: `Forget ${person.name}?`,
    text: personDeletionText(person),
    people: [person],
    button: `Forget ${person.name}`,
    done: person.named
      ? `${person.name}’s name and face data were deleted.`
      : `${person.name}’s face data was deleted.`,
  }
}

function NameDialog({ home, person, onClose }: { home: HomePeople; person: HomePerson; onClose: () => void }) {
  const [now] = useState(Date.now)
  return (
    <Dialog title="Who is this?" note={<p>{seenLabel(person, now)}</p>} onClose={onClose}>
      <PersonNameForm
        home={home}
        person={person}
        autoFocus
        hideText="Don’t name"
        onTake={(row) =>
          row.kind === 'add' ? setPersonName(home, person, row.name) : mergeIntoPerson(home, person, row.person)
        }
        onHide={() => hidePersonInClips(home, person)}
        onDone={onClose}
      >
        <PersonPicture person={person} />
      </PersonNameForm>
    </Dialog>
  )
}
