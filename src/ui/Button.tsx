import type { ComponentProps, MouseEvent } from 'react'

interface ButtonProps extends Omit<ComponentProps<'button'>, 'disabled'> {
  kind?: 'primary' | 'soft' | 'outline' | 'danger' | 'plain'
  size?: 'xs' | 'sm' | 'md' | 'lg'
  /** True while the action runs: the button keeps its look, shows a spinner and ignores presses. */
  isBusy?: boolean
  busyText?: string
  /** Text for what is missing before the button can act; '' if nothing is. The button stays focusable. */
  waitsFor?: string
  /** Called on a press while something is missing; should lead the user to the missing input. */
  onMissing?: () => void
}

/** Button that shows what is missing before it can act. A press then leads to the missing input. */
export function Button(props: ButtonProps) {
  const { kind = 'primary', size = 'md', isBusy = false, busyText, waitsFor = '', onMissing, ...rest } = props
  const { className = '', onClick, children, type = 'button', ...others } = rest
  const isWaiting = waitsFor !== ''
  function press(event: MouseEvent<HTMLButtonElement>) {
    if (!isBusy && !isWaiting) return onClick?.(event)
    event.preventDefault()
    if (isWaiting) onMissing?.()
  }
  const look = `btn${kind === 'plain' ? '' : ` btn-${kind}`}${size === 'md' ? '' : ` btn-${size}`}`
  return (
    <button
      {...others}
      type={type}
      className={`${look} ${className}`}
      aria-disabled={isBusy || isWaiting || undefined}
      aria-busy={isBusy || undefined}
      onClick={press}
    >
      {isBusy && <span className="spinner" aria-hidden="true" />}
      {isWaiting ? waitsFor : isBusy ? (busyText ?? children) : children}
    </button>
  )
}
