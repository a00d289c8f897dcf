import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import { useId, useState, type ComponentProps, type InvalidEvent, type ReactNode } from 'react'

interface FieldProps extends Omit<ComponentProps<'input'>, 'id'> {
  label: ReactNode
  /** True if the label is visible only to screen readers. */
  isLabelHidden?: boolean
  /** Text below the field if there is neither an error nor a success text. */
  hint?: ReactNode
  /** Error text below the field; '' or null if none. */
  error?: string | null | undefined
  /** Content below the error text, such as its code and meaning. */
  errorNote?: ReactNode
  success?: ReactNode
  icon?: ReactNode
  /** Content in the field after the text, such as a clear button. */
  end?: ReactNode
  besideInput?: ReactNode
}

/**
 * Input with label, hint and error, also for screen readers. Shows the browser's validation errors on submit, and when
 * a field that is not empty loses focus.
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
    besideInput,
    className,
    ...input
  } = props
  const { onBlur, onChange, onInvalid, ...rest } = input
  const id = useId()
  const [browserError, setBrowserError] = useState('')
  const problem = error || browserError
  const hasNote = Boolean(problem) || Boolean(success) || Boolean(hint)
  const handleInvalid = (event: InvalidEvent<HTMLInputElement>) => {
    event.preventDefault()
    setBrowserError(event.currentTarget.validationMessage)
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
            onInvalid={handleInvalid}
            onChange={(event) => {
              setBrowserError('')
              onChange?.(event)
            }}
            onBlur={(event) => {
              if (event.target.value !== '') setBrowserError(event.target.validationMessage)
              onBlur?.(event)
            }}
          />
          {end}
        </span>
        {besideInput}
      </div>
      {hasNote && <FieldNote id={`${id}-note`} problem={problem} errorNote={errorNote} success={success} hint={hint} />}
    </div>
  )
}

interface FieldNoteProps extends Pick<FieldProps, 'errorNote' | 'success' | 'hint'> {
  id: string
  problem: string | undefined
}

function FieldNote({ id, problem, errorNote, success, hint }: FieldNoteProps) {
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
