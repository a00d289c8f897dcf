import { useStore } from '@nanostores/react'
import UserRoundPlus from 'lucide-react/icons/user-round-plus'
import { type ReactNode, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import type { Event } from '../../../../contract/events/events.ts'
import { type AskedPerson, askedPerson, type NameRow, seenLabel } from '../../../domain/events/people-labels.ts'
import { $homePeople, watchPeople, giveName, hide, mergeIntoPerson } from '../../../stores/people/people.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { NameForm } from '../../../ui/NameForm.tsx'
import { PersonPicture } from '../../../ui/PersonPicture.tsx'
import { useIsPhone } from '../../../ui/use-media.ts'

interface WhoIsThisProps {
  readonly event: Event
  /** Name in the clip, such as "Person 3". */
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
  const found = people.state === 'ready' ? askedPerson(people.homes, event.device_id, name) : null
  if (!found) return instead
  // Shows the example image from this clip instead of the person's newest one.
  const question = { ...found, person: { ...found.person, example: event } }
  return isPhone ? <AskButton {...question} /> : <AskCard {...question} />
}

const actions = ({ home, person }: AskedPerson) => ({
  onTake: (row: NameRow) =>
    row.kind === 'add' ? giveName(home, person, row.name) : mergeIntoPerson(home, person, row.person),
  onHide: () => hide(home, person),
})
/** Waits for the next frame: the closing dialog first returns the focus to its button, which may have disappeared. */
const focusTitle = () => void requestAnimationFrame(() => document.getElementById('clip-title')?.focus())

function AskCard(question: AskedPerson) {
  const { person } = question
  const [now] = useState(Date.now)
  return (
    <div className="who-card">
      <NameForm {...question} {...actions(question)} isLabelHidden hideText="Don’t name" onDone={focusTitle}>
        <div className="who-head">
          <PersonPicture person={person} size={50} />
          <div>
            <h3>Who is this?</h3>
            <p>{seenLabel(person, now)}</p>
          </div>
        </div>
      </NameForm>
    </div>
  )
}

function AskButton(question: AskedPerson) {
  const { person } = question
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
            <NameForm
              {...question}
              {...actions(question)}
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
