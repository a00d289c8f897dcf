import { useStore } from '@nanostores/react'
import UserRoundPlus from 'lucide-react/icons/user-round-plus'
import { type ReactNode, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import type { Event } from '../../../../contract/events/events.ts'
import {
  type UnnamedPerson,
  findUnnamedPerson,
  type NameSuggestion,
  seenLabel,
} from '../../../domain/copy/people-labels.ts'
import {
  $homePeople,
  watchPeople,
  setPersonName,
  hidePersonInClips,
  mergeIntoPerson,
} from '../../../stores/people/people.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { PersonNameForm } from '../../../ui/PersonNameForm.tsx'
import { PersonPicture } from '../../../ui/PersonPicture.tsx'
import { useIsPhone } from '../../../ui/use-media.ts'

interface WhoIsThisProps {
  readonly event: Event
  /** Generated name of the person in the clip, such as "Person 3". */
  readonly name: string
  /** Shown if there is no person to name. */
  readonly instead: ReactNode
}

/** Asks the owner to name a person in the clip. On phones, a button opens the question. */
export function WhoIsThis({ event, name, instead }: WhoIsThisProps) {
  const people = useStore($homePeople)
  const isPhone = useIsPhone()
  useEffect(watchPeople, [])
  if (people.state === 'loading') return <div className="who-waiting" />
  const found = people.state === 'ready' ? findUnnamedPerson(people.homes, event.device_id, name) : null
  if (!found) return instead
  // Shows the example image from this clip instead of the person's newest one.
  const unnamedPerson = { ...found, person: { ...found.person, example: event } }
  return isPhone ? <PersonNameButton {...unnamedPerson} /> : <PersonNameCard {...unnamedPerson} />
}

const createPersonNameActions = ({ home, person }: UnnamedPerson) => ({
  onTake: (row: NameSuggestion) =>
    row.kind === 'add' ? setPersonName(home, person, row.name) : mergeIntoPerson(home, person, row.person),
  onHide: () => hidePersonInClips(home, person),
})
/** Focuses the clip's title in the next frame, after the closing dialog has returned the focus to its button. */
const focusClipTitle = () => void requestAnimationFrame(() => document.getElementById('clip-title')?.focus())

function PersonNameCard(unnamedPerson: UnnamedPerson) {
  const { person } = unnamedPerson
  const [now] = useState(Date.now)
  return (
    <div className="who-card">
      <PersonNameForm
        {...unnamedPerson}
        {...createPersonNameActions(unnamedPerson)}
        isLabelHidden
        hideText="Don’t name"
        onDone={focusClipTitle}
      >
        <div className="who-head">
          <PersonPicture person={person} size={50} />
          <div>
            <h3>Who is this?</h3>
            <p>{seenLabel(person, now)}</p>
          </div>
        </div>
      </PersonNameForm>
    </div>
  )
}

function PersonNameButton(unnamedPerson: UnnamedPerson) {
  const { person } = unnamedPerson
  const [now] = useState(Date.now)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button type="button" className="btn btn-soft who-button" onClick={() => setIsOpen(true)}>
        <UserRoundPlus size={18} aria-hidden="true" />
        Who is this?
      </button>
      {/* Renders the dialog outside the stage, because the stage has the colors for video. */}
      {isOpen &&
        createPortal(
          <Dialog title="Who is this?" note={<p>{seenLabel(person, now)}</p>} onClose={() => setIsOpen(false)}>
            <PersonNameForm
              {...unnamedPerson}
              {...createPersonNameActions(unnamedPerson)}
              autoFocus
              hideText="Don’t name this person"
              onDone={() => (setIsOpen(false), focusClipTitle())}
            >
              <PersonPicture person={person} />
            </PersonNameForm>
          </Dialog>,
          document.body,
        )}
    </>
  )
}
