import EqualApproximately from 'lucide-react/icons/equal-approximately'
import { useId, useState } from 'react'
import type { HomePeople, HomePerson, SamePersonSuggestion } from '../../../../contract/events/people.ts'
import { formatClipCount } from '../../../domain/copy/counts.ts'
import { suggestedMergeText, suggestionReason } from '../../../domain/copy/people-labels.ts'
import { markAsDifferent, mergeIntoPerson } from '../../../stores/people/people.ts'
import { Button } from '../../../ui/Button.tsx'
import { InlineError } from '../../../ui/InlineError.tsx'
import { PersonPicture } from '../../../ui/PersonPicture.tsx'
import { useAction } from '../../../ui/use-action.ts'

/** Pair of people that the card shows. `into`: the person whose name stays after a merge. */
interface ShownPair {
  readonly suggestion: SamePersonSuggestion
  readonly person: HomePerson
  readonly into: HomePerson
}

/** Card that asks about the first suggested pair of people. Renders nothing without a suggestion. */
export function SamePersonCard({ home }: { home: HomePeople }) {
  const pair = findShownPair(home)
  return pair && <SamePersonQuestion home={home} pair={pair} />
}

function findShownPair({ suggestions, people }: HomePeople): ShownPair | null {
  const find = (id: string) => people.find(({ person_id }) => person_id === id)
  for (const suggestion of suggestions) {
    const [person, into] = [find(suggestion.person_id), find(suggestion.into)]
    if (person && into) return { suggestion, person, into }
  }
  return null
}

function SamePersonQuestion({ home, pair: { suggestion, person, into } }: { home: HomePeople; pair: ShownPair }) {
  const { isBusy, failure, run } = useAction()
  const pairKey = `${into.person_id} ${person.person_id}`
  /** Last pressed button, and the pair at that time. The next pair does not show the failure of this pair. */
  const [pressed, setPressed] = useState({ button: '', pairKey: '' })
  const id = useId()
  const pairId = `same-person-${home.home_id}`
  async function press(button: 'merge' | 'different', action: typeof mergeIntoPerson): Promise<void> {
    if (!isBusy) setPressed({ button, pairKey })
    if (await run(() => action(home, person, into))) requestAnimationFrame(() => focusNextPair(pairId))
  }
  return (
    <section className="card same-person-card" aria-labelledby={id}>
      <h3 id={id}>Same person?</h3>
      <div
        className="same-person-pair"
        role="group"
        aria-label={`${into.name} and ${person.name}`}
        id={pairId}
        tabIndex={-1}
      >
        <Face person={into} />
        <EqualApproximately size={24} aria-hidden="true" />
        <Face person={person} />
      </div>
      <p>{suggestionReason(suggestion)}</p>
      <div className="same-person-actions">
        <Button
          isBusy={isBusy && pressed.button === 'merge'}
          busyText="Merging…"
          aria-describedby={`${id}-merge`}
          onClick={() => void press('merge', mergeIntoPerson)}
        >
          Merge
        </Button>
        <Button
          kind="outline"
          isBusy={isBusy && pressed.button === 'different'}
          busyText="Saving…"
          onClick={() => void press('different', markAsDifferent)}
        >
          Different
        </Button>
      </div>
      <p id={`${id}-merge`}>{suggestedMergeText(into, person)}</p>
      {pressed.pairKey === pairKey && <InlineError failure={failure} />}
    </section>
  )
}

function Face({ person }: { person: HomePerson }) {
  return (
    <div className="same-person-face">
      <PersonPicture person={person} size={80} />
      <b title={person.name}>{person.name}</b>
      <small>{formatClipCount(person.events)}</small>
    </div>
  )
}

/** Moves focus to the next pair, or to the title of the page if there is none. Leaves focus outside the card alone. */
function focusNextPair(pairId: string): void {
  const pair = document.getElementById(pairId)
  const { activeElement } = document
  const hasFocus = activeElement === document.body || pair?.closest('section')?.contains(activeElement)
  if (hasFocus) (pair ?? document.getElementById('people-title'))?.focus()
}
