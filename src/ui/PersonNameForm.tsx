import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { formatAllAtStart } from '../domain/copy/lists.ts'
import { type UnnamedPerson, type NameSuggestion, listNameSuggestions } from '../domain/copy/people-labels.ts'
import { Button } from './Button.tsx'
import { PersonNameField } from './PersonNameField.tsx'
import { InlineError } from './InlineError.tsx'
import { type ActionFailure, useAction } from './use-action.ts'

interface PersonNameFormProps extends UnnamedPerson {
  readonly onTake: (row: NameSuggestion) => Promise<ActionFailure | null>
  readonly onHide: () => Promise<ActionFailure | null>
  readonly onDone: () => void
  readonly hideText: string
  readonly isLabelHidden?: boolean
  readonly autoFocus?: boolean
  readonly children?: ReactNode
}

/** Form in which the user names an unnamed person, or chooses a known person instead. */
export function PersonNameForm(props: PersonNameFormProps) {
  const { home, person, onTake, onHide, onDone, hideText, isLabelHidden = false, autoFocus = false, children } = props
  const id = useId()
  const [text, setText] = useState('')
  const [isMissing, setIsMissing] = useState(false)
  const { isBusy, failure, run } = useAction()
  const [firstRow] = listNameSuggestions(home.people, text)
  async function chooseRow(row: NameSuggestion): Promise<void> {
    setText(row.kind === 'add' ? row.name : row.person.name)
    if (await run(() => onTake(row))) onDone()
  }
  function submit(event: FormEvent): void {
    event.preventDefault()
    if (text.trim() !== '' && firstRow) return void chooseRow(firstRow)
    setIsMissing(true)
  }
  function changeText(next: string): void {
    setText(next)
    setIsMissing(false)
  }
  const hidePerson = () => void run(onHide).then((isDone) => isDone && onDone())
  return (
    <form className="name-form" aria-label="Who is this?" onSubmit={submit}>
      {children}
      <PersonNameField
        people={home.people}
        text={text}
        isLabelHidden={isLabelHidden}
        autoFocus={autoFocus}
        describedBy={id}
        onTextChange={changeText}
        onTake={(row) => void chooseRow(row)}
      />
      {isMissing && (
        <p className="problem" role="alert">
          Enter a name first.
        </p>
      )}
      <InlineError failure={failure} />
      <p id={id} className="name-hint">
        {person.events === 1 ? 'This clip' : formatAllAtStart(person.events, 'clip')} will show the name. You can undo
        this.
      </p>
      <div className="name-buttons">
        <Button type="submit" className="name-save" isBusy={isBusy} busyText="Saving…">
          Save name
        </Button>
        <Button kind="plain" className="name-hide" isBusy={false} onClick={hidePerson}>
          {hideText}
        </Button>
      </div>
    </form>
  )
}
