import X from 'lucide-react/icons/x'
import { useId, useLayoutEffect, useRef, type MouseEvent, type ReactNode, type SyntheticEvent } from 'react'

/** Modal dialog; on a phone, a bottom sheet. Escape, the close button and a press outside call `onClose`. */
export function Dialog({ title, note, isHidden = false, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    const dialog = element.current
    dialog?.showModal()
    // Closing the dialog before React removes it returns the focus to the previously focused element.
    return () => dialog?.close()
  }, [])
  const onPress = ({ target }: MouseEvent) => target === element.current && onClose()
  // Prevents the default, because the parent decides if Escape closes the dialog.
  const onCancel = (event: SyntheticEvent) => (event.preventDefault(), onClose())
  return (
    <dialog
      ref={element}
      className="dialog"
      hidden={isHidden}
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
  note?: ReactNode
  /** True if the dialog is not displayed, although the page behind it is still inert. */
  isHidden?: boolean
  onClose: () => void
  children: ReactNode
}
