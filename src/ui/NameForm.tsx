import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { inClips } from '../domain/copy/counts.ts'
import { type AskedPerson, type NameRow, nameRows } from '../domain/events/people-labels.ts'
import { Button } from './Button.tsx'
import { NameBox } from './NameBox.tsx'
import { Problem } from './InlineError.tsx'
import { type ActionFailure, useAct } from './use-action.ts'

interface NameFormProps extends AskedPerson {
  readonly onTake: (row: NameRow) => Promise<ActionFailure | null>
  readonly onHide: () => Promise<ActionFailure | null>
  readonly onDone: () => void
  readonly hideText: string
  readonly isLabelHidden?: boolean
  readonly autoFocus?: boolean
  /** Content above the field. */
  readonly children?: ReactNode
}

/** Names an unnamed person, or identifies them as a known one. */
export function NameForm(props: NameFormProps) {
  const { home, person, onTake, onHide, onDone, hideText, isLabelHidden = false, autoFocus = false, children } = props
  const id = useId()
  const [text, setText] = useState('')
  const [isMissing, setIsMissing] = useState(false)
  const { isBusy, failure, run } = useAct()
  const [first] = nameRows(home.people, text)
  async function chooseRow(row: NameRow): Promise<void> {
    setText(row.kind === 'add' ? row.name : row.person.name)
    if (await run(() => onTake(row))) onDone()
  }
  function submit(event: FormEvent): void {
    event.preventDefault()
    if (text.trim() !== '' && first) return void chooseRow(first)
    setIsMissing(true)
  }
  function write(next: string): void {
    setText(next)
    setIsMissing(false)
  }
  const hide = () => void run(onHide).then((isDone) => isDone && onDone())
  return (
    <form className="name-form" aria-label="Who is this?" onSubmit={submit}>
      {children}
      <NameBox
        people={home.people}
        {...{ text, isLabelHidden, autoFocus }}
        describedBy={id}
        onText={write}
        onTake={(row) => void chooseRow(row)}
      />
      {isMissing && (
        <p className="problem" role="alert">
          Type a name first.
        </p>
      )}
      <Problem failure={failure} />
      <p id={id} className="name-hint">
        {person.events === 1 ? 'This clip' : `All ${inClips(person.events)}`} will show the name. You can undo it.
      </p>
      <div className="name-buttons">
        <Button type="submit" className="name-save" isBusy={isBusy} busyText="Saving">
          Save name
        </Button>
        <Button kind="plain" className="name-hide" isBusy={false} onClick={hide}>
          {hideText}
        </Button>
      </div>
    </form>
  )
}
