import { useState } from 'react'
import type { HomePeople, HomePerson } from '../../../../contract/events/people.ts'
import { inClips } from '../../../domain/copy/counts.ts'
import { mergeText } from '../../../domain/events/people-labels.ts'
import { mergeIntoPerson } from '../../../stores/people/people.ts'
import { Button } from '../../../ui/Button.tsx'
import { Choice, Choices } from '../../../ui/Choice.tsx'
import { PersonPicture } from '../../../ui/PersonPicture.tsx'
import { Problem } from '../../../ui/InlineError.tsx'
import { Sheet } from '../../../ui/Sheet.tsx'
import { useAct } from '../../../ui/use-action.ts'

interface MergeDialogProps {
  home: HomePeople
  person: HomePerson
  onClose: () => void
}

/** Asks who is the same person, and which of two names stays. */
export function MergeDialog({ home, person, onClose }: MergeDialogProps) {
  const [other, setOther] = useState<HomePerson | null>(null)
  const [keepsOther, setKeepsOther] = useState(false)
  const { isBusy, failure, run } = useAct()
  const others = home.people.filter(({ person_id, hidden }) => person_id !== person.person_id && !hidden)
  const [stays, goes] = other?.named && keepsOther ? [other, person] : [person, other]
  async function mergeBoth(): Promise<void> {
    if (goes && (await run(() => mergeIntoPerson(home, goes, stays)))) onClose()
  }
  return (
    <Sheet
      title={`Merge ${person.name} with…`}
      onClose={onClose}
      foot={
        <>
          <Button kind="outline" onClick={onClose}>
            Cancel
          </Button>
          <Button
            isBusy={isBusy}
            busyText="Merging"
            waitsFor={other ? '' : 'Choose a person'}
            onClick={() => void mergeBoth()}
          >
            Merge
          </Button>
        </>
      }
    >
      <div className="merge-others">
        <Choices legend={`Who is the same person as ${person.name}?`} isLegendHidden>
          {others.map((candidate) => (
            <Choice
              key={candidate.person_id}
              name="other"
              checked={candidate.person_id === other?.person_id}
              onChange={() => setOther(candidate)}
              title={candidate.name}
              note={inClips(candidate.events)}
              mark={<PersonPicture person={candidate} size={40} />}
            />
          ))}
        </Choices>
      </div>
      {other?.named && (
        <Choices legend="Which name stays?" columns={2}>
          {[person, other].map((candidate) => (
            <Choice
              key={candidate.person_id}
              name="stays"
              checked={candidate === stays}
              onChange={() => setKeepsOther(candidate === other)}
              title={candidate.name}
            />
          ))}
        </Choices>
      )}
      {goes && (
        <p className="long-words" role="status">
          {mergeText(stays, goes)}
        </p>
      )}
      <Problem failure={failure} />
    </Sheet>
  )
}
