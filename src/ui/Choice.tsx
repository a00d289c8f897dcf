import { useId, useLayoutEffect, useRef, type ReactNode, type RefObject } from 'react'

interface ChoiceProps {
  type?: 'radio' | 'checkbox'
  name?: string
  checked: boolean
  onChange: (checked: boolean) => void
  title: ReactNode
  note?: ReactNode
  mark?: ReactNode
  /** Content at the right edge: a badge, price or icon. */
  end?: ReactNode
  /** True if a payment with this option was declined. */
  isDeclined?: boolean
  /** True if this option is not available now; `note` gives the reason. */
  isUnavailable?: boolean
  describedBy?: string | undefined
  children?: ReactNode
}

/** Option of a radio or checkbox group, drawn as a card. The whole card is its label. */
export function Choice(props: ChoiceProps) {
  const { type = 'radio', name, checked, onChange, title, note, mark, end, children } = props
  const { isDeclined = false, isUnavailable = false, describedBy } = props
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  usePressBeforeHydration(input, props)
  return (
    <label className="choice" data-refused={isDeclined || undefined} data-off={isUnavailable || undefined}>
      <span className="choice-head">
        <input
          ref={input}
          type={type}
          name={name}
          checked={checked}
          // Otherwise, a reload would restore an earlier choice, which looks like a press before hydration.
          autoComplete="off"
          aria-disabled={isUnavailable || undefined}
          aria-labelledby={`${id}-title`}
          aria-describedby={
            [note && `${id}-note`, children && `${id}-more`, describedBy].filter(Boolean).join(' ') || undefined
          }
          onChange={({ target }) => isUnavailable || onChange(target.checked)}
        />
        {mark}
        <span className="choice-words">
          <b id={`${id}-title`}>{title}</b>
          {note && <small id={`${id}-note`}>{note}</small>}
        </span>
        {end && <span className="choice-end">{end}</span>}
      </span>
      {children && (
        <span className="choice-more" id={`${id}-more`}>
          {children}
        </span>
      )}
    </label>
  )
}

/** Reports a choice that the user made in the static page, before React could handle the press. */
function usePressBeforeHydration(
  input: RefObject<HTMLInputElement | null>,
  { type = 'radio', checked, onChange, isUnavailable = false }: ChoiceProps,
): void {
  const isFirstEffect = useRef(true)
  useLayoutEffect(() => {
    if (!isFirstEffect.current) return
    isFirstEffect.current = false
    const isPressed = input.current?.checked ?? checked
    // The other radios of the group follow the chosen one.
    if (isPressed !== checked && (isPressed || type === 'checkbox') && !isUnavailable) onChange(isPressed)
  })
}

export function Choices({ legend, isLegendHidden = false, columns = 1, children }: ChoicesProps) {
  return (
    <fieldset className="choices" data-columns={columns}>
      <legend className={isLegendHidden ? 'sr-only' : undefined}>{legend}</legend>
      {children}
    </fieldset>
  )
}

interface ChoicesProps {
  legend: ReactNode
  isLegendHidden?: boolean
  columns?: 1 | 2
  children: ReactNode
}
