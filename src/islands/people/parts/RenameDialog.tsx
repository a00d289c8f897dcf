import { type FormEvent, useState } from 'react'
import { type HomePeople, type HomePerson, PERSON_NAME_MAX } from '../../../../contract/events/people.ts'
import { setPersonName } from '../../../stores/people/people.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Field } from '../../../ui/Field.tsx'
import { useAction } from '../../../ui/use-action.ts'

interface RenameDialogProps {
  home: HomePeople
  person: HomePerson
  onClose: () => void
}

export function RenameDialog({ home, person, onClose }: RenameDialogProps) {
  const [name, setName] = useState(person.name)
  const { isBusy, failure, run } = useAction()
  const typed = name.trim()
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (typed === person.name || (await run(() => setPersonName(home, person, typed)))) onClose()
  }
  return (
    <Dialog title={`Rename ${person.name}`} onClose={onClose}>
      <form className="rename-form" onSubmit={(event) => void submit(event)}>
        <Field
          label="Name"
          value={name}
          maxLength={PERSON_NAME_MAX}
          autoComplete="off"
          autoFocus
          error={failure?.inPlace ? failure.text : null}
          onChange={({ target }) => setName(target.value)}
        />
        <footer>
          <Button kind="outline" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" isBusy={isBusy} busyText="Saving…" missingText={typed === '' ? 'Enter a name' : ''}>
            Save name
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
