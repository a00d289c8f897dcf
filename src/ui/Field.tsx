import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import { useId, useState, type ComponentProps, type InvalidEvent, type ReactNode } from 'react'

interface FieldProps extends Omit<ComponentProps<'input'>, 'id'> {
  label: ReactNode
  /** Draws no label, but reads it. */
  isLabelHidden?: boolean
  /** Under the field while nothing is wrong. */
  hint?: ReactNode
  /** What is wrong with it, said beside it; '' and null: nothing. */
  error?: string | null | undefined
  /** Under the error: its code, what it means here. */
  errorNote?: ReactNode
  /** What is right about it, in place of the hint. */
  success?: ReactNode
  /** In the field, before what is typed. */
  icon?: ReactNode
  /** In the field, after it: a button that clears it. */
  end?: ReactNode
  /** Beside the field. */
  beside?: ReactNode
}

/**
 * A field with its label, a hint, and what is wrong with it beside it, for screen readers too. It says what the browser
 * finds wrong (`required`, `pattern`, `type`) when the form is sent or the field is left with something in it.
 */
export function Field(props: FieldProps) {
  const {
    label,
    isLabelHidden = false,
    hint,
    error,
    errorNote,
    success,
    icon,
    end,
    beside,
    className,
    ...input
  } = props
  const { onBlur, onChange, onInvalid, ...rest } = input
  const id = useId()
  const [found, setFound] = useState('')
  const problem = error || found
  const hasNote = Boolean(problem) || Boolean(success) || Boolean(hint)
  const invalid = (event: InvalidEvent<HTMLInputElement>) => {
    event.preventDefault()
    setFound(event.currentTarget.validationMessage)
    if (event.currentTarget.form?.querySelector(':invalid') === event.currentTarget) event.currentTarget.focus()
    onInvalid?.(event)
  }
  return (
    <div className={`field ${className ?? ''}`}>
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : undefined}>
        {label}
      </label>
      <div className="field-row">
        <span className="input" data-state={problem ? 'error' : success ? 'success' : undefined}>
          {icon}
          <input
            {...rest}
            id={id}
            aria-invalid={problem ? true : undefined}
            aria-describedby={hasNote ? `${id}-note` : undefined}
            onInvalid={invalid}
            onChange={(event) => {
              setFound('')
              onChange?.(event)
            }}
            onBlur={(event) => {
              if (event.target.value !== '') setFound(event.target.validationMessage)
              onBlur?.(event)
            }}
          />
          {end}
        </span>
        {beside}
      </div>
      {hasNote && <Note id={`${id}-note`} {...{ problem, errorNote, success, hint }} />}
    </div>
  )
}

interface NoteProps extends Pick<FieldProps, 'errorNote' | 'success' | 'hint'> {
  id: string
  problem: string | undefined
}

function Note({ id, problem, errorNote, success, hint }: NoteProps) {
  if (problem)
    return (
      <div id={id} className="field-note" data-state="error" role="alert">
        <CircleAlert size={16} aria-hidden="true" />
        <span>
          {problem}
          {errorNote && <small>{errorNote}</small>}
        </span>
      </div>
    )
  if (success)
    return (
      <div id={id} className="field-note" data-state="success" role="status">
        <CircleCheck size={16} aria-hidden="true" />
        <span>{success}</span>
      </div>
    )
  return (
    <small id={id} className="field-hint">
      {hint}
    </small>
  )
}
