import X from 'lucide-react/icons/x'
import { useId, useLayoutEffect, useRef, type MouseEvent, type ReactNode, type SyntheticEvent } from 'react'

/** A modal dialog, on a phone a sheet from below. `onClose` follows Escape, the cross and a press beside it. */
export function Dialog({ title, note, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    const dialog = element.current
    dialog?.showModal()
    // Closed before it leaves the page, it gives the focus back to where it was.
    return () => dialog?.close()
  }, [])
  const onPress = ({ target }: MouseEvent) => target === element.current && onClose()
  // Who opened it decides whether Escape closes it.
  const onCancel = (event: SyntheticEvent) => (event.preventDefault(), onClose())
  return (
    <dialog
      ref={element}
      className="dialog"
      aria-labelledby={id}
      onCancel={onCancel}
      onClose={onClose}
      onClick={onPress}
    >
      <div className="dialog-box">
        <header>
          <div>
            <h2 id={id}>{title}</h2>
            {note}
          </div>
          <button type="button" className="icon-btn" aria-label="Close" onClick={onClose}>
            <X size={20} aria-hidden="true" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  )
}

interface DialogProps {
  title: string
  /** Beneath the title. */
  note?: ReactNode
  onClose: () => void
  children: ReactNode
}
