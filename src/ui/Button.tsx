import type { ComponentProps, MouseEvent } from 'react'

interface ButtonProps extends Omit<ComponentProps<'button'>, 'disabled'> {
  kind?: 'primary' | 'soft' | 'outline' | 'danger' | 'plain'
  size?: 'xs' | 'sm' | 'md' | 'lg'
  /**
   * True while the action runs. The button then shows a spinner and `busyText`, stays focusable and ignores presses.
   */
  isBusy?: boolean
  busyText?: string
  /** Button text that names missing input; '' if nothing is missing. The button stays focusable. */
  missingText?: string
  /** Called on a press while input is missing. The callback should lead the user to the missing input. */
  onMissing?: () => void
}

/**
 * Button that can show a running action or name missing input. While input is missing, a press calls `onMissing` and
 * nothing else.
 */
export function Button(props: ButtonProps) {
  const { kind = 'primary', size = 'md', isBusy = false, busyText, missingText = '', onMissing, ...rest } = props
  const { className = '', onClick, children, type = 'button', ...others } = rest
  const isWaiting = missingText !== ''
  function handlePress(event: MouseEvent<HTMLButtonElement>) {
    if (!isBusy && !isWaiting) return onClick?.(event)
    event.preventDefault()
    if (isWaiting) onMissing?.()
  }
  const buttonClass = `btn${kind === 'plain' ? '' : ` btn-${kind}`}${size === 'md' ? '' : ` btn-${size}`}`
  return (
    <button
      {...others}
      type={type}
      className={`${buttonClass} ${className}`}
      aria-disabled={isBusy || isWaiting || undefined}
      aria-busy={isBusy || undefined}
      onClick={handlePress}
    >
      {isBusy && <span className="spinner" aria-hidden="true" />}
      {isWaiting ? missingText : isBusy ? (busyText ?? children) : children}
    </button>
  )
}
