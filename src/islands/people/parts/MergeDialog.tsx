import { useState } from 'react'
import type { HomePeople, HomePerson } from '../../../../contract/events/people.ts'
import { formatClipCount } from '../../../domain/copy/counts.ts'
import { mergeText } from '../../../domain/copy/people-labels.ts'
import { mergeIntoPerson } from '../../../stores/people/people.ts'
import { Button } from '../../../ui/Button.tsx'
import { Choice, Choices } from '../../../ui/Choice.tsx'
import { PersonPicture } from '../../../ui/PersonPicture.tsx'
import { InlineError } from '../../../ui/InlineError.tsx'
import { Sheet } from '../../../ui/Sheet.tsx'
import { useAction } from '../../../ui/use-action.ts'

interface MergeDialogProps {
  home: HomePeople
  person: HomePerson
  onClose: () => void
}

/** Dialog that asks who is the same person, and which of two names to keep. */
export function MergeDialog({ home, person, onClose }: MergeDialogProps) {
  const [other, setOther] = useState<HomePerson | null>(null)
  const [keepsOther, setKeepsOther] = useState(false)
  const { isBusy, failure, run } = useAction()
  const others = home.people.filter(({ person_id, hidden }) => person_id !== person.person_id && !hidden)
  const [keptPerson, mergedPerson] = other?.named && keepsOther ? [other, person] : [person, other]
  async function merge(): Promise<void> {
    if (mergedPerson && (await run(() => mergeIntoPerson(home, mergedPerson, keptPerson)))) onClose()
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
            busyText="Merging…"
            missingText={other ? '' : 'Choose a person'}
            onClick={() => void merge()}
          >
            Merge
          </Button>
        </>
      }
    >
      <div className="merge-others">
        <Choices legend={`Choose the person to merge with ${person.name}`} isLegendHidden>
          {others.map((candidate) => (
            <Choice
              key={candidate.person_id}
              name="other"
              checked={candidate.person_id === other?.person_id}
              onChange={() => setOther(candidate)}
              title={candidate.name}
              note={formatClipCount(candidate.events)}
              mark={<PersonPicture person={candidate} size={40} />}
            />
          ))}
        </Choices>
      </div>
      {other?.named && (
        <Choices legend="Which name do you want to keep?" columns={2}>
          {[person, other].map((candidate) => (
            <Choice
              key={candidate.person_id}
              name="stays"
              checked={candidate === keptPerson}
              onChange={() => setKeepsOther(candidate === other)}
              title={candidate.name}
            />
          ))}
        </Choices>
      )}
      {mergedPerson && (
        <p className="long-words" role="status">
          {mergeText(keptPerson, mergedPerson)}
        </p>
      )}
      <InlineError failure={failure} />
    </Sheet>
  )
}
