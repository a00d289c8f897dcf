import type { ComponentProps, MouseEvent } from 'react'

interface ButtonProps extends Omit<ComponentProps<'button'>, 'disabled'> {
  kind?: 'primary' | 'soft' | 'outline' | 'danger' | 'plain'
  size?: 'xs' | 'sm' | 'md' | 'lg'
  /** What it was asked for is under way: it keeps its look, turns, and takes no further press. */
  isBusy?: boolean
  /** What it says meanwhile. */
  busyText?: string
  /** What is missing before it can act, as its text; '' while nothing is. It stays focusable. */
  waitsFor?: string
  /** A press while something is missing: leads to what that is. */
  onMissing?: () => void
}

/** A button. One that waits says what for, and leads there when it is pressed. */
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
