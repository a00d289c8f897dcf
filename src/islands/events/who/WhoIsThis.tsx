import { useStore } from '@nanostores/react'
import UserRoundPlus from 'lucide-react/icons/user-round-plus'
import { type ReactNode, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import type { Event } from '../../../../contract/events/events.ts'
import { type AskedPerson, askedPerson, type NameRow, seenWords } from '../../../domain/events/people-labels.ts'
import { $homePeople, followPeople, giveName, hide, merge } from '../../../stores/people/people.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { NameForm } from '../../../ui/NameForm.tsx'
import { PersonPicture } from '../../../ui/PersonPicture.tsx'
import { useIsPhone } from '../../../ui/use-media.ts'

interface WhoIsThisProps {
  readonly event: Event
  /** "Person 3", as the clip says. */
  readonly name: string
  /** Shown if there is nobody to name. */
  readonly instead: ReactNode
}

/** Asks the owner for the name of a person on the clip. On a phone a button opens it. */
export function WhoIsThis({ event, name, instead }: WhoIsThisProps) {
  const people = useStore($homePeople)
  const isPhone = useIsPhone()
  useEffect(followPeople, [])
  if (people.state === 'loading') return <div className="who-waiting" />
  const found = people.state === 'ready' ? askedPerson(people.homes, event.device_id, name) : null
  if (!found) return instead
  // The picture of this clip, not of the newest.
  const asked = { ...found, person: { ...found.person, example: event } }
  return isPhone ? <AskButton {...asked} /> : <AskCard {...asked} />
}

/** Actions of the form. */
const actions = ({ home, person }: AskedPerson) => ({
  onTake: (row: NameRow) => (row.kind === 'add' ? giveName(home, person, row.name) : merge(home, person, row.person)),
  onHide: () => hide(home, person),
})
/** Runs after a dialog has given the focus back to its button, which may be gone. */
const focusTitle = () => void requestAnimationFrame(() => document.getElementById('clip-title')?.focus())

function AskCard(asked: AskedPerson) {
  const { person } = asked
  const [now] = useState(Date.now)
  return (
    <div className="who-card">
      <NameForm {...asked} {...actions(asked)} isLabelHidden hideText="Don’t name" onDone={focusTitle}>
        <div className="who-head">
          <PersonPicture person={person} size={50} />
          <div>
            <h3>Who is this?</h3>
            <p>{seenWords(person, now)}</p>
          </div>
        </div>
      </NameForm>
    </div>
  )
}

function AskButton(asked: AskedPerson) {
  const { person } = asked
  const [now] = useState(Date.now)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button type="button" className="btn btn-soft who-button" onClick={() => setIsOpen(true)}>
        <UserRoundPlus size={18} aria-hidden="true" />
        Who is this?
      </button>
      {/* Outside the stage, whose colors are for video. */}
      {isOpen &&
        createPortal(
          <Dialog title="Who is this?" note={<p>{seenWords(person, now)}</p>} onClose={() => setIsOpen(false)}>
            <NameForm
              {...asked}
              {...actions(asked)}
              autoFocus
              hideText="Don’t name this person"
              onDone={() => (setIsOpen(false), focusTitle())}
            >
              <PersonPicture person={person} />
            </NameForm>
          </Dialog>,
          document.body,
        )}
    </>
  )
}
