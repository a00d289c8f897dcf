import { useState } from 'react'
import type { HomePeople } from '../../../../contract/events/people.ts'
import { useIsWide } from '../../../ui/use-media.ts'
import { PeopleDialog, type PeopleDialogState } from './PeopleDialog.tsx'
import { NamedPeople } from './NamedPeople.tsx'
import { NoPlan } from './NoPlan.tsx'
import { ForgetEveryone, RecognitionCard } from './RecognitionCard.tsx'
import { SamePersonCard } from './SamePersonCard.tsx'
import { UnnamedPeople } from './UnnamedPeople.tsx'

export function HomeSection({ home, isOnlyHome }: { home: HomePeople; isOnlyHome: boolean }) {
  const [dialog, setDialog] = useState<PeopleDialogState | null>(null)
  const hasPlan = home.cameras.length > 0
  function close(): void {
    setDialog(null)
    // The button that opened the dialog may have disappeared together with its person.
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) document.getElementById('people-title')?.focus()
    })
  }
  return (
    <section aria-label={home.name} className="people-home">
      {!isOnlyHome && <h3>{home.name}</h3>}
      {hasPlan ? <RecognizedPeople home={home} open={setDialog} /> : <NoPlan home={home} open={setDialog} />}
      {dialog && <PeopleDialog key={dialog.kind} home={home} dialog={dialog} onClose={close} />}
    </section>
  )
}

interface RecognizedPeopleProps {
  home: HomePeople
  open: (dialog: PeopleDialogState) => void
}

function RecognizedPeople({ home, open }: RecognizedPeopleProps) {
  const visiblePeople = home.people.filter(({ hidden }) => !hidden)
  const [named, unnamed] = [
    visiblePeople.filter((person) => person.named),
    visiblePeople.filter((person) => !person.named),
  ]
  const hidden = home.people.filter((person) => person.hidden)
  const isWide = useIsWide() === true
  const recognitionCard = <RecognitionCard home={home} open={open} />
  const samePersonCard = home.recognition && <SamePersonCard home={home} />
  return (
    <div className="people-grid" data-off={!home.recognition || undefined}>
      {!home.recognition && recognitionCard}
      <div className="people-main">
        {named.length > 0 && <NamedPeople home={home} people={named} open={open} />}
        {!isWide && samePersonCard}
        {unnamed.length + hidden.length > 0 && (
          <UnnamedPeople home={home} people={unnamed} hidden={hidden} open={open} />
        )}
        {home.people.length === 0 && home.recognition && (
          <div className="panel empty-state">
            <h3>No people yet</h3>
            <p className="text-ink-2">People appear here after a camera recognizes someone in a new clip.</p>
          </div>
        )}
      </div>
      {home.recognition && (
        <div className="people-side">
          {isWide && samePersonCard}
          {recognitionCard}
        </div>
      )}
      {!home.recognition && home.people.length > 0 && (
        <div className="card recognition-card">
          <ForgetEveryone open={open} />
        </div>
      )}
    </div>
  )
}
