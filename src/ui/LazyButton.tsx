import { type ComponentProps, useEffect, useRef, useState } from 'react'

interface LazyButtonProps extends Omit<ComponentProps<'button'>, 'onClick' | 'type'> {
  /** Loads the code that the action needs; does nothing if the code is there. */
  load: () => Promise<unknown>
  /** Runs once after a press, when the code is there or has failed to load. It reports a failure itself. */
  onReady: () => void
}

/**
 * Button whose action needs code that may still be loading. Until the code is there, it shows a spinner, keeps its
 * width and ignores presses. A removed button does nothing more. Only for actions that a user can reverse: opening a
 * view or a dialog, never deleting, paying or canceling.
 */
export function LazyButton({ load, onReady, className = '', ...rest }: LazyButtonProps) {
  const [isBusy, setIsBusy] = useState(false)
  const isPressed = useRef(false)
  useEffect(() => () => void (isPressed.current = false), [])
  async function press() {
    if (isPressed.current) return
    isPressed.current = true
    setIsBusy(true)
    await load().catch(() => undefined)
    if (!isPressed.current) return
    isPressed.current = false
    setIsBusy(false)
    onReady()
  }
  return (
    <button
      {...rest}
      type="button"
      className={`${className} lazy-button`}
      aria-busy={isBusy || undefined}
      onClick={() => void press()}
    />
  )
}
