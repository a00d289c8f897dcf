import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import type { HomePeople } from '../../../../contract/events/people.ts'
import { formatPlansWithPeople } from '../../../domain/copy/people-labels.ts'
import { openFeed } from '../../../stores/home/feed.ts'
import { $homePeople, watchPeople, loadPeople } from '../../../stores/people/people.ts'
import { $peopleUndo, closePeopleUndo, undoLastPeopleChange } from '../../../stores/people/undo.ts'
import { LoadError } from '../../../ui/LoadError.tsx'
import { RowsSkeleton } from '../../../ui/RowsSkeleton.tsx'
import { UndoNote } from '../../../ui/UndoNote.tsx'
import { HomeSection } from './HomeSection.tsx'

export function PeoplePage() {
  const people = useStore($homePeople)
  const undo = useStore($peopleUndo)
  useEffect(() => {
    openFeed()
    return watchPeople()
  }, [])
  const isLoading = people.state === 'loading'
  return (
    <section aria-labelledby="people-title" aria-busy={isLoading}>
      <h2 id="people-title" tabIndex={-1}>
        People
      </h2>
      {isLoading && <RowsSkeleton rows={4} label="Loading people" />}
      {people.state === 'failed' && (
        <LoadError title="We couldn’t load people" text={people.failure.text} onRetry={() => void loadPeople()} />
      )}
      {people.state === 'ready' && <HomeSections homes={people.homes} />}
      {undo && <UndoNote key={undo.until} text={undo.text} undo={undoLastPeopleChange} onClose={closePeopleUndo} />}
    </section>
  )
}

function HomeSections({ homes }: { homes: readonly HomePeople[] }) {
  if (homes.length === 0) return <p className="people-lead">Only the owner of a camera can name people in its clips.</p>
  return (
    <>
      <p className="people-lead">{introText(homes)}</p>
      {homes.map((home) => (
        <HomeSection key={home.home_id} home={home} isOnlyHome={homes.length === 1} />
      ))}
    </>
  )
}

function introText(homes: readonly HomePeople[]): string {
  if (homes.every(({ cameras }) => cameras.length === 0)) return `Included in ${formatPlansWithPeople()}.`
  const areShown = homes.some(({ guests }) => guests)
  return `Names appear on clips and in search. Guests ${areShown ? 'see names only on clips from cameras you share' : 'don’t see names'}.`
}
